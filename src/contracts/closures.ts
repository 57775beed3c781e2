import * as z from 'zod/mini'
import { dayState } from './cycles'
import { endpoint, idParam, nothing } from './endpoint'

/** A calendar date in the school's zone, `YYYY-MM-DD`. */
const schoolDate = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'A date is written YYYY-MM-DD'))

const dates = z
  .array(schoolDate, 'Choose at least one day')
  .check(z.minLength(1, 'Choose at least one day'), z.maxLength(30, 'A cycle has at most 30 days'))

const remedy = z.enum(['refund', 'credit'], 'Choose how the money goes back')

/** An order that was left as it is, and why. */
const leftOrder = z.object({ orderId: z.string(), code: z.string(), message: z.string() })

/** Every day of a cycle, in the order of their dates. Amounts in kwacha. */
const cycleDayOverview = z.object({
  date: z.string(),
  week: z.number(),
  day: z.number(),
  state: dayState,
  /** The closure that closes the day now. */
  closure: z.nullable(
    z.object({
      id: z.string(),
      reason: z.string(),
      closedAt: z.string(),
      closedBy: z.string(),
      canUndo: z.boolean(),
    }),
  ),
  /** Live orders on the date, of whichever cycle; `unpaid` of these; `amount` what is to pay for all of them. */
  orders: z.number(),
  unpaid: z.number(),
  amount: z.number(),
})

export const cycleDays = endpoint('GET', '/api/order-cycles/:id/days', {
  params: idParam,
  reply: z.object({ days: z.array(cycleDayOverview) }),
})

/** What closing these dates would do; changes nothing. */
export const previewClosure = endpoint('POST', '/api/order-cycles/:id/closures/preview', {
  params: idParam,
  body: z.object({ dates }),
  reply: z.object({
    /** Pending orders, which would be cancelled; `unpaid` of these. */
    orders: z.number(),
    students: z.number(),
    families: z.number(),
    unpaid: z.number(),
    /** Orders that are completed already and would be left. */
    completed: z.number(),
    /** What was paid for the pending orders, in kwacha. */
    paidAmount: z.number(),
    /** Card payments under way with a meal on one of the dates. */
    paymentsUnderWay: z.number(),
  }),
})

const closure = z.object({
  id: z.string(),
  dates: z.array(z.string()),
  /** Orders looked at, of all that stood on the dates; at work while `done` is less than `total`. */
  done: z.number(),
  total: z.number(),
  cancelled: z.number(),
  /** Of the cancelled. */
  unpaidCancelled: z.number(),
  /** Refunds and credit together, in kwacha. */
  owed: z.number(),
  /** Families with a cancelled order; `notTold` of these have no address. */
  families: z.number(),
  notTold: z.number(),
  skipped: z.array(leftOrder),
})

export const closeDays = endpoint('POST', '/api/order-cycles/:id/closures', {
  once: true,
  status: 201,
  params: idParam,
  body: z.object({
    dates,
    reason: z
      .string('Say why the days are closed')
      .check(
        z.trim(),
        z.minLength(3, 'A reason has at least 3 characters'),
        z.maxLength(200, 'A reason has at most 200 characters'),
      ),
    remedy,
  }),
  reply: closure,
})

const closureParam = z.object({ id: z.string().check(z.maxLength(60)) })

/** What undoing brought back so far. */
const undone = z.object({
  restored: z.number(),
  notRestored: z.array(leftOrder),
  /** Families that get a meal back; `notTold` of these have no address. */
  families: z.number(),
  notTold: z.number(),
})

/** Once a closure was undone, `done` counts the orders that were looked at to be restored, and `undone` tells of them. */
export const getClosure = endpoint('GET', '/api/closures/:id', {
  params: closureParam,
  reply: z.object({ ...closure.shape, undone: z.optional(undone) }),
})

/** Answers how it stands after at most 5 s; asking again answers how it stands then, and undoes nothing twice. */
export const undoClosure = endpoint('POST', '/api/closures/:id/undo', {
  once: true,
  params: closureParam,
  body: nothing,
  reply: undone,
})

/** Newest first. `undoneAt` and `undoneBy` are null while the days are closed. */
export const listClosures = endpoint('GET', '/api/closures', {
  reply: z.object({
    data: z.array(
      z.object({
        ...closure.shape,
        cycleId: z.number(),
        reason: z.string(),
        remedy,
        closedAt: z.string(),
        closedBy: z.string(),
        undoneAt: z.nullable(z.string()),
        undoneBy: z.nullable(z.string()),
        canUndo: z.boolean(),
      }),
    ),
  }),
})
