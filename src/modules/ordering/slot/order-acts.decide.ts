import type { MealLine } from '#kernel/meal-line'
import type { Ngwee, Remedy } from '#kernel/money'
import { refusal } from '../refusals'
import { lateRemedyAt, type MealDay } from './deadlines.decide'
import * as events from './events'
import { toPayOf, type orderOf, type SlotEvent } from './meal-slot'
import { remedyCarriedOut } from './money-back.decide'
import type { OrderedMeal } from './order'

export type KnownOrder = ReturnType<typeof orderOf>
export type OnOrder = { orderId: string; now: Date }
/** Remedy (default refund), and the closure or act behind it. */
export type Reason = { remedy?: Remedy; closureId?: string; actId?: string }
/** `portion`: earlier, when its limited portion is released. */
export type Lapse = OnOrder & { portion?: boolean }
export type AnotherMeal = OnOrder & { changeId: string; meal: OrderedMeal }
export type Closes = Pick<MealLine, 'cutoffAt' | 'dayCutoffAt'>
/** `meal`: the same one, under today's discount. */
export type AnotherDay = AnotherMeal & { to: events.Moved; closes: Closes }

const fact = ({ orderId, now }: OnOrder) => ({ orderId, at: now.toISOString() })

type Happening = (known: KnownOrder, asked: OnOrder) => SlotEvent[]

export const completed: Happening = (_known, asked) => [events.orderCompleted(fact(asked))]
export const reopened: Happening = (_known, asked) => [events.orderReopened(fact(asked))]
export const eats: Happening = (_known, asked) => [events.absenceTakenBack(fact(asked))]

/** By a family (with its `day`) or the office. */
export const cancelled = (
  known: KnownOrder,
  { day, remedy: wanted, closureId, actId, ...asked }: OnOrder & Reason & { day?: MealDay },
): SlotEvent[] => {
  const remedy = day ? lateRemedyAt(asked.now, known, day) : wanted
  const back = remedyCarriedOut(known, remedy)
  const reason = { ...(back && { remedy: back }), ...(closureId && { closureId }), ...(actId && { actId }) }
  const by = day ? 'parent' : 'administrator'
  const afterCutoff = asked.now >= new Date(known.dayCutoffAt)
  return [events.orderCancelled({ ...fact(asked), by, afterCutoff, ...reason })]
}

export const lapsed = (known: KnownOrder, { portion = false, ...asked }: Lapse): SlotEvent[] => {
  const isUnpaid = known.payment_status === 'pending' && toPayOf(known) > 0
  const until = portion ? known.portion_until : known.lapses_at
  if (!isUnpaid || until === null || asked.now < new Date(until)) return []
  const afterCutoff = asked.now >= new Date(known.cutoff_at)
  // After the cutoff nobody else could take the portion.
  if (portion && afterCutoff) return []
  return [events.orderCancelled({ ...fact(asked), by: 'system', afterCutoff })]
}

const acceptsConflict = (known: KnownOrder, meal: OrderedMeal): boolean =>
  meal.acknowledged === true && known.meal.acknowledged !== true

export const changed = (
  known: KnownOrder,
  { changeId, meal, userId, closes: own, ...asked }: AnotherMeal & { userId: number; closes?: Closes },
): SlotEvent[] => {
  const isSame = isSameMeal(known.meal, meal) && known.price === meal.price
  if (isSame && !acceptsConflict(known, meal)) return []
  refuseOthersCredit(known, userId, meal)
  const closes = own && (own.dayCutoffAt || closesEarly(known)) ? { closes: own } : {}
  return [events.orderChanged({ ...fact(asked), changeId, by: 'parent', meal, old: known.meal, ...closes })]
}

/** By a family (with its `userId`) or the office. A child that was ill on the day left eats on the other. */
export const moved = (
  known: KnownOrder,
  { changeId, meal, userId, closes, to, ...asked }: AnotherDay & { userId?: number },
): SlotEvent[] => {
  if (userId !== undefined) refuseOthersCredit(known, userId, meal)
  const by = userId === undefined ? ('administrator' as const) : ('parent' as const)
  const change = { ...fact(asked), changeId, by, meal, old: known.meal, closes, moved: to }
  return [...(known.absent ? eats(known, asked) : []), events.orderChanged(change)]
}

/** A higher price would take the payer's credit. */
const refuseOthersCredit = (known: KnownOrder, userId: number, meal: OrderedMeal): void => {
  if (known.user_id !== userId && meal.price > known.price) throw refusal('payer_only')
}

export const closesEarly = ({ cutoff_at, dayCutoffAt }: KnownOrder): boolean =>
  new Date(cutoff_at) < new Date(dayCutoffAt)

export const substituted = (known: KnownOrder, { changeId, meal, ...asked }: AnotherMeal): SlotEvent[] => {
  const isSame = isSameMeal(known.meal, { ...meal, comments: known.meal.comments })
  if (isSame && !acceptsConflict(known, meal)) return []
  return [events.orderChanged({ ...fact(asked), changeId, by: 'administrator', meal, old: known.meal })]
}

type Choice = Pick<OrderedMeal, 'category' | 'sideDish' | 'comments'> & { item: { id: number } }

export const isSameMeal = (one: Choice, other: Choice): boolean =>
  one.item.id === other.item.id &&
  one.category === other.category &&
  one.sideDish === other.sideDish &&
  one.comments === other.comments

/** Rounded half up. */
const absenceShare = (price: Ngwee, percent: number): Ngwee => Math.floor((price * percent + 50) / 100)

export const absent = (
  { price }: KnownOrder,
  { day, ...asked }: OnOrder & { day: { absencePercent: number } },
): SlotEvent[] => [events.absenceMarked({ ...fact(asked), credit: absenceShare(price, day.absencePercent) })]
