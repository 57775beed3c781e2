import * as events from './events'
import {
  absenceRefusal,
  absenceShare,
  changeRefusal,
  tooManyAbsences,
  tooManyChanges,
  type MealDay,
} from './order-permissions.decide'
import { isActive, ownOrder, type FamilyMember } from './known-order.decide'
import { refusal } from '../refusals'
import type { MealSlot, OrderedMeal, SlotEvent } from './meal-slot'

/** Reports or takes back an absence. */
export type MarkAbsence = { kind: 'absence'; orderId: string; absent: boolean } & FamilyMember & {
    day: MealDay
    now: Date
  }

/** Checked and priced; `changeId` is one act. */
export type Change = {
  kind: 'change'
  orderId: string
  changeId: string
  meal: OrderedMeal
} & FamilyMember & {
    day: MealDay
    now: Date
  }

/** Absence. */
export const markAbsence = (
  { orderId, absent, day, now, ...member }: MarkAbsence,
  slot: MealSlot,
): SlotEvent[] => {
  const known = ownOrder(slot, orderId, member)
  const isAbsent = known.absenceCredit !== null
  const { given } = known.marks
  const order = {
    ...asFamilySees(known),
    absent: isAbsent,
    given: given && { student: known.student, at: new Date(given.deviceAt) },
  }
  if (isActive(known) && isAbsent === absent) return []
  const refused = absenceRefusal(order, day, now) ?? tooManyAbsences(known.absencesTold)
  if (refused) throw refused
  const at = now.toISOString()
  return absent
    ? [events.absenceMarked({ orderId, credit: absenceShare(known.meal.price, day), at })]
    : [events.absenceTakenBack({ orderId, at })]
}

/** Change of meal. */
export const change = (
  { orderId, changeId, meal, day, now, ...member }: Change,
  slot: MealSlot,
): SlotEvent[] => {
  const known = ownOrder(slot, orderId, member)
  const refused = changeRefusal(asFamilySees(known), day, now)
  if (refused) throw refused
  const accepts = meal.acknowledged === true && known.meal.acknowledged !== true
  if (isSameMeal(known.meal, meal) && known.meal.price === meal.price && !accepts) return []
  const tooMany = tooManyChanges(known.changes.size)
  if (tooMany) throw tooMany
  // A higher price would take the payer's credit.
  if (known.userId !== member.userId && meal.price > known.meal.price) throw refusal('payer_only')
  const at = now.toISOString()
  return [events.orderChanged({ orderId, changeId, by: 'parent', meal, old: known.meal, at })]
}

const asFamilySees = ({ status, placedAt, substituted }: ReturnType<typeof ownOrder>) => ({
  status,
  substituted,
  placedAt: new Date(placedAt),
})

type Choice = Pick<OrderedMeal, 'category' | 'sideDish' | 'comments'> & { item: { id: number } }

/** Same food; the price may differ. */
export const isSameMeal = (one: Choice, other: Choice): boolean =>
  one.item.id === other.item.id &&
  one.category === other.category &&
  one.sideDish === other.sideDish &&
  one.comments === other.comments
