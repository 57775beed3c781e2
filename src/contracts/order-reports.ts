import * as z from 'zod/mini'
import { dietNames } from './catalogue'
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
import { orderStatus, payBy, paymentStatus } from './ordering'

export const cycleOrder = z.object({
  id: z.string(),
  orderDate: z.string(),
  student: z.object({ name: z.string(), grade }),
  menuItem: z.object({ id: z.number(), name: z.string() }),
  cartItems: z.array(
    z.object({
      menuItem: z.object({ name: z.string() }),
      category: z.nullable(z.string()),
      sideDish: z.nullable(z.string()),
    }),
  ),
  cycleId: z.number(),
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
  /** Statuses the caller may set; saving may still fail where the day is taken. */
  allowed: z.object({ completed: z.boolean(), pending: z.boolean(), cancelled: z.boolean() }),
  /** Refund due on cancellation; 0 if free, unpaid or cancelled. */
  owedIfCancelled: z.number(),
})
export type CycleOrder = z.infer<typeof cycleOrder>

const cycleNumber = z.pipe(
  z.string().check(z.regex(/^\d{1,9}$/, 'Cycle ID is required')),
  z.transform((text: string) => Number(text)),
)

/** Cursor of the list: placed at, week, day, id. */
const place = z.string().check(
  z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z~\d{1,2}~\d~[\d.-]{1,60}$/),
  z.refine((text) => !Number.isNaN(Date.parse(text.slice(0, 24)))),
)

export const cycleOrderSorts = ['date', 'student', 'item', 'day', 'price', 'status'] as const
export type CycleOrderSort = (typeof cycleOrderSorts)[number]

/** Newest first, 10 a page, at most 100. */
export const cycleOrders = endpoint('GET', '/api/cycle-orders', {
  query: z.object({
    ...listQuery(cycleOrderSorts),
    /** The spec's alias of `limit`; capped at 100. */
    pageSize: z.optional(wholeNumber),
    cycleId: z.optional(cycleNumber),
    weekNumber: z.optional(wholeNumber),
    dayOfWeek: z.optional(wholeNumber),
    status: z.optional(orderStatus),
    menuItemId: z.optional(wholeNumber),
    /** As it was ordered for. */
    grade: z.optional(grade),
    /** Of the child at present. */
    class: z.optional(z.string().check(z.trim(), z.maxLength(20))),
    /** `metadata.next` of the previous page; stable while orders come and go. Overrides `page` and `sort`. */
    after: z.optional(place),
  }),
  reply: z.object({
    data: z.array(cycleOrder),
    /** `next` is null after the last order, or when not sorted newest first. */
    metadata: z.object({ ...pageMetadata.shape, next: z.nullable(z.string()) }),
  }),
})

const counted = z.object({ count: z.number(), amount: z.number() })

/** `meals` without cancelled ones. */
const share = { meals: z.number(), completed: z.number(), pending: z.number() }

const daySums = { meals: z.number(), amount: z.number() }

/** Kwacha. `totalOrders` includes cancelled and refunded orders (DESIGN section 7); completed = total - cancelled - pending. */
const revenueReply = z.object({
  stats: z.object({
    totalOrders: z.number(),
    netRevenue: z.number(),
    cancelledOrders: counted,
    pendingOrders: counted,
    totalStudents: z.number(),
  }),
  cycles: z.array(
    z.object({ id: z.number(), startDate: z.string(), cycleLength: z.number(), isActive: z.boolean() }),
  ),
  /** The latest 60, oldest first. `firstDay` is the first school day with an order. */
  byWeek: z.array(z.object({ ...share, cycleId: z.number(), week: z.number(), firstDay: z.string() })),
  /** Most meals first, at most 20; `others` sums the rest. */
  byItem: z.array(z.object({ ...share, id: z.number(), name: z.string() })),
  others: z.object(share),
  /** What active meals cost by how it is paid, credit apart. */
  byMethod: z.array(z.object({ method: z.union([payBy, z.literal('credit')]), amount: z.number() })),
  /** Of the cycle that was asked for, else of the latest; null without a cycle. */
  cycle: z.nullable(
    z.object({
      id: z.number(),
      /** `before`: the same day of the cycle before. `notCollected` is null while the hatch has marked none that day. */
      byDay: z.array(
        z.object({
          date: z.string(),
          ...daySums,
          before: z.nullable(z.object(daySums)),
          ill: z.number(),
          notCollected: z.nullable(z.number()),
        }),
      ),
      /** Up to today. `uptake`: meals in percent of the class's children times `days`, which had lunch. */
      days: z.number(),
      byClass: z.array(
        z.object({
          name: z.string(),
          meals: z.number(),
          children: z.number(),
          uptake: z.nullable(z.number()),
        }),
      ),
    }),
  ),
})
export type RevenueReply = z.infer<typeof revenueReply>

export const revenueStats = endpoint('GET', '/api/revenue/stats', {
  query: z.object({ cycleId: z.optional(wholeNumber) }),
  reply: revenueReply,
})

const conflictOfChild = z.object({
  orderId: z.string(),
  student: z.string(),
  date: z.string(),
  menuItem: z.string(),
  allergens: z.array(z.string()),
  diets: z.array(z.enum(dietNames)),
})
const conflictsOfDish = z.object({ menuItem: z.string(), date: z.string(), conflicts: z.int() })
export type ConflictRow = z.infer<typeof conflictOfChild> | z.infer<typeof conflictsOfDish>

/**
 * Future meals with an allergen of the child, or against its diet, that nobody accepted; soonest first, at most 5,000. `date` is `YYYY-MM-DD`.
 * The feature `menu` alone sees how many there are of a dish and day.
 */
export const listConflicts = endpoint('GET', '/api/orders/conflicts', {
  reply: z.object({ data: z.array(z.union([conflictOfChild, conflictsOfDish])) }),
})

/** Of an account, or of one child: then `userId` is the account that has the child now, null while none has. */
const discountCode = z.object({
  id: z.number(),
  code: z.string(),
  userId: z.nullable(z.number()),
  user: z.nullable(z.object({ username: z.string() })),
  studentId: z.nullable(z.number()),
  /** Null also for a child that has left. */
  student: z.nullable(z.object({ name: z.string(), grade, class: z.nullable(z.string()) })),
  sponsor: z.nullable(z.string()),
  discountPercentage: z.number(),
  isActive: z.boolean(),
})
export type DiscountCode = z.infer<typeof discountCode>

export const codeSorts = ['created', 'code', 'user', 'discount', 'active'] as const
export type CodeSort = (typeof codeSorts)[number]

/** Newest first, 50 a page. `search` matches the code, its sponsor, and the names of its user and child. */
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

export const maxSponsor = 60
const sponsorName = z
  .string()
  .check(z.trim(), z.maxLength(maxSponsor, `The sponsor can have at most ${maxSponsor} characters`))

const percentMessage = 'Discount must be between 0 and 100 percent'

export const createDiscountCode = endpoint('POST', '/api/discount-codes', {
  once: true,
  status: 201,
  body: z.object({
    code: z.string().check(z.trim(), z.minLength(3, 'Code must be at least 3 characters'), z.maxLength(40)),
    userId: rowNumber('Please select a user'),
    /** A child of the user; else 422. */
    studentId: z.optional(z.nullable(rowNumber())),
    sponsor: z.optional(z.nullable(sponsorName)),
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
