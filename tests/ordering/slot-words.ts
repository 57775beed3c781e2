import type { OrderChange } from '#modules/ordering/orders/order-batch.decide'
import {
  lunchMovedHere,
  lunchReserved,
  orderChanged,
  orderCancelled,
  orderCompleted,
  orderRefunded,
  orderWithdrawn,
} from '#modules/ordering/slot/events'
import {
  evolve,
  freeSlot,
  standingOrder,
  type MealSlot,
  type SlotEvent,
} from '#modules/ordering/slot/meal-slot'
import { mealSlot, type SlotCommand } from '#modules/ordering/slot/meal-slot.decide'
import { isListed, type OrderRow } from '#modules/ordering/slot/order'
import { specificationOf } from '../support/given-when-then'
import { after, attempt, mary, monday7, tuesdayBy, tuesdayMeal, tuesdayPlace } from './lunches'

/** The words in which the specs of a meal slot are told; minutes count from Monday at seven. */
export const slot = specificationOf(mealSlot)
/** An order as lists show it after these events of its slot. */
export const orderFrom = (events: readonly SlotEvent[], orderId: string): OrderRow | null => {
  const order = events.reduce(evolve, freeSlot).orders.get(orderId)
  return order && isListed(order) ? order : null
}
/** Who has the day, in one word. */
export const dayOf = (slot: MealSlot) => {
  const order = standingOrder(slot)
  if (order) return { status: 'ordered' as const, order }
  const { reservation } = slot
  return reservation ? { status: 'reserved' as const, ...reservation } : { status: 'free' as const }
}
/** The id of the slot's first order. */
export const first = '118.2026-09-15.1'
export const iso = (minutes: number) => after(monday7, minutes).toISOString()

export const reserved = (untilMinute: number, attemptId = attempt) =>
  lunchReserved({ ...tuesdayPlace, attemptId, until: iso(untilMinute), at: iso(0) })
export const completed = (at = 1) => orderCompleted({ orderId: first, at: iso(at) })
export const cancelled = (orderId = first, at = 1) =>
  orderCancelled({ orderId, by: 'parent', afterCutoff: false, at: iso(at) })
/** By the office, when the kitchen may have cooked it. */
export const cancelledLate = (more: { remedy?: 'credit'; by?: 'administrator' | 'system' } = {}) =>
  orderCancelled({ orderId: first, by: 'administrator', ...more, afterCutoff: true, at: iso(25 * 60) })
export const withdrawn = (orderId = first, at = 1) => orderWithdrawn({ orderId, at: iso(at) })
export const refunded = (at = 2) => orderRefunded({ orderId: first, at: iso(at) })

export const order = (minute: number, attemptId = attempt): SlotCommand => ({
  kind: 'order',
  attemptId,
  userId: mary,
  line: tuesdayMeal,
  paymentStatus: 'confirmed',
  now: after(monday7, minute),
})
export const reserve = (minute: number, untilMinute: number, attemptId = attempt): SlotCommand => ({
  kind: 'reserve',
  meal: tuesdayPlace,
  attemptId,
  until: iso(untilMinute),
  now: after(monday7, minute),
})
export const release = (attemptId = attempt): SlotCommand => ({
  kind: 'release',
  meal: tuesdayPlace,
  attemptId,
  now: after(monday7, 5),
})
export const withdraw = (attemptId = attempt): SlotCommand => ({
  kind: 'withdraw',
  attemptId,
  now: after(monday7, 1),
})
export const onOrder = (
  kind: 'complete' | 'reopen' | 'refund',
  orderId = first,
  minute = 1,
): SlotCommand => ({ kind, orderId, now: after(monday7, minute) })
export const parentCancels = (now: Date, userId = mary, orderId = first, day = tuesdayBy()): SlotCommand => ({
  kind: 'cancel',
  orderId,
  by: { role: 'parent', userId, day },
  now,
})
export const officeCancels = (now: Date): SlotCommand => ({
  kind: 'cancel',
  orderId: first,
  by: { role: 'administrator' },
  now,
})

const { item, category, sideDish, comments, originalPrice, price, discountPercentage } = tuesdayMeal
/** What Mary ordered first, and a cheaper stew without anything beside it. */
export const nshimaMeal = { item, category, sideDish, comments, originalPrice, price, discountPercentage }
export const stewMeal: typeof nshimaMeal = {
  item: { id: 4, name: 'Stew', type: 'secondary' },
  category: null,
  sideDish: null,
  comments: '',
  originalPrice: 3000,
  price: 2700,
  discountPercentage: 10,
}
export const changeId = '0199c0de-0000-7000-8000-0000000000d1'
export const changedToStew = orderChanged({
  orderId: first,
  changeId,
  by: 'parent',
  meal: stewMeal,
  old: nshimaMeal,
  at: iso(1),
})

const thursday = { cycleId: 7, studentId: 118, week: 1, day: 4 }
export const toThursday = {
  from: '2026-09-15',
  slot: thursday,
  mealDate: '2026-09-17',
  as: '118.2026-09-17.1',
}
export const thursdayCloses = { cutoffAt: '2026-09-17T06:00:00.000Z' }
export const movedToThursday = orderChanged({
  orderId: first,
  changeId,
  by: 'parent',
  meal: nshimaMeal,
  old: nshimaMeal,
  closes: thursdayCloses,
  moved: toThursday,
  at: iso(1),
})
/** The day that it comes to, by its own stream. */
export const comesOnThursday = lunchMovedHere({
  slot: thursday,
  mealDate: '2026-09-17',
  orderId: first,
  as: toThursday.as,
  changeId,
  until: iso(2),
  at: iso(1),
})

export const transferId = '0199a000-0000-7000-8000-000000000020'
/** A transfer pays for the order, in the next minute unless told otherwise. */
export const pays = (more: Partial<Extract<SlotCommand, { kind: 'confirm-payment' }>> = {}): SlotCommand => ({
  kind: 'confirm-payment',
  orderId: first,
  transferIds: [transferId],
  amount: tuesdayMeal.price,
  restorable: false,
  byHand: false,
  proof: 'statement',
  now: after(monday7, 1),
  ...more,
})
/** What the same is as a change of some orders. */
export const payFor = (
  orderIds: readonly string[],
  amount = tuesdayMeal.price,
): Extract<OrderChange, { kind: 'pay' }> => ({
  kind: 'pay',
  transferIds: [transferId],
  amounts: new Map(orderIds.map((id) => [id, amount])),
  restorable: new Set(),
  byHand: false,
  proof: 'statement',
})
