import * as z from 'zod/mini'
import { endpoint, wholeNumber } from './endpoint'

const counted = z.object({ count: z.number(), amount: z.number() })

/** Orders of one group: how many in all, and what the completed and the pending ones come to. */
const share = { orders: z.number(), completed: z.number(), pending: z.number() }

/**
 * What was sold, of one cycle or of all time; amounts in kwacha. Refunded orders count as cancelled, and cancelled
 * ones in `totalOrders` (DESIGN section 7); completed = total - cancelled - pending (administrator.md section 9).
 */
const revenueReply = z.object({
  stats: z.object({
    totalOrders: z.number(),
    /** What was to pay for the completed orders. */
    netRevenue: z.number(),
    cancelledOrders: counted,
    pendingOrders: counted,
    /** Children and teachers for whom something was ordered. */
    totalStudents: z.number(),
  }),
  /** Every cycle, the active one first, to choose from. */
  cycles: z.array(
    z.object({ id: z.number(), startDate: z.string(), cycleLength: z.number(), isActive: z.boolean() }),
  ),
  /** Oldest first, the latest 60. `firstDay` is the earliest school day anything was ordered for. */
  byWeek: z.array(z.object({ ...share, cycleId: z.number(), week: z.number(), firstDay: z.string() })),
  /** The best sold first, at most 20; `others` is what all the rest comes to. */
  byItem: z.array(z.object({ ...share, id: z.number(), name: z.string() })),
  others: z.object(share),
  byGrade: z.array(z.object({ ...share, grade: z.string() })),
})
export type RevenueReply = z.infer<typeof revenueReply>

export const revenueStats = endpoint('GET', '/api/revenue/stats', {
  query: z.object({ cycleId: z.optional(wholeNumber) }),
  reply: revenueReply,
})
