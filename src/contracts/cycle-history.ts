import * as z from 'zod/mini'
import { orderCycle } from './cycles'
import { endpoint, pageMetadata, wholeNumber } from './endpoint'
import { direction } from './sorting'

/** `created` is when a cycle was made, `start` its first day, `orders` and `revenue` what was ordered in it. */
export const cycleSorts = ['created', 'start', 'length', 'orders', 'revenue'] as const
export type CycleSort = (typeof cycleSorts)[number]

/** A year of four digits, written in a query. */
const year = z.pipe(wholeNumber, z.number().check(z.gte(1000), z.lte(9999)))

const writtenLength = z.pipe(
  z.enum(['4', '6']),
  z.transform((text) => Number(text)),
)

/** Newest first unless asked otherwise, 10 a page. `year` is that of the first day. A filter that is absent takes all. */
export const cycleHistory = endpoint('GET', '/api/order-cycles/history', {
  query: z.object({
    page: z.optional(wholeNumber),
    sort: z.optional(z.enum(cycleSorts)),
    direction: z.optional(direction),
    year: z.optional(year),
    cycleLength: z.optional(writtenLength),
  }),
  reply: z.object({
    data: z.array(
      z.object({
        ...orderCycle.shape,
        cycleId: z.number(),
        totalOrders: z.number(),
        totalRevenue: z.number(),
      }),
    ),
    metadata: pageMetadata,
  }),
})
