import * as z from 'zod/mini'
import { calendarDay, endpoint, givenVersion, idParam, rowNumber, shownVersion } from './endpoint'
import { mobileNetworks, payWays } from './ordering'

const amountMessage = 'Please enter an amount in kwacha'
const kwacha = z
  .number(amountMessage)
  .check(z.gte(0, amountMessage), z.lte(1_000_000, amountMessage), z.multipleOf(0.01, amountMessage))

const chosen = z.nullish(z.string().check(z.maxLength(80)))

/** `price`: what the family saw for the child; a line never costs more unasked. */
const planDish = z.object({ menuItemId: rowNumber(), category: chosen, sideDish: chosen, price: kwacha })

const eachOnce = <Item>(keyOf: (item: Item) => number, message: string) =>
  z.refine<Item[]>((items) => new Set(items.map(keyOf)).size === items.length, message)

const planDay = z.object({
  day: z.int().check(z.gte(1), z.lte(5)),
  dishes: z
    .array(planDish)
    .check(z.minLength(1, 'Please choose a meal'), z.maxLength(5, 'At most 5 dishes a day')),
})

const planChild = z.object({
  studentId: rowNumber(),
  days: z.array(planDay).check(
    z.minLength(1, 'Please choose a day'),
    eachOnce(({ day }: { day: number }) => day, 'Each day can be chosen once'),
  ),
})

/** Sunday is 0. */
const planAt = z.object({
  day: z.int().check(z.gte(0), z.lte(6)),
  hour: z.int().check(z.gte(0), z.lte(23)),
  minute: z.int().check(z.gte(0), z.lte(59)),
})
export type PlanAt = z.infer<typeof planAt>

const planPay = z.union([
  z.object({ by: z.literal('prompt'), network: z.enum(mobileNetworks) }),
  z.object({ by: z.enum(payWays) }),
  z.object({ by: z.literal('credit') }),
])
export type PlanPay = z.infer<typeof planPay>

/** Dishes in order of preference; `weekLimit` counts prices before credit. */
const planFields = z.object({
  children: z.array(planChild).check(
    z.minLength(1, 'Please choose a child'),
    z.maxLength(30),
    eachOnce(({ studentId }: { studentId: number }) => studentId, 'Each child can be chosen once'),
  ),
  at: planAt,
  pay: planPay,
  weekLimit: z.nullable(kwacha),
})
export type PlanFields = z.infer<typeof planFields>

const plan = z.extend(planFields, { paused: z.boolean(), ...shownVersion })

export const leftCodes = [
  'already_ordered',
  'day_blocked',
  'cutoff_passed',
  'not_offered',
  'sold_out',
  'price_rose',
  'allergen_conflict',
  'diet_conflict',
  'cancelled_before',
  'skipped',
  'week_limit',
  'credit_short',
] as const
export type LeftCode = (typeof leftCodes)[number]

const weekStates = ['announced', 'ordered', 'waiting', 'not_paid', 'nothing', 'failed'] as const
export type WeekState = (typeof weekStates)[number]

const weekOf = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.object({
    week: z.string(),
    at: z.string(),
    ...shape,
    total: z.number(),
    credit: z.number(),
    toPay: z.number(),
    orders: z.array(
      z.object({
        orderId: z.nullable(z.string()),
        studentId: z.number(),
        date: z.string(),
        menuItem: z.string(),
        price: z.number(),
      }),
    ),
    left: z.array(
      z.object({
        studentId: z.number(),
        date: z.string(),
        code: z.enum(leftCodes),
        message: z.string(),
      }),
    ),
  })

const planWeek = weekOf({ state: z.enum(weekStates) })
const nextWeek = weekOf({ state: z.null() })
export type NextWeek = z.infer<typeof nextWeek>

/** What the office sees of it. `weeks`: newest first, at most 12. */
export const planSeen = { plan: z.nullable(plan), weeks: z.array(planWeek) }

/** `next`: the coming week as it would be ordered now; null while paused. `version` is the plan's, also where there is none yet. */
const planReply = z.object({
  offered: z.boolean(),
  ...planSeen,
  next: z.nullable(nextWeek),
  ...shownVersion,
})
export type PlanReply = z.infer<typeof planReply>

export const getPlan = endpoint('GET', '/api/plan', { reply: planReply })

/** 409 `plans_off`, `prompt_off`, `phone_not_verified`, `way_not_offered`; 422 with `fields` for a time or a dish that does not fit. */
export const savePlan = endpoint('PUT', '/api/plan', {
  body: z.extend(planFields, { paused: z.optional(z.boolean()), ...givenVersion }),
  reply: planReply,
})

const pauseBody = z.object({ paused: z.boolean() })

export const pausePlan = endpoint('POST', '/api/plan/pause', { body: pauseBody, reply: planReply })

export const endPlan = endpoint('DELETE', '/api/plan', { reply: planReply })

export const skipPlanDay = endpoint('POST', '/api/plan/skip', {
  body: z.object({ studentId: rowNumber(), date: calendarDay, skip: z.boolean() }),
  reply: planReply,
})

/** Orders a week now, `week` being its Monday. 422 for a week without an open day. */
export const orderPlanWeek = endpoint('POST', '/api/plan/order', {
  once: true,
  body: z.object({ week: calendarDay }),
  reply: planReply,
})

export const pausePlanOfFamily = endpoint('POST', '/api/families/:id/plan/pause', {
  params: idParam,
  body: pauseBody,
  reply: planReply,
})
