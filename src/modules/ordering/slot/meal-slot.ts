import { eventReader, type EventOf } from '#kernel/event'
import { lunchId, type Lunch } from '#kernel/id'
import type { Ngwee } from '#kernel/money'
import * as events from './events'
import { isMarkEvent, marksAfter, noMarks, type LunchMarks, type MarkEvent } from './lunch-marks'
import * as markEvents from './mark-events'

const slotEventTypes = [...Object.values(events), ...Object.values(markEvents)]
export type SlotEvent = EventOf<(typeof slotEventTypes)[number]>
export const readSlotEvent = eventReader(...slotEventTypes)

/** What is eaten, and for how much. */
export type OrderedMeal = EventOf<typeof events.orderChanged>['data']['meal']

type Placed = {
  id: string
  attemptId: string
  index: number
  userId: number
  placedAt: string
  cutoffAt: string
  paymentStatus: 'confirmed' | 'pending'
  /** When it lapses unless it is paid for, where the school lets unpaid meals lapse; null: it stays. */
  lapsesAt: string | null
  /** It was cancelled, and what was paid for it goes back as credit and not as money. */
  asCredit: boolean
  /** It was cancelled because nobody had paid for it at the cutoff of its day. */
  lapsed: boolean
  /** The closure of the day that cancelled it. */
  closureId?: string | undefined
  meal: OrderedMeal
  /** What of its price the family's credit paid at its checkout. */
  credit: Ngwee
  /** What was paid when its alternative payment was confirmed; null for one that was not paid that way. */
  paidLater: Ngwee | null
  /** The transfer that paid for it; null for one that was not paid by a transfer, or was confirmed without one. */
  paidBy: string | null
  /** The meals that it was changed to, by the act of changing it. */
  changes: ReadonlyMap<string, OrderedMeal>
  /** The office gave it another meal than was ordered. */
  substituted: boolean
  /** What the absence of the child gives back as credit, in ngwee; null when it is there. */
  absenceCredit: Ngwee | null
  /** What was told of it at the hatch. */
  marks: LunchMarks
}
type ActiveOrder = Placed & { status: 'pending' | 'completed' }
type PastOrder = Placed & { status: 'cancelled' | 'refunded' | 'withdrawn' }

/** One child's lunch on one date; `past` are its orders that no longer hold the day. */
export type MealSlot =
  | { status: 'free'; past: readonly PastOrder[] }
  | { status: 'reserved'; attemptId: string; until: string; past: readonly PastOrder[] }
  | { status: 'ordered'; order: ActiveOrder; past: readonly PastOrder[] }

export const freeSlot: MealSlot = { status: 'free', past: [] }

/** Every order the slot has had, withdrawn ones too; the active one last. */
export const ordersOf = (slot: MealSlot): readonly (PastOrder | ActiveOrder)[] =>
  slot.status === 'ordered' ? [...slot.past, slot.order] : slot.past

/** The order that this line of this attempt became; undefined while it has not. */
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
      }
    case events.reservationReleased.type:
      return slot.status === 'reserved' ? { status: 'free', past: slot.past } : slot
    case events.lunchOrdered.type:
      return { status: 'ordered', order: placed(event.data), past: slot.past }
    case events.orderCompleted.type:
      return withOrder(slot, event.data.orderId, (order) => ({ ...order, status: 'completed' }))
    case events.orderReopened.type:
      return reopened(slot, event.data)
    case events.orderCancelled.type:
      return withoutOrder(slot, event.data.orderId, {
        status: 'cancelled',
        asCredit: event.data.remedy === 'credit',
        lapsed: event.data.by === 'system',
        closureId: event.data.closureId,
      })
    case events.orderWithdrawn.type:
      return withoutOrder(slot, event.data.orderId, { status: 'withdrawn' })
    case events.orderPaymentConfirmed.type:
      return withOrder(slot, event.data.orderId, (order) => paidFor(order, event.data.transferId ?? null))
    case events.orderPaymentUndone.type:
      return withPayment(slot, event.data.orderId, unpaid)
    case events.orderChanged.type:
      return withOrder(slot, event.data.orderId, (order) => changed(order, event.data))
    case events.absenceMarked.type:
      return withOrder(slot, event.data.orderId, (order) => ({ ...order, absenceCredit: event.data.credit }))
    case events.absenceTakenBack.type:
      return withOrder(slot, event.data.orderId, (order) => ({ ...order, absenceCredit: null }))
    case events.orderRefunded.type:
      return { ...slot, past: slot.past.map((order) => refunded(order, event.data.orderId)) }
  }
}

const placed = (data: EventOf<typeof events.lunchOrdered>['data']): ActiveOrder => ({
  id: data.orderId,
  attemptId: data.attemptId,
  index: data.index,
  userId: data.userId,
  placedAt: data.at,
  cutoffAt: data.cutoffAt,
  paymentStatus: data.paymentStatus,
  lapsesAt: data.cutoffAt,
  asCredit: false,
  lapsed: false,
  meal: mealOf(data),
  credit: data.credit ?? 0,
  paidLater: null,
  paidBy: null,
  changes: new Map(),
  substituted: false,
  absenceCredit: null,
  marks: noMarks,
  status: 'pending',
})

const mealOf = (line: OrderedMeal): OrderedMeal => ({
  item: line.item,
  category: line.category,
  sideDish: line.sideDish,
  comments: line.comments,
  originalPrice: line.originalPrice,
  price: line.price,
  discountPercentage: line.discountPercentage,
  ...(line.acknowledged && { acknowledged: line.acknowledged }),
})

const changed = (
  order: ActiveOrder,
  { changeId, meal, by }: EventOf<typeof events.orderChanged>['data'],
): ActiveOrder => ({
  ...order,
  meal,
  substituted: order.substituted || by === 'administrator',
  changes: new Map(order.changes).set(changeId, meal),
})

const paidFor = (order: ActiveOrder, paidBy: string | null): ActiveOrder => ({
  ...order,
  paymentStatus: 'confirmed',
  paidLater: toPayOf(order),
  paidBy,
})

const unpaid = { paymentStatus: 'pending', paidLater: null, paidBy: null } as const

/** The payment of a cancelled order can be undone too. */
const withPayment = (slot: MealSlot, id: string, payment: typeof unpaid): MealSlot => ({
  ...withOrder(slot, id, (order) => ({ ...order, ...payment })),
  past: slot.past.map((order) => (order.id === id ? { ...order, ...payment } : order)),
})

/** What of an order's price is to be paid with money. */
export const toPayOf = ({ meal, credit }: Pick<Placed, 'meal' | 'credit'>): Ngwee =>
  Math.max(0, meal.price - credit)

const withOrder = (slot: MealSlot, id: string, change: (order: ActiveOrder) => ActiveOrder): MealSlot =>
  slot.status === 'ordered' && slot.order.id === id ? { ...slot, order: change(slot.order) } : slot

const withoutOrder = (
  slot: MealSlot,
  id: string,
  ending: Pick<PastOrder, 'status'> & Partial<Pick<PastOrder, 'asCredit' | 'lapsed' | 'closureId'>>,
): MealSlot =>
  slot.status === 'ordered' && slot.order.id === id
    ? { status: 'free', past: [...slot.past, { ...slot.order, ...ending }] }
    : slot

const reopened = (
  slot: MealSlot,
  { orderId: id, at }: EventOf<typeof events.orderReopened>['data'],
): MealSlot => {
  const order = slot.past.find((past) => past.id === id)
  if (!order) return withOrder(slot, id, (standing) => pendingAgain(standing, at))
  return {
    status: 'ordered',
    order: { ...pendingAgain(order, at), asCredit: false, lapsed: false, closureId: undefined },
    past: slot.past.filter((past) => past.id !== id),
  }
}

const pendingAgain = (order: ActiveOrder | PastOrder, at: string): ActiveOrder => ({
  ...order,
  status: 'pending',
  lapsesAt: lapsesAfterReopening(order.lapsesAt, at),
  marks: { ...order.marks, completedBy: null },
})

/** What the office places again once it could have lapsed stays, until somebody cancels it. */
export const lapsesAfterReopening = <At extends string | Date>(
  lapsesAt: At | null,
  reopenedAt: string,
): At | null => (lapsesAt !== null && new Date(reopenedAt) < new Date(lapsesAt) ? lapsesAt : null)

/** What is told of an order that was cancelled is refused, and answered as refused ever after. */
const marked = (slot: MealSlot, event: MarkEvent): MealSlot => {
  const { orderId } = event.data
  const after = <Known extends ActiveOrder | PastOrder>(order: Known): Known => ({
    ...order,
    marks: marksAfter(order.marks, event, order.status === 'pending'),
  })
  const past = slot.past.map((order) => (order.id === orderId ? after(order) : order))
  return { ...withOrder(slot, orderId, after), past }
}

const refunded = (order: PastOrder, id: string): PastOrder =>
  order.id === id ? { ...order, status: 'refunded' } : order
