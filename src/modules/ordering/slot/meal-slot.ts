import { Map as ImmutableMap, OrderedMap } from 'immutable'
import { eventReader, type EventOf } from '#kernel/event'
import { lunchId, type Lunch } from '#kernel/id'
import { portionKeptUntil } from '#kernel/meal-line'
import type { Ngwee } from '#kernel/money'
import * as events from './events'
import {
  isMarkEvent,
  marksAfter,
  noMarks,
  markEventTypes,
  type LunchMarks,
  type MarkEvent,
} from './lunch-marks'

const slotEventTypes = [...Object.values(events), ...markEventTypes]
export type SlotEvent = EventOf<(typeof slotEventTypes)[number]>
export const readSlotEvent = eventReader(...slotEventTypes)

export type OrderedMeal = EventOf<typeof events.orderChanged>['data']['meal']

type Placed = {
  id: string
  attemptId: string
  index: number
  userId: number
  student: string
  placedAt: string
  cutoffAt: string
  late: boolean
  paymentStatus: 'confirmed' | 'pending'
  lapsesAt: string | null
  portionUntil: string | null
  asCredit: boolean
  refundBegun: boolean
  lapsed: 'cutoff' | 'portion' | null
  cancelledLate: boolean
  closureId?: string | undefined
  actId?: string | undefined
  meal: OrderedMeal
  credit: Ngwee
  paidLater: Ngwee | null
  paidBy: string | null
  paidByHand: boolean
  changes: ImmutableMap<string, OrderedMeal>
  substituted: boolean
  absenceCredit: Ngwee | null
  absencesTold: number
  marks: LunchMarks
}
type ActiveOrder = Placed & { status: 'pending' | 'completed' }
type PastOrder = Placed & { status: 'cancelled' | 'refunded' | 'withdrawn' }

type PastOrders = OrderedMap<string, PastOrder>

/** `past` orders no longer hold the day. `tries` counts reservations, and orders without one. */
export type MealSlot = { past: PastOrders; tries: number } & (
  | { status: 'free' }
  | { status: 'reserved'; attemptId: string; until: string }
  | { status: 'ordered'; order: ActiveOrder }
)

export const freeSlot: MealSlot = { status: 'free', past: OrderedMap(), tries: 0 }

export const ordersOf = (slot: MealSlot): readonly (PastOrder | ActiveOrder)[] =>
  slot.status === 'ordered' ? [...slot.past.values(), slot.order] : [...slot.past.values()]

export const orderOfLine = (slot: MealSlot, attemptId: string, index: number) =>
  ordersOf(slot).find((order) => order.attemptId === attemptId && order.index === index)

export const slotStream = (lunch: Lunch): string => `mealSlot-${lunchId(lunch)}`

export const evolve = (slot: MealSlot, event: SlotEvent): MealSlot => {
  if (isMarkEvent(event)) return marked(slot, event)
  switch (event.type) {
    case events.lunchReserved.type:
      return {
        status: 'reserved',
        attemptId: event.data.attemptId,
        until: event.data.until,
        past: slot.past,
        tries: slot.tries + 1,
      }
    case events.reservationReleased.type:
      return slot.status === 'reserved' ? { status: 'free', past: slot.past, tries: slot.tries } : slot
    case events.lunchOrdered.type: {
      const wasReserved = slot.status === 'reserved' && slot.attemptId === event.data.attemptId
      const tries = wasReserved ? slot.tries : slot.tries + 1
      return { status: 'ordered', order: placed(event.data), past: slot.past, tries }
    }
    case events.orderCompleted.type:
      return withOrder(slot, event.data.orderId, (order) => ({ ...order, status: 'completed' }))
    case events.orderReopened.type:
      return reopened(slot, event.data)
    case events.orderCancelled.type:
      return withoutOrder(slot, event.data.orderId, {
        status: 'cancelled',
        asCredit: event.data.remedy === 'credit',
        lapsed: event.data.by === 'system' ? lapsedAt(event.data.afterCutoff) : null,
        cancelledLate: event.data.afterCutoff,
        closureId: event.data.closureId,
        actId: event.data.actId,
      })
    case events.orderWithdrawn.type:
      return withoutOrder(slot, event.data.orderId, { status: 'withdrawn' })
    case events.orderPaymentConfirmed.type:
      return withOrder(slot, event.data.orderId, (order) => paidFor(order, event.data))
    case events.orderPaymentUndone.type:
      return withPayment(slot, event.data.orderId, unpaidAgain)
    case events.orderChanged.type:
      return withOrder(slot, event.data.orderId, (order) => changed(order, event.data))
    case events.absenceMarked.type:
      return withOrder(slot, event.data.orderId, (order) => ({
        ...order,
        absenceCredit: event.data.credit,
        absencesTold: absencesToldAfter(order),
        marks: { ...order.marks, absenceEndedBy: null },
      }))
    case events.absenceTakenBack.type:
      return withOrder(slot, event.data.orderId, (order) => ({
        ...order,
        absenceCredit: null,
        absencesTold: absencesToldAfter(order),
      }))
    case events.orderRefundBegun.type:
      return withPast(slot, event.data.orderId, { refundBegun: true })
    case events.orderRefundFailed.type:
      return withPast(slot, event.data.orderId, { refundBegun: false })
    case events.orderRefundStillOwed.type:
      return withPast(slot, event.data.orderId, { status: 'cancelled', refundBegun: true })
    case events.orderRefunded.type:
      return withPast(slot, event.data.orderId, { status: 'refunded' })
  }
}

const placed = (data: EventOf<typeof events.lunchOrdered>['data']): ActiveOrder => ({
  id: data.orderId,
  attemptId: data.attemptId,
  index: data.index,
  userId: data.userId,
  student: data.student.name,
  placedAt: data.at,
  cutoffAt: data.cutoffAt,
  late: data.late === true,
  paymentStatus: data.paymentStatus,
  lapsesAt: data.late ? null : (data.lapsesAt ?? data.cutoffAt),
  portionUntil: data.paymentStatus === 'pending' ? portionKeptUntil(data, data.at) : null,
  asCredit: false,
  refundBegun: false,
  lapsed: null,
  cancelledLate: false,
  meal: mealOf(data),
  credit: data.credit ?? 0,
  paidLater: null,
  paidBy: null,
  paidByHand: false,
  changes: ImmutableMap(),
  substituted: false,
  absenceCredit: null,
  absencesTold: 0,
  marks: noMarks,
  status: 'pending',
})

/** Changes by the hatch do not count as the family's. */
const absencesToldAfter = ({ absencesTold, marks }: ActiveOrder): number =>
  marks.absenceEndedBy === null ? absencesTold + 1 : absencesTold

const mealOf = (line: OrderedMeal): OrderedMeal => ({
  item: line.item,
  category: line.category,
  sideDish: line.sideDish,
  comments: line.comments,
  originalPrice: line.originalPrice,
  price: line.price,
  discountPercentage: line.discountPercentage,
  ...(line.acknowledged && { acknowledged: line.acknowledged }),
  ...(line.limited && { limited: line.limited }),
})

const changed = (
  order: ActiveOrder,
  { changeId, meal, by, at }: EventOf<typeof events.orderChanged>['data'],
): ActiveOrder => ({
  ...order,
  meal,
  portionUntil: portionAfterChange(order.portionUntil, order.cutoffAt, { meal, by, at }),
  substituted: order.substituted || by === 'administrator',
  changes: order.changes.set(changeId, meal),
})

/** Keeps the running time for another limited meal, starts it for the first; meals from the office do not expire. */
export const portionAfterChange = <At extends string | Date>(
  portionUntil: At | null,
  cutoffAt: string | Date,
  { meal: { limited }, by, at }: Pick<EventOf<typeof events.orderChanged>['data'], 'meal' | 'by' | 'at'>,
): At | string | null =>
  limited && by === 'parent'
    ? (portionUntil ?? portionKeptUntil({ limited, cutoffAt: new Date(cutoffAt).toISOString() }, at))
    : null

const paidFor = (
  order: ActiveOrder,
  { transferId, byHand }: EventOf<typeof events.orderPaymentConfirmed>['data'],
): ActiveOrder => ({
  ...order,
  paymentStatus: 'confirmed',
  paidLater: toPayOf(order),
  paidBy: transferId ?? null,
  paidByHand: byHand === true,
})

// After an undone payment the portion stays: the family was told it is theirs.
const unpaidAgain = { paymentStatus: 'pending', paidLater: null, paidBy: null, portionUntil: null } as const

/** Also for a cancelled order. */
const withPayment = (slot: MealSlot, id: string, payment: typeof unpaidAgain): MealSlot => ({
  ...withOrder(slot, id, (order) => ({ ...order, ...payment })),
  past: changedIn(slot.past, id, (order) => ({ ...order, ...payment })),
})

export const toPayOf = ({ meal, credit }: Pick<Placed, 'meal' | 'credit'>): Ngwee =>
  Math.max(0, meal.price - credit)

const withOrder = (slot: MealSlot, id: string, change: (order: ActiveOrder) => ActiveOrder): MealSlot =>
  slot.status === 'ordered' && slot.order.id === id ? { ...slot, order: change(slot.order) } : slot

const changedIn = (past: PastOrders, id: string, change: (order: PastOrder) => PastOrder): PastOrders => {
  const order = past.get(id)
  return order ? past.set(id, change(order)) : past
}

const withoutOrder = (
  slot: MealSlot,
  id: string,
  ending: Pick<PastOrder, 'status'> &
    Partial<Pick<PastOrder, 'asCredit' | 'lapsed' | 'cancelledLate' | 'closureId' | 'actId'>>,
): MealSlot =>
  slot.status === 'ordered' && slot.order.id === id
    ? { status: 'free', past: slot.past.set(id, { ...slot.order, ...ending }), tries: slot.tries }
    : slot

const reopened = (
  slot: MealSlot,
  { orderId: id, at }: EventOf<typeof events.orderReopened>['data'],
): MealSlot => {
  const order = slot.past.get(id)
  if (!order) return withOrder(slot, id, (standing) => pendingAgain(standing, at))
  return {
    status: 'ordered',
    order: {
      ...pendingAgain(order, at),
      asCredit: false,
      lapsed: null,
      cancelledLate: false,
      closureId: undefined,
      actId: undefined,
    },
    past: slot.past.delete(id),
    tries: slot.tries,
  }
}

const pendingAgain = (order: ActiveOrder | PastOrder, at: string): ActiveOrder => ({
  ...order,
  status: 'pending',
  lapsesAt: lapsesAfterReopening(order.lapsesAt, at),
  portionUntil: lapsesAfterReopening(order.portionUntil, at),
  marks: { ...order.marks, completedBy: null },
})

const lapsedAt = (afterCutoff: boolean) => (afterCutoff ? ('cutoff' as const) : ('portion' as const))

/** A reopened order that could have lapsed stays until cancelled. */
export const lapsesAfterReopening = <At extends string | Date>(
  lapsesAt: At | null,
  reopenedAt: string,
): At | null => (lapsesAt !== null && new Date(reopenedAt) < new Date(lapsesAt) ? lapsesAt : null)

/** Marks of a cancelled order are refused, and repeat that answer. */
const marked = (slot: MealSlot, event: MarkEvent): MealSlot => {
  const { orderId } = event.data
  const after = <Known extends ActiveOrder | PastOrder>(order: Known): Known => ({
    ...order,
    marks: marksAfter(order, event),
  })
  return { ...withOrder(slot, orderId, after), past: changedIn(slot.past, orderId, after) }
}

const withPast = (
  slot: MealSlot,
  id: string,
  change: Partial<Pick<PastOrder, 'status' | 'refundBegun'>>,
): MealSlot => ({
  ...slot,
  past: changedIn(slot.past, id, (order) => ({ ...order, ...change })),
})
