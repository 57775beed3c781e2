import type { PayBy } from '#contracts/ordering'
import type { Decider } from '#kernel/event'
import { graceEnd, lunchOf, moneyOf, type MealLine } from '#kernel/meal-line'
import type { Ngwee } from '#kernel/money'
import { refusal } from '../refusals'
import type { MealDay } from './deadlines.decide'
import * as events from './events'
import { markLunch, takeMarksBack, type MarkLunch, type TakeMarksBack } from './mark-lunch.decide'
import {
  evolve,
  freeSlot,
  isActive,
  nextOrderId,
  orderOfLine,
  readSlotEvent,
  slotStream,
  standingOrder,
  type MealSlot,
  type SlotEvent,
  orderOf,
  slotConflict,
  type FamilyMember,
} from './meal-slot'
import type { OnOrder, Reason } from './order-acts.decide'
import {
  confirmPayment,
  provePayment,
  undoPayment,
  type ConfirmPayment,
  type UndoPayment,
} from './order-payment.decide'
import { decideAct, type OrderAct } from './order-permissions.decide'

type Order = { kind: 'order'; attemptId: string; userId: number; line: MealLine; now: Date } & {
  paymentStatus: 'confirmed' | 'pending'
  payBy?: PayBy | undefined
  graceMinutes?: number | undefined
  byOffice?: boolean
  byPlan?: boolean
  received?: Ngwee | undefined
}
type Meal = Pick<MealLine, 'slot' | 'mealDate'>
type Reserve = { kind: 'reserve'; meal: Meal; attemptId: string; until: string; now: Date }
type Release = { kind: 'release'; meal: Meal; attemptId: string; now: Date }
type Withdraw = { kind: 'withdraw'; attemptId: string; now: Date }
/** Families cancel within their day's rules, administrators at any time. */
type Canceller = ({ role: 'parent'; day: MealDay } & FamilyMember) | { role: 'administrator' }
type Cancel = OnOrder & Reason & { kind: 'cancel'; by: Canceller }
type Absence = OnOrder & FamilyMember & { kind: 'absence'; absent: boolean; day: MealDay }
export type RefundStep = 'begin-refund' | 'fail-refund' | 'refund'
type Refund = OnOrder & { kind: RefundStep }

export type SlotCommand =
  | Reserve
  | Release
  | Order
  | Withdraw
  | Cancel
  | Absence
  | Exclude<OrderAct, { kind: 'cancel' | 'cancel-own' | 'absent' | 'not-absent' }>
  | MarkLunch
  | TakeMarksBack
  | ConfirmPayment
  | UndoPayment
  | Refund

const decide = (command: SlotCommand, slot: MealSlot): SlotEvent[] => {
  switch (command.kind) {
    case 'reserve':
      return reserve(command, slot)
    case 'release':
      return release(command, slot)
    case 'order':
      return order(command, slot)
    case 'withdraw':
      return withdraw(command, slot)
    case 'mark':
      return markLunch(command, slot)
    case 'take-marks-back':
      return takeMarksBack(command, slot)
    case 'confirm-payment':
      return confirmPayment(command, slot)
    case 'prove-payment':
      return provePayment(command, slot)
    case 'undo-payment':
      return undoPayment(command, slot)
    case 'begin-refund':
    case 'fail-refund':
    case 'refund':
      return refund(command, slot)
    case 'cancel':
      return cancel(command, slot)
    case 'absence':
      return decideAct({ ...command, kind: command.absent ? 'absent' : 'not-absent' }, slot)
    default:
      return decideAct(command, slot)
  }
}

const cancel = ({ by, ...asked }: Cancel, slot: MealSlot): SlotEvent[] =>
  by.role === 'parent' ? decideAct({ ...asked, ...by, kind: 'cancel-own' }, slot) : decideAct(asked, slot)

export const mealSlot = {
  streamOf: slotStream,
  read: readSlotEvent,
  initial: freeSlot,
  evolve,
  decide,
} satisfies Decider<MealSlot, SlotCommand, SlotEvent> & Record<string, unknown>

const reserve = (
  { meal: { slot: place, mealDate }, attemptId, until, now }: Reserve,
  slot: MealSlot,
): SlotEvent[] => {
  const conflict = slotConflict(slot, attemptId, now)
  if (conflict) throw refusal(conflict)
  const { reservation } = slot
  const isHeld = reservation?.attemptId === attemptId && reservation.until >= until
  if (standingOrder(slot) || isHeld) return []
  return [events.lunchReserved({ slot: place, mealDate, attemptId, until, at: now.toISOString() })]
}

const release = ({ meal: { slot: place, mealDate }, attemptId, now }: Release, slot: MealSlot): SlotEvent[] =>
  slot.reservation?.attemptId === attemptId
    ? [events.reservationReleased({ slot: place, mealDate, attemptId, at: now.toISOString() })]
    : []

const order = (
  { line, attemptId, userId, paymentStatus, payBy, graceMinutes, byOffice, byPlan, received, now }: Order,
  slot: MealSlot,
): SlotEvent[] => {
  if (orderOfLine(slot, attemptId, line.index)) return []
  const conflict = slotConflict(slot, attemptId, now)
  if (conflict) throw refusal(conflict)
  if (standingOrder(slot)) throw refusal('already_ordered')
  const orderId = nextOrderId(lunchOf(line), slot)
  const lapsesAt = graceMinutes === undefined || line.late ? null : graceEnd(line, graceMinutes).toISOString()
  const paying = {
    paymentStatus,
    ...(payBy && { payBy }),
    ...(lapsesAt && { lapsesAt }),
    ...(byOffice && { byOffice }),
    ...(byPlan && { byPlan }),
    ...(received !== undefined && received < moneyOf(line) && { received }),
  }
  return [events.lunchOrdered({ ...line, orderId, attemptId, userId, ...paying, at: now.toISOString() })]
}

const withdraw = ({ attemptId, now }: Withdraw, slot: MealSlot): SlotEvent[] => {
  const placed = slot.orders.findLast((order) => isActive(order) && order.attempt_id === attemptId)
  return placed ? [events.orderWithdrawn({ orderId: placed.id, at: now.toISOString() })] : []
}

const refund = ({ kind: step, ...command }: Refund, slot: MealSlot): SlotEvent[] => {
  const known = orderOf(slot, command.orderId)
  if (known.status === 'refunded') return stillRefunded(command, step)
  if (step === 'fail-refund')
    return known.status === 'cancelled' && known.refundBegun ? [events.orderRefundFailed(fact(command))] : []
  if (isActive(known)) throw refusal('not_cancelled')
  if (known.remedy === 'credit') throw refusal('given_as_credit')
  if (step === 'refund') return [events.orderRefunded(fact(command))]
  return known.refundBegun ? [] : [events.orderRefundBegun(fact(command))]
}

const stillRefunded = (command: OnOrder, step: RefundStep): SlotEvent[] => {
  if (step === 'refund') return []
  const stillOwed = events.orderRefundStillOwed(fact(command))
  return step === 'begin-refund' ? [stillOwed] : [stillOwed, events.orderRefundFailed(fact(command))]
}

const fact = ({ orderId, now }: OnOrder) => ({ orderId, at: now.toISOString() })
