import * as z from 'zod/mini'
import {
  endpoint,
  pageMetadata,
  wholeNumber,
  listQuery,
  idParam,
  messageReply,
  rowNumber,
  direction,
  searchText,
  yesOrNo,
} from './endpoint'
import { grade } from './identity'
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

export const myDiscountCode = endpoint('GET', '/api/discounts/my-discount-code', {
  reply: z.object({ code: z.string(), discountPercentage: z.number() }),
})

const discountCode = z.object({
  id: z.number(),
  code: z.string(),
  userId: z.number(),
  user: z.object({ username: z.string() }),
  discountPercentage: z.number(),
  isActive: z.boolean(),
})
export type DiscountCode = z.infer<typeof discountCode>

/** `created` is when a code was made, `user` the name of the one it is for. */
export const codeSorts = ['created', 'code', 'user', 'discount', 'active'] as const
export type CodeSort = (typeof codeSorts)[number]

/**
 * Newest first unless asked otherwise, 50 a page. `search` is found in the code or its user's name, without regard to
 * case. A filter that is absent takes all.
 */
export const listDiscountCodes = endpoint('GET', '/api/discount-codes', {
  query: z.object({
    page: z.optional(wholeNumber),
    sort: z.optional(z.enum(codeSorts)),
    direction: z.optional(direction),
    search: z.optional(searchText),
    active: z.optional(yesOrNo),
  }),
  reply: z.object({ data: z.array(discountCode), metadata: pageMetadata }),
})

const percentMessage = 'Discount must be between 0 and 100 percent'

export const createDiscountCode = endpoint('POST', '/api/discount-codes', {
  status: 201,
  body: z.object({
    code: z.string().check(z.trim(), z.minLength(3, 'Code must be at least 3 characters'), z.maxLength(40)),
    userId: rowNumber('Please select a user'),
    discountPercentage: z._default(
      z
        .number(percentMessage)
        .check(
          z.gte(0, percentMessage),
          z.lte(100, percentMessage),
          z.multipleOf(0.01, 'At most two decimal places'),
        ),
      10,
    ),
    isActive: z._default(z.boolean(), true),
  }),
  reply: discountCode,
})

export const updateDiscountCode = endpoint('PUT', '/api/discount-codes/:id', {
  params: idParam,
  body: z.object({ isActive: z.boolean() }),
  reply: discountCode,
})

export const deleteDiscountCode = endpoint('DELETE', '/api/discounts/:id', {
  params: idParam,
  reply: messageReply,
})
