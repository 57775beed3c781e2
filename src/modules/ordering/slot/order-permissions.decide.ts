import type { Order, OrderingRules } from '#contracts/ordering'
import { isUnproven, type Ngwee, type Remedy } from '#kernel/money'
import { Refusal, type Denial } from '#kernel/refusal'
import {
  clockTime,
  instantAt,
  schoolMoment,
  weekdayName,
  type CutoffOf,
  type SchoolDate,
} from '#kernel/school-time'
import { denial, refusal } from '../refusals'
import * as events from './events'
import { isActive, type MealSlot, type SlotEvent, ownOrder, type FamilyMember } from './meal-slot'
import type { Order as OrderState, OrderedMeal } from './order'

export type FamilyTerms = {
  rules: OrderingRules
  cutoffOf: CutoffOf
  zone: string
}

/** Deadlines of a meal's day by the school's clock. */
export type MealDay = {
  date: SchoolDate
  startsAt: Date
  cutoffAt: Date
  noonAt: Date
  lateRemedy: Remedy | null
  /** Percent of a paid price. */
  absencePercent: number
  zone: string
}

export const mealDayOf = (date: SchoolDate, { rules, cutoffOf, zone }: FamilyTerms): MealDay => ({
  date,
  startsAt: instantAt(date, 0, 0, zone),
  cutoffAt: cutoffOf(date),
  noonAt: instantAt(date, 12, 0, zone),
  lateRemedy: rules.cancelUntil === 'cutoff' ? rules.lateRemedy : null,
  absencePercent: rules.absence === 'credit' ? rules.absencePercent : 0,
  zone,
})

type FamilyOrder = Pick<OrderState, 'status' | 'placed_at' | 'substituted' | 'late'>

const hourMs = 3_600_000

const hourOver = ({ placed_at }: Pick<FamilyOrder, 'placed_at'>): Date =>
  new Date(new Date(placed_at).getTime() + hourMs)

/** The end of the first hour is inclusive, the cutoff exclusive. */
export const cancellableUntil = (
  order: Pick<FamilyOrder, 'placed_at' | 'substituted' | 'late'>,
  day: MealDay,
): Date => {
  if (order.late) return new Date(order.placed_at)
  const hour = hourOver(order)
  return (day.lateRemedy || order.substituted) && day.cutoffAt > hour ? day.cutoffAt : hour
}

/** In ms since 1970. */
const lastCancellable = (order: FamilyOrder, day: MealDay): number => {
  const late = day.lateRemedy || order.substituted ? day.cutoffAt.getTime() - 1 : -Infinity
  return Math.max(hourOver(order).getTime(), late)
}

/** Ms left including the last; negative when over. */
const cancellableFor = (order: FamilyOrder, day: MealDay, now: Date): number =>
  lastCancellable(order, day) - now.getTime()

export const remedyAt = (order: FamilyOrder, day: MealDay, now: Date): Remedy | undefined =>
  now > hourOver(order) && !order.substituted ? (day.lateRemedy ?? undefined) : undefined

const notPending = ({ status }: FamilyOrder): Denial | null => {
  if (status === 'pending') return null
  return denial(status === 'completed' ? 'already_completed' : 'already_cancelled')
}

export const cancelDenial = (order: FamilyOrder, day: MealDay, now: Date): Denial | null => {
  const refused = notPending(order)
  if (refused) return refused
  if (order.late) return denial('late_order')
  if (cancellableFor(order, day, now) >= 0) return null
  return day.lateRemedy || order.substituted
    ? ['cancel_window_over', untilCutoff('cancelled', day)]
    : denial('cancel_window_over')
}

/** Rounded half up. */
const absenceShare = (price: Ngwee, { absencePercent }: MealDay): Ngwee =>
  Math.floor((price * absencePercent + 50) / 100)

const maxChanges = 20
const maxAbsences = 20

/** Bounds the history of one order. */
const tooManyChanges = (changes: number): Denial | null =>
  changes >= maxChanges ? denial('too_many_changes') : null

const tooManyAbsences = (told: number): Denial | null =>
  told >= maxAbsences
    ? ['too_many_changes', `Ill was set and taken back ${maxAbsences} times. Ask the office.`]
    : null

type AtHatch = Pick<OrderState, 'absent' | 'student_name' | 'given_at'>

/** Null when allowed. */
const absenceDenial = (order: FamilyOrder & AtHatch, day: MealDay, now: Date): Denial | null => {
  if (order.status !== 'pending' && order.status !== 'completed') return denial('already_cancelled')
  if (!order.absent && order.given_at !== null) return ['meal_given', givenText(order, day)]
  if (now >= day.noonAt)
    return ['absence_over', `Absence for ${weekdayName(day.date)} could be reported until 12:00`]
  if (order.absent) return null
  if (now < day.startsAt)
    return [
      'absence_too_early',
      `That a child is ill on ${weekdayName(day.date)} can be said on that day until 12:00`,
    ]
  return cancelDenial(order, day, now) ? null : denial('absence_too_early')
}

const changeDenial = (order: FamilyOrder, day: MealDay, now: Date): Denial | null => {
  const refused = notPending(order)
  if (refused) return refused
  if (now >= day.cutoffAt) return ['cutoff_passed', untilCutoff('changed', day)]
  if (cancellableFor(order, day, now) >= 0) return null
  return ['cancel_window_over', 'Orders can only be changed within 1 hour of placing the order']
}

const givenText = ({ student_name: student, given_at }: AtHatch, { zone }: MealDay) =>
  `${student}'s lunch was handed out at ${clockTime(schoolMoment(new Date(given_at!), zone))}.`

const changeableFor = (order: FamilyOrder, day: MealDay, now: Date): number =>
  Math.min(cancellableFor(order, day, now), day.cutoffAt.getTime() - 1 - now.getTime())

const untilCutoff = (what: string, { date, cutoffAt, zone }: MealDay) => {
  const cutoff = schoolMoment(cutoffAt, zone)
  return `Meals of ${weekdayName(date)} could be ${what} until ${weekdayName(cutoff.date)} ${clockTime(cutoff)}`
}

/** Ms left; undefined when over. */
const asPaidFor = (order: FamilyOrder, day: MealDay, now: Date): number | undefined => {
  const last = order.substituted ? lastCancellable(order, day) : hourOver(order).getTime()
  return last < now.getTime() ? undefined : last - now.getTime()
}

/** Ms until absence can be reported and ms left; empty when over. */
const absenceTimes = (
  order: FamilyOrder & AtHatch,
  day: MealDay,
  now: Date,
): Pick<Order['allowed'], 'absentInMs' | 'absentForMs'> => {
  if (order.status !== 'pending' && order.status !== 'completed') return {}
  if (!order.absent && order.given_at !== null) return {}
  const isCancellable = order.status === 'pending' && !order.late
  const cancelled = isCancellable ? lastCancellable(order, day) + 1 : -Infinity
  const from = order.absent ? -Infinity : Math.max(day.startsAt.getTime(), cancelled)
  const last = day.noonAt.getTime() - 1
  if (last < Math.max(from, now.getTime())) return {}
  const inMs = from - now.getTime()
  return { ...(inMs > 0 && { absentInMs: inMs }), absentForMs: last - now.getTime() }
}

export const allowedNow = (
  order: FamilyOrder & AtHatch & Pick<OrderState, 'proof' | 'changes' | 'absences_told'>,
  day: MealDay,
  now: Date,
): Pick<Order, 'allowed' | 'why'> => {
  const cancel = cancelDenial(order, day, now)
  const change = changeDenial(order, day, now) ?? tooManyChanges(order.changes)
  const absent = absenceDenial(order, day, now) ?? tooManyAbsences(order.absences_told)
  const asPaidForMs = cancel || isUnproven(order.proof) ? undefined : asPaidFor(order, day, now)
  return {
    allowed: {
      cancel: !cancel,
      ...(!cancel && { cancelForMs: cancellableFor(order, day, now) }),
      ...(asPaidForMs !== undefined && { asPaidForMs }),
      ...(!cancel && isUnproven(order.proof) && { asCredit: true as const }),
      change: !change,
      ...(!change && { changeForMs: changeableFor(order, day, now) }),
      absent: !absent,
      ...(!tooManyAbsences(order.absences_told) && absenceTimes(order, day, now)),
    },
    why: {
      ...(cancel && { cancel: cancel[1] }),
      ...(change && { change: change[1] }),
      ...(absent && { absent: absent[1] }),
    },
  }
}

export type MarkAbsence = { kind: 'absence'; orderId: string; absent: boolean } & FamilyMember & {
    day: MealDay
    now: Date
  }

export type Change = {
  kind: 'change'
  orderId: string
  changeId: string
  meal: OrderedMeal
} & FamilyMember & {
    day: MealDay
    now: Date
  }

export const markAbsence = (
  { orderId, absent, day, now, ...member }: MarkAbsence,
  slot: MealSlot,
): SlotEvent[] => {
  const known = ownOrder(slot, orderId, member)
  if (isActive(known) && known.absent === absent) return []
  const refused = absenceDenial(known, day, now) ?? tooManyAbsences(known.absences_told)
  if (refused) throw new Refusal(...refused)
  const at = now.toISOString()
  return absent
    ? [events.absenceMarked({ orderId, credit: absenceShare(known.price, day), at })]
    : [events.absenceTakenBack({ orderId, at })]
}

export const change = (
  { orderId, changeId, meal, day, now, ...member }: Change,
  slot: MealSlot,
): SlotEvent[] => {
  const known = ownOrder(slot, orderId, member)
  const refused = changeDenial(known, day, now)
  if (refused) throw new Refusal(...refused)
  const accepts = meal.acknowledged === true && known.meal.acknowledged !== true
  if (isSameMeal(known.meal, meal) && known.price === meal.price && !accepts) return []
  const tooMany = tooManyChanges(known.meals.size)
  if (tooMany) throw new Refusal(...tooMany)
  // A higher price would take the payer's credit.
  if (known.user_id !== member.userId && meal.price > known.price) throw refusal('payer_only')
  const at = now.toISOString()
  return [events.orderChanged({ orderId, changeId, by: 'parent', meal, old: known.meal, at })]
}

type Choice = Pick<OrderedMeal, 'category' | 'sideDish' | 'comments'> & { item: { id: number } }

export const isSameMeal = (one: Choice, other: Choice): boolean =>
  one.item.id === other.item.id &&
  one.category === other.category &&
  one.sideDish === other.sideDish &&
  one.comments === other.comments
