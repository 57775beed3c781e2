import * as z from 'zod/mini'
import { dayState, whom } from './cycles'
import { endpoint, idParam, nothing } from './endpoint'
import { grade, grades } from './identity'

/** A calendar date in the school's zone, `YYYY-MM-DD`. */
const schoolDate = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/, 'A date is written YYYY-MM-DD'))

const dates = z
  .array(schoolDate, 'Choose at least one day')
  .check(z.minLength(1, 'Choose at least one day'), z.maxLength(30, 'A cycle has at most 30 days'))

const className = z.string().check(z.trim(), z.minLength(1), z.maxLength(20))

/** A child of one of these grades or classes has no lunch; everybody when both are empty or absent. */
const forWhom = {
  grades: z.optional(z.array(grade).check(z.maxLength(grades.length))),
  classes: z.optional(z.array(className).check(z.maxLength(50, 'Choose at most 50 classes'))),
}

const remedy = z.enum(['refund', 'credit'], 'Choose how the money goes back')

const leftOrder = z.object({ orderId: z.string(), code: z.string(), message: z.string() })

const standingClosure = z.object({
  id: z.string(),
  reason: z.string(),
  closedAt: z.string(),
  closedBy: z.string(),
  canUndo: z.boolean(),
})

const cycleDayOverview = z.object({
  date: z.string(),
  week: z.number(),
  day: z.number(),
  state: dayState,
  closure: z.nullable(standingClosure),
  /** For some children, oldest first. */
  closures: z.array(z.extend(standingClosure, whom)),
  /** Live orders on the date in any cycle; `amount` is their total price. */
  orders: z.number(),
  unpaid: z.number(),
  amount: z.number(),
})

export const cycleDays = endpoint('GET', '/api/order-cycles/:id/days', {
  params: idParam,
  reply: z.object({ days: z.array(cycleDayOverview) }),
})

export const previewClosure = endpoint('POST', '/api/order-cycles/:id/closures/preview', {
  params: idParam,
  body: z.object({ dates, ...forWhom }),
  reply: z.object({
    orders: z.number(),
    students: z.number(),
    families: z.number(),
    unpaid: z.number(),
    completed: z.number(),
    paidAmount: z.number(),
    paymentsUnderWay: z.number(),
  }),
})

const closure = z.object({
  id: z.string(),
  dates: z.array(z.string()),
  /** Orders processed of `total`; the closure runs while `done` is less. */
  done: z.number(),
  total: z.number(),
  cancelled: z.number(),
  unpaidCancelled: z.number(),
  owed: z.number(),
  /** Families with a cancelled order; `notTold` of them have no address. */
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
      .string('Give a reason for closing these days')
      .check(
        z.trim(),
        z.minLength(3, 'A reason has at least 3 characters'),
        z.maxLength(200, 'A reason has at most 200 characters'),
      ),
    remedy,
    ...forWhom,
  }),
  reply: closure,
})

const closureParam = z.object({ id: z.string().check(z.maxLength(60)) })

const undone = z.object({
  restored: z.number(),
  notRestored: z.array(leftOrder),
  families: z.number(),
  notTold: z.number(),
})

/** After an undo, `done` counts orders checked for restoring, and `undone` reports them. */
export const getClosure = endpoint('GET', '/api/closures/:id', {
  params: closureParam,
  reply: z.object({ ...closure.shape, undone: z.optional(undone) }),
})

/** Answers the progress after at most 5 s. Repeatable. */
export const undoClosure = endpoint('POST', '/api/closures/:id/undo', {
  once: true,
  params: closureParam,
  body: nothing,
  reply: undone,
})

/** Newest first. `undoneAt` and `undoneBy` are null while the closure is in force. */
export const listClosures = endpoint('GET', '/api/closures', {
  reply: z.object({
    data: z.array(
      z.object({
        ...closure.shape,
        cycleId: z.number(),
        reason: z.string(),
        remedy,
        ...whom,
        closedAt: z.string(),
        closedBy: z.string(),
        undoneAt: z.nullable(z.string()),
        undoneBy: z.nullable(z.string()),
        canUndo: z.boolean(),
      }),
    ),
  }),
})
