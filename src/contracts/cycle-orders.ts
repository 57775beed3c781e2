import * as z from 'zod/mini'
import { endpoint, pageMetadata, wholeNumber } from './endpoint'
import { grade } from './identity'
import { listQuery } from './list-query'
import { orderStatus, paymentStatus } from './ordering'

/** An order of whatever cycle, as Cycle History lists it (administrator.md section 3). Prices in kwacha. */
export const cycleOrder = z.object({
  id: z.string(),
  /** When it was placed, an ISO instant. */
  orderDate: z.string(),
  student: z.object({ name: z.string(), grade }),
  menuItem: z.object({ id: z.number(), name: z.string() }),
  /** What was ordered; one meal an order. */
  cartItems: z.array(
    z.object({
      menuItem: z.object({ name: z.string() }),
      category: z.nullable(z.string()),
      sideDish: z.nullable(z.string()),
    }),
  ),
  cycleId: z.number(),
  /** Null for a cycle that nobody knows any more. */
  cycle: z.object({ startDate: z.nullable(z.string()) }),
  weekNumber: z.number(),
  dayOfWeek: z.number(),
  category: z.nullable(z.string()),
  sideDish: z.nullable(z.string()),
  comments: z.string(),
  originalPrice: z.number(),
  discountedPrice: z.number(),
  discountPercentage: z.number(),
  status: orderStatus,
  paymentStatus,
  /** The statuses that an administrator may give it now; setting them may still fail where the day is taken. */
  allowed: z.object({ completed: z.boolean(), pending: z.boolean(), cancelled: z.boolean() }),
  /** What a cancellation would make due for refund; 0 for what is free, unpaid or cancelled already. */
  owedIfCancelled: z.number(),
})
export type CycleOrder = z.infer<typeof cycleOrder>

const cycleNumber = z.pipe(
  z.string().check(z.regex(/^\d{1,9}$/, 'Cycle ID is required')),
  z.transform((text: string) => Number(text)),
)

/** Where an order stands in the list: when it was placed, week, day, id. */
const place = z.string().check(
  z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z~\d{1,2}~\d~[\d.-]{1,60}$/),
  z.refine((text) => !Number.isNaN(Date.parse(text.slice(0, 24)))),
)

/** `date` is when an order was placed, `day` its week and then its day, `price` what is paid for it. */
export const cycleOrderSorts = ['date', 'student', 'item', 'day', 'price', 'status'] as const
export type CycleOrderSort = (typeof cycleOrderSorts)[number]

/** Newest first, 10 a page unless asked otherwise, at most 100. A filter that is absent takes all. */
export const cycleOrders = endpoint('GET', '/api/cycle-orders', {
  query: z.object({
    ...listQuery(cycleOrderSorts),
    /** The spec's name for `limit`; more than 100 counts as 100. */
    pageSize: z.optional(wholeNumber),
    cycleId: z.optional(cycleNumber),
    weekNumber: z.optional(wholeNumber),
    dayOfWeek: z.optional(wholeNumber),
    status: z.optional(orderStatus),
    menuItemId: z.optional(wholeNumber),
    /**
     * `metadata.next` of the answer before: reads on from there, newest first, whatever came or went meanwhile; `page`
     * and `sort` say nothing then.
     */
    after: z.optional(place),
  }),
  reply: z.object({
    data: z.array(cycleOrder),
    /** `next` is null after the last order, and where the list is sorted otherwise than newest first. */
    metadata: z.object({ ...pageMetadata.shape, next: z.nullable(z.string()) }),
  }),
})
