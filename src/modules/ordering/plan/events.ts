import { z } from 'zod'
import { mobileNetworks, payWays } from '#contracts/ordering'
import { leftCodes } from '#contracts/plan'
import { eventType } from '#kernel/event'
import { rowId } from '#kernel/id'
import { ngwee } from '#kernel/money'

const at = z.iso.datetime()
const date = z.iso.date()
const day = z.int().min(1).max(5)
const dish = { menuItemId: rowId, category: z.string().nullable(), sideDish: z.string().nullable() }

const familyPlan = z.strictObject({
  children: z.array(
    z.strictObject({
      studentId: rowId,
      days: z.array(z.strictObject({ day, dishes: z.array(z.strictObject({ ...dish, price: ngwee })) })),
    }),
  ),
  at: z.strictObject({
    day: z.int().min(0).max(6),
    hour: z.int().min(0).max(23),
    minute: z.int().min(0).max(59),
  }),
  pay: z.union([
    z.strictObject({ by: z.literal('prompt'), network: z.enum(mobileNetworks) }),
    z.strictObject({ by: z.enum(payWays) }),
    z.strictObject({ by: z.literal('credit') }),
  ]),
  weekLimit: z.nullable(ngwee),
})
export type FamilyPlan = z.infer<typeof familyPlan>

const plannedLine = z.strictObject({
  ...dish,
  studentId: rowId,
  date,
  week: z.int().min(1).max(6),
  day,
  name: z.string(),
  originalPrice: ngwee,
  price: ngwee,
})
export type PlannedLine = z.infer<typeof plannedLine>

const left = z.strictObject({ studentId: rowId, date, code: z.enum(leftCodes) })
export type LeftOut = z.infer<typeof left>

/** `week` is its Monday, `dueAt` its hour; `credit` pays a part. */
const plannedWeek = z.strictObject({
  week: date,
  dueAt: at,
  pay: familyPlan.shape.pay,
  lines: z.array(plannedLine),
  left: z.array(left),
  credit: ngwee,
})
export type PlannedWeek = z.infer<typeof plannedWeek>

const aboutPlan = { userId: rowId, at }

/** A family has set or changed its plan. `fromWeek`: the Monday of the first week that it orders. */
export const planSet = eventType(
  'ordering.plan-set.v1',
  z.strictObject({ ...aboutPlan, plan: familyPlan, paused: z.boolean(), fromWeek: date }),
)
/** The plan orders nothing until it goes on. The `system` pauses it after three weeks that nobody paid. */
export const planPaused = eventType(
  'ordering.plan-paused.v1',
  z.strictObject({
    ...aboutPlan,
    paused: z.boolean(),
    by: z.enum(['family', 'office', 'system']),
    fromWeek: date,
  }),
)
/** The family, or the deletion of its account, has ended the plan. */
export const planEnded = eventType('ordering.plan-ended.v1', z.strictObject(aboutPlan))
/** The plan leaves this day of a child out, or does so no more. */
export const planDaySkipped = eventType(
  'ordering.plan-day-skipped.v1',
  z.strictObject({ ...aboutPlan, studentId: rowId, date, skip: z.boolean() }),
)
/** The family was told what the plan is about to order and what its phone will ask for. */
export const planWeekAnnounced = eventType(
  'ordering.plan-week-announced.v1',
  z.strictObject({ ...aboutPlan, ...plannedWeek.shape }),
)
/** What the plan orders for a week is fixed; its checkout follows. `number` counts its tries. */
export const planWeekBegun = eventType(
  'ordering.plan-week-begun.v1',
  z.strictObject({ ...aboutPlan, ...plannedWeek.shape, number: z.int().positive() }),
)
/** What became of the week. A late payment may still turn it. */
export const planWeekTurned = eventType(
  'ordering.plan-week-turned.v1',
  z.strictObject({
    ...aboutPlan,
    week: date,
    state: z.enum(['ordered', 'waiting', 'not_paid', 'nothing', 'failed']),
  }),
)
