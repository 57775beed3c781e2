import { Map as ImmutableMap, OrderedMap } from 'immutable'
import { eventReader, type EventOf } from '#kernel/event'
import { lunchId, orderIdOf, parseOrderId, type Lunch } from '#kernel/id'
import { moneyOf } from '#kernel/meal-line'
import type { Ngwee } from '#kernel/money'
import { refusal } from '../refusals'
import * as events from './events'
import { isMarkEvent, marksAfter, noMarks, markEventTypes, type LunchMarks } from './lunch-marks'
import { changedOrder, isListed, placedOrder, type Order, type OrderEvent, type OrderedMeal } from './order'

const slotEventTypes = [...Object.values(events), ...markEventTypes]
export type SlotEvent = EventOf<(typeof slotEventTypes)[number]>
export const readSlotEvent = eventReader(...slotEventTypes)

/** An order, and what is remembered of it for decisions alone. */
export type SlotOrder = Order & {
  meal: OrderedMeal
  /** Meals by the act that chose them. */
  meals: ImmutableMap<string, OrderedMeal>
  /** Of its date, whatever its dish's lead days. */
  dayCutoffAt: string
  actId: string | null
  refundBegun: boolean
  /** The transfer that pays, and its amount. */
  paidBy: string | null
  paidLater: Ngwee | null
  received: Ngwee
  marks: LunchMarks
}

/** One lunch of a child: its orders in the order of placing, the last active one holds the day. `tries` counts reservations, and orders without one. */
export type MealSlot = {
  orders: OrderedMap<string, SlotOrder>
  reservation: { attemptId: string; until: string } | null
  tries: number
  /** Orders of other days that were moved here, by the id they got here. */
  guests: ImmutableMap<string, string>
}

export const freeSlot: MealSlot = {
  orders: OrderedMap(),
  reservation: null,
  tries: 0,
  guests: ImmutableMap(),
}

export const isActive = <Known extends Pick<Order, 'status'>>(
  known: Known,
): known is Known & { status: 'pending' | 'completed' } =>
  known.status === 'pending' || known.status === 'completed'

export const ordersOf = ({ orders }: MealSlot): readonly SlotOrder[] => [...orders.values()]

/** An order that was moved stands on another day than its stream's. */
export const isAway = ({ id, kitchen_id }: Pick<Order, 'id' | 'kitchen_id'>): boolean => kitchen_id !== id

export const standingOrder = ({ orders }: MealSlot): SlotOrder | undefined =>
  orders.findLast((order) => isActive(order) && order.kitchen_id === order.id)

export const dayOfOrder = ({ kitchen_id }: Pick<Order, 'kitchen_id'>): Lunch =>
  parseOrderId(kitchen_id)!.lunch

/** Orders of `home` that stand on another day, as a slot of that day. */
export const awayOn = (home: MealSlot, lunch: Lunch): MealSlot => ({
  ...freeSlot,
  orders: home.orders
    .filter((order) => isAway(order) && lunchId(dayOfOrder(order)) === lunchId(lunch))
    .map((order) => ({ ...order, kitchen_id: order.id })),
})

export const nextOrderId = (lunch: Lunch, { orders, guests }: MealSlot): string =>
  orderIdOf(lunch, orders.size + guests.size + 1)

export const orderOfLine = ({ orders }: MealSlot, attemptId: string, index: number): SlotOrder | undefined =>
  orders.find(({ attempt_id, line }) => attempt_id === attemptId && line === index)

export const slotStream = (lunch: Lunch): string => `mealSlot-${lunchId(lunch)}`

export const evolve = (slot: MealSlot, event: SlotEvent): MealSlot => {
  switch (event.type) {
    case events.lunchReserved.type: {
      const { attemptId, until } = event.data
      return { ...slot, reservation: { attemptId, until }, tries: slot.tries + 1 }
    }
    case events.reservationReleased.type:
      return { ...slot, reservation: null }
    case events.lunchOrdered.type: {
      const { orderId, attemptId } = event.data
      const wasReserved = slot.reservation?.attemptId === attemptId
      return {
        ...slot,
        orders: slot.orders.set(orderId, placedInSlot(event.data)),
        reservation: null,
        tries: wasReserved ? slot.tries : slot.tries + 1,
      }
    }
    case events.lunchMovedHere.type: {
      const { as, orderId, changeId: attemptId, until } = event.data
      const guests = slot.guests.set(as, orderId)
      return { ...slot, guests, reservation: { attemptId, until }, tries: slot.tries + 1 }
    }
    default: {
      const known = slot.orders.get(event.data.orderId)
      if (!known) return slot
      const after = { ...changedOrder(known, event), ...keptAfter(known, event) }
      return { ...slot, orders: slot.orders.set(known.id, after) }
    }
  }
}

type Kept = Omit<SlotOrder, keyof Order>

const placedInSlot = (data: EventOf<typeof events.lunchOrdered>['data']): SlotOrder =>
  Object.assign(placedOrder(data), {
    meal: mealOf(data),
    meals: ImmutableMap<string, OrderedMeal>(),
    dayCutoffAt: data.dayCutoffAt ?? data.cutoffAt,
    actId: null,
    refundBegun: false,
    paidBy: null,
    paidLater: null,
    received: data.paymentStatus === 'confirmed' ? (data.received ?? moneyOf(data)) : 0,
    marks: noMarks,
  })

const keptAfter = (known: SlotOrder, event: OrderEvent): Partial<Kept> => {
  if (isMarkEvent(event)) return { marks: marksAfter(known, event) }
  switch (event.type) {
    case events.orderCancelled.type:
      return { actId: event.data.actId ?? null }
    case events.orderReopened.type:
      return { actId: null, marks: { ...known.marks, completedBy: null } }
    case events.orderPaymentConfirmed.type:
      return { paidBy: event.data.transferId ?? null, paidLater: toPayOf(known), received: toPayOf(known) }
    case events.orderPaymentUndone.type:
      return { paidBy: null, paidLater: null, received: 0 }
    case events.orderChanged.type:
      return {
        meal: event.data.meal,
        meals: known.meals.set(event.data.changeId, event.data.meal),
        dayCutoffAt: event.data.closes?.dayCutoffAt ?? event.data.closes?.cutoffAt ?? known.dayCutoffAt,
        ...(event.data.moved && { marks: { ...noMarks, answers: known.marks.answers } }),
      }
    case events.absenceMarked.type:
      return { marks: { ...known.marks, absenceEndedBy: null } }
    case events.orderRefundBegun.type:
    case events.orderRefundStillOwed.type:
      return { refundBegun: true }
    case events.orderRefundFailed.type:
      return { refundBegun: false }
    default:
      return {}
  }
}

const mealOf = (line: OrderedMeal): OrderedMeal => ({
  item: line.item,
  category: line.category,
  sideDish: line.sideDish,
  comments: line.comments,
  originalPrice: line.originalPrice,
  price: line.price,
  discountPercentage: line.discountPercentage,
  ...(line.sponsor !== undefined && { sponsor: line.sponsor }),
  ...(line.acknowledged && { acknowledged: line.acknowledged }),
  ...(line.limited && { limited: line.limited }),
})

export const toPayOf = ({ price, credit }: Pick<Order, 'price' | 'credit'>): Ngwee =>
  Math.max(0, price - credit)

export const latestOrder = ({ orders }: MealSlot): SlotOrder | undefined =>
  orders.findLast((order) => isListed(order) && !isAway(order))

/** Throws `order_not_found` for a withdrawn one too. */
export const orderOf = ({ orders }: MealSlot, orderId: string) => {
  const known = orders.get(orderId)
  if (!known || !isListed(known)) throw refusal('order_not_found')
  return known
}

/** `isGuardian`: of the order's child. `hasMoved`: the child has other guardians. */
export type FamilyMember = { userId: number; isGuardian?: boolean; hasMoved?: boolean }

/** A child without guardians stays with the payer. */
export const hasMovedFrom = (userId: number, guardians: readonly number[] = []): boolean =>
  guardians.length > 0 && !guardians.includes(userId)

export const familyMember = (userId: number, guardians: readonly number[] = []): FamilyMember => ({
  userId,
  isGuardian: guardians.includes(userId),
  hasMoved: hasMovedFrom(userId, guardians),
})

/** An order goes with its child. */
export const isTheirs = (
  known: Pick<SlotOrder, 'user_id'>,
  { userId, isGuardian, hasMoved }: FamilyMember,
): boolean => isGuardian === true || (known.user_id === userId && hasMoved !== true)

/** For guardians, or the payer of a child without any; otherwise not found. */
export const ownOrder = (slot: MealSlot, orderId: string, member: FamilyMember) => {
  const known = orderOf(slot, orderId)
  if (!isTheirs(known, member)) throw refusal('order_not_found')
  return known
}

export const closedOrderCode = ({ status }: Pick<SlotOrder, 'status'>) =>
  status === 'refunded' ? 'already_refunded' : 'already_cancelled'

export const slotConflict = (
  slot: MealSlot,
  attemptId: string,
  now: Date,
): 'already_ordered' | 'day_reserved' | null => {
  const standing = standingOrder(slot)
  if (standing) return standing.attempt_id === attemptId ? null : 'already_ordered'
  const { reservation } = slot
  if (reservation && reservation.attemptId !== attemptId && new Date(reservation.until) > now)
    return 'day_reserved'
  return null
}

const keptMs = 60_000

/** In the stream of the day that a moved order stands on: append it before what moves it there, and alone. */
export const claimOf = (
  order: Order,
  { changeId, now }: { changeId: string; now: Date },
): EventOf<typeof events.lunchMovedHere> => {
  const { id: orderId, kitchen_id: as, cycle_id: cycleId, student_id: studentId, week, day } = order
  const until = new Date(now.getTime() + keptMs).toISOString()
  const about = { slot: { cycleId, studentId, week, day }, mealDate: order.meal_date, orderId, as }
  return events.lunchMovedHere({ ...about, changeId, until, at: now.toISOString() })
}

const maxTries = 30

/** Too many tries: the office must order. Own tries count. */
export const isTriedTooOften = (slot: MealSlot, attemptId: string): boolean =>
  !standingOrder(slot) && slot.reservation?.attemptId !== attemptId && slot.tries >= maxTries
