import type { PayBy } from '#contracts/ordering'
import { column, type RowOf } from '#kernel/column'
import type { EventOf } from '#kernel/event'
import { portionKeptUntil } from '#kernel/meal-line'
import type { Proof, Remedy } from '#kernel/money'
import * as events from './events'
import {
  absentAtHatch,
  isMarkEvent,
  lunchGiven,
  markNotKept,
  markUndone,
  problemAtHatch,
  type MarkEvent,
  type markEventTypes,
} from './lunch-marks'

type SlotEventType = (typeof events)[keyof typeof events] | (typeof markEventTypes)[number]
/** An event of one order; the others are about the day of a child. */
export type OrderEvent = Extract<EventOf<SlotEventType>, { data: { orderId: string } }>

export type OrderedMeal = EventOf<typeof events.orderChanged>['data']['meal']
type Moved = events.Moved

/** In ngwee, `price` after discount; instants are ISO text when folded, Date when read from `ordering.orders`. */
export const orderColumns = {
  id: column<string>('text'),
  /** For kitchen and hatch: another one while it stands on another day than it was ordered for. */
  kitchen_id: column<string>('text'),
  attempt_id: column<string>('uuid'),
  line: column<number>('integer'),
  user_id: column<number>('integer'),
  student_id: column<number>('integer'),
  student_name: column<string>('text'),
  student_grade: column<string>('text'),
  student_class: column<string | null>('text'),
  cycle_id: column<number>('integer'),
  week: column<number>('smallint'),
  day: column<number>('smallint'),
  meal_date: column<string>('date'),
  item_id: column<number>('integer'),
  item_name: column<string>('text'),
  item_type: column<'primary' | 'secondary'>('text'),
  category: column<string | null>('text'),
  side_dish: column<string | null>('text'),
  comments: column<string>('text'),
  original_price: column<number>('integer'),
  price: column<number>('integer'),
  credit: column<number>('integer'),
  discount_percentage: column<number>('double precision'),
  sponsor: column<string | null>('text'),
  /** `withdrawn`: its checkout could not place all lines, so it counts as never placed. */
  status: column<'pending' | 'completed' | 'cancelled' | 'refunded' | 'withdrawn'>('text'),
  /** Who completed it first, while it is complete. */
  completed_by: column<'kitchen' | 'hatch' | null>('text'),
  payment_status: column<'confirmed' | 'pending'>('text'),
  paid_by_hand: column<boolean>('boolean'),
  proof: column<Proof | null>('text'),
  pay_by: column<PayBy | null>('text'),
  placed_at: column<string | Date>('timestamptz'),
  cancelled_late: column<boolean>('boolean'),
  remedy: column<Remedy | null>('text'),
  closure_id: column<string | null>('uuid'),
  cutoff_at: column<string | Date>('timestamptz'),
  /** Ordered by the office after the cutoff. */
  late: column<boolean>('boolean'),
  lapses_at: column<string | Date | null>('timestamptz'),
  /** Portion of a limited item kept until then while unpaid; null: as long as the order. */
  portion_until: column<string | Date | null>('timestamptz'),
  lapsed: column<boolean>('boolean'),
  absent: column<boolean>('boolean'),
  /** Given once the meal is paid; 0 while present. */
  absence_credit: column<number>('integer'),
  /** The hatch ended the absence. */
  absence_ended: column<boolean>('boolean'),
  /** Times the family reported or took back an absence. */
  absences_told: column<number>('smallint'),
  changes: column<number>('smallint'),
  /** The hatch's mark and device time; null if not handed out. */
  given_mark: column<string | null>('uuid'),
  given_at: column<string | Date | null>('timestamptz'),
  /** What else the hatch marked; it stands while nothing is given. */
  noticed_kind: column<'absent' | 'problem' | null>('text'),
  noticed_mark: column<string | null>('uuid'),
  noticed_at: column<string | Date | null>('timestamptz'),
  substituted: column<boolean>('boolean'),
  acknowledged: column<boolean>('boolean'),
}
export type Order = RowOf<typeof orderColumns>

export type OrderRow = Order & { status: Exclude<Order['status'], 'withdrawn'> }

export const isListed = (order: Order): order is OrderRow => order.status !== 'withdrawn'

/** The one fold of an order, for every read model that keeps one. */
export const evolveOrder = (order: Order | null, event: OrderEvent): Order | null =>
  event.type === events.lunchOrdered.type ? placedOrder(event.data) : order && changedOrder(order, event)

export const changedOrder = <Known extends Order>(order: Known, event: OrderEvent): Known => ({
  ...order,
  ...(isMarkEvent(event) ? markedAs(order, event) : changeOf(order, event)),
})

const changeOf = (order: Order, event: Exclude<OrderEvent, MarkEvent>): Partial<Order> => {
  switch (event.type) {
    case events.orderCompleted.type:
      return { status: 'completed', completed_by: order.completed_by ?? 'kitchen' }
    case events.orderReopened.type:
      return reopenedAt(event.data.at, order)
    case events.orderCancelled.type:
      return {
        status: 'cancelled',
        cancelled_late: event.data.afterCutoff,
        remedy: event.data.remedy ?? 'refund',
        closure_id: event.data.closureId ?? null,
        lapsed: event.data.by === 'system',
      }
    case events.orderWithdrawn.type:
      return { status: 'withdrawn' }
    case events.orderPaymentConfirmed.type:
      return {
        payment_status: 'confirmed',
        paid_by_hand: event.data.byHand === true,
        proof: proofOf(event.data),
      }
    case events.orderPaymentProven.type:
      return { paid_by_hand: false, proof: 'statement' }
    case events.orderPaymentUndone.type:
      return { payment_status: 'pending', paid_by_hand: false, proof: null, portion_until: null }
    case events.orderChanged.type:
      return mealChanged(order, event.data)
    case events.absenceMarked.type: {
      const absence = { absent: true, absence_credit: event.data.credit, absence_ended: false }
      return { ...absence, absences_told: absencesToldAfter(order) }
    }
    case events.absenceTakenBack.type:
      return { absent: false, absence_credit: 0, absences_told: absencesToldAfter(order) }
    case events.orderRefundStillOwed.type:
      return { status: 'cancelled' }
    case events.orderRefunded.type:
      return { status: 'refunded' }
    case events.lunchOrdered.type:
    case events.lunchMovedHere.type:
    case events.orderRefundBegun.type:
    case events.orderRefundFailed.type:
      return {}
  }
}

const proofOf = ({ byHand, proof }: EventOf<typeof events.orderPaymentConfirmed>['data']): Proof =>
  proof ?? (byHand ? 'not on any statement' : 'statement')

const markedAs = (order: Order, { type, data }: MarkEvent): Partial<Order> => {
  switch (type) {
    case lunchGiven.type: {
      const given = { given_mark: data.markId, given_at: data.deviceAt }
      // It comes before the completion that it causes.
      const by = { completed_by: order.completed_by ?? ('hatch' as const) }
      return { ...given, ...by, absence_ended: order.absence_ended || order.absent }
    }
    case absentAtHatch.type:
      return noticedAs('absent', data)
    case problemAtHatch.type:
      return noticedAs('problem', data)
    case markUndone.type:
      return {
        ...(order.given_mark === data.undoes && { given_mark: null, given_at: null }),
        ...(order.noticed_mark === data.undoes && nothingNoticed),
      }
    case markNotKept.type:
      return {}
  }
}

const noticedAs = (
  kind: 'absent' | 'problem',
  { markId, deviceAt }: EventOf<typeof absentAtHatch>['data'],
) => ({ noticed_kind: kind, noticed_mark: markId, noticed_at: deviceAt })

const nothingNoticed = { noticed_kind: null, noticed_mark: null, noticed_at: null }

/** Changes by the hatch do not count as the family's. */
const absencesToldAfter = ({ absences_told: told, absence_ended: byHatch }: Order): number =>
  byHatch ? told : told + 1

/** Without a spread: the object of so many columns would be a slow one, and each copy of it. */
export const placedOrder = (data: EventOf<typeof events.lunchOrdered>['data']): Order => ({
  id: data.orderId,
  kitchen_id: data.orderId,
  attempt_id: data.attemptId,
  line: data.index,
  user_id: data.userId,
  student_id: data.slot.studentId,
  student_name: data.student.name,
  student_grade: data.student.grade,
  student_class: data.student.class ?? null,
  cycle_id: data.slot.cycleId,
  week: data.slot.week,
  day: data.slot.day,
  meal_date: data.mealDate,
  item_id: data.item.id,
  item_name: data.item.name,
  item_type: data.item.type,
  category: data.category,
  side_dish: data.sideDish,
  comments: data.comments,
  original_price: data.originalPrice,
  price: data.price,
  discount_percentage: data.discountPercentage,
  sponsor: data.sponsor ?? null,
  acknowledged: data.acknowledged === true,
  credit: data.credit ?? 0,
  status: 'pending',
  completed_by: null,
  payment_status: data.paymentStatus,
  paid_by_hand: false,
  proof: data.paymentStatus === 'confirmed' ? 'provider' : null,
  pay_by: data.payBy ?? null,
  placed_at: data.at,
  cancelled_late: false,
  remedy: null,
  closure_id: null,
  cutoff_at: data.cutoffAt,
  late: data.late === true,
  lapses_at: data.late ? null : (data.lapsesAt ?? data.cutoffAt),
  portion_until: data.paymentStatus === 'pending' ? portionKeptUntil(data, data.at) : null,
  lapsed: false,
  absent: false,
  absence_credit: 0,
  absence_ended: false,
  absences_told: 0,
  changes: 0,
  given_mark: null,
  given_at: null,
  noticed_kind: null,
  noticed_mark: null,
  noticed_at: null,
  substituted: false,
})

type Change = EventOf<typeof events.orderChanged>['data']

/** What another meal or day changes of an order, its cutoff and lapse with it. */
const mealChanged = (order: Order, change: Change): Partial<Order> => {
  const { cutoffAt = order.cutoff_at } = change.closes ?? {}
  return {
    ...mealColumns(change.meal),
    ...(change.moved && dayColumns(change.moved)),
    cutoff_at: cutoffAt,
    lapses_at: shifted(order.lapses_at, order.cutoff_at, cutoffAt),
    portion_until: portionAfterChange(order.portion_until, cutoffAt, change),
    substituted: order.substituted || (change.by === 'administrator' && !change.moved),
    changes: order.changes + 1,
  }
}

const mealColumns = (meal: OrderedMeal) => ({
  item_id: meal.item.id,
  item_name: meal.item.name,
  item_type: meal.item.type,
  category: meal.category,
  side_dish: meal.sideDish,
  comments: meal.comments,
  original_price: meal.originalPrice,
  price: meal.price,
  discount_percentage: meal.discountPercentage,
  sponsor: meal.sponsor ?? null,
  acknowledged: meal.acknowledged === true,
})

/** Orders of the new day were still open, and the hatch told nothing of it. */
const dayColumns = ({ slot, mealDate, as }: Moved) => ({
  kitchen_id: as,
  student_id: slot.studentId,
  cycle_id: slot.cycleId,
  week: slot.week,
  day: slot.day,
  meal_date: mealDate,
  late: false,
  ...nothingNoticed,
})

const shifted = (lapsesAt: Order['lapses_at'], from: Order['cutoff_at'], to: Order['cutoff_at']) => {
  const by = new Date(to).getTime() - new Date(from).getTime()
  return lapsesAt === null || by === 0 ? lapsesAt : new Date(new Date(lapsesAt).getTime() + by).toISOString()
}

/** Keeps the running time for another limited meal, starts it for the first; meals from the office do not expire. */
const portionAfterChange = <At extends string | Date>(
  portionUntil: At | null,
  cutoffAt: string | Date,
  { meal: { limited }, by, at }: Change,
): At | string | null =>
  limited && by === 'parent'
    ? (portionUntil ?? portionKeptUntil({ limited, cutoffAt: new Date(cutoffAt).toISOString() }, at))
    : null

const reopenedAt = (at: string, { lapses_at, portion_until }: Order): Partial<Order> => ({
  status: 'pending',
  completed_by: null,
  cancelled_late: false,
  remedy: null,
  closure_id: null,
  lapses_at: lapsesAfterReopening(lapses_at, at),
  portion_until: lapsesAfterReopening(portion_until, at),
  lapsed: false,
})

/** A reopened order that could have lapsed stays until cancelled. */
const lapsesAfterReopening = <At extends string | Date>(lapsesAt: At | null, reopenedAt: string): At | null =>
  lapsesAt !== null && new Date(reopenedAt) < new Date(lapsesAt) ? lapsesAt : null
