import * as z from 'zod/mini'
import { endpoint } from './endpoint'

/**
 * Meals from today on that a child is allergic to and that nobody has accepted, as of this moment; the nearest first, at
 * most 5,000. `student` and `menuItem` are names, `date` is `YYYY-MM-DD`.
 */
export const listConflicts = endpoint('GET', '/api/orders/conflicts', {
  reply: z.object({
    data: z.array(
      z.object({
        orderId: z.string(),
        student: z.string(),
        date: z.string(),
        menuItem: z.string(),
        allergens: z.array(z.string()),
      }),
    ),
  }),
})
