import type { PayBy } from '#contracts/ordering'
import type { Decider } from '#kernel/event'
import { orderIdOf } from '#kernel/id'
import { graceEnd, lunchOf, moneyOf, type MealLine } from '#kernel/meal-line'
import type { Ngwee, Remedy } from '#kernel/money'
import { Refusal } from '#kernel/refusal'
import { refusal } from '../refusals'
import * as events from './events'
import { markLunch, takeMarksBack, type MarkLunch, type TakeMarksBack } from './mark-lunch.decide'
import {
  evolve,
  freeSlot,
  isActive,
  orderOfLine,
  readSlotEvent,
  slotStream,
  standingOrder,
  toPayOf,
  type MealSlot,
  type SlotEvent,
  closedOrderCode,
  orderOf,
  ownOrder,
  slotConflict,
  type FamilyMember,
} from './meal-slot'
import { remedyCarriedOut } from './money-back.decide'
import type { OrderedMeal } from './order'
import {
  confirmPayment,
  provePayment,
  undoPayment,
  reopen,
  type ConfirmPayment,
  type UndoPayment,
} from './order-payment.decide'
import {
  cancelDenial,
  remedyAt,
  type MealDay,
  change,
  markAbsence,
  type Change,
  type MarkAbsence,
} from './order-permissions.decide'

type Order = { kind: 'order'; attemptId: string; userId: number; line: MealLine; now: Date } & {
  paymentStatus: 'confirmed' | 'pending'
  payBy?: PayBy | undefined
  graceMinutes?: number | undefined
  byOffice?: boolean
  received?: Ngwee | undefined
}
type Meal = Pick<MealLine, 'slot' | 'mealDate'>
type Reserve = { kind: 'reserve'; meal: Meal; attemptId: string; until: string; now: Date }
type Release = { kind: 'release'; meal: Meal; attemptId: string; now: Date }
type Withdraw = { kind: 'withdraw'; attemptId: string; now: Date }
type Cancel = { kind: 'cancel'; orderId: string; by: Canceller; now: Date } & Reason
type Close = { kind: 'close'; orderId: string; now: Date } & Reason
/** Cancels an unpaid order once the grace after its cutoff is over. `portion`: earlier, when its limited portion is released. */
type Lapse = { kind: 'lapse'; orderId: string; portion?: boolean; now: Date }
/** Restores what this closure cancelled, before the present cutoff. */
type Restore = { kind: 'restore'; orderId: string; closureId: string; cutoffAt: Date; now: Date }
type Substitute = { kind: 'substitute'; orderId: string; changeId: string; now: Date } & {
  meal: OrderedMeal
}
type OnOrder = { kind: 'complete' | 'reopen' | RefundStep; orderId: string; now: Date }
export type RefundStep = 'begin-refund' | 'fail-refund' | 'refund'
type UndoStatus = { kind: 'undo-status'; orderId: string; now: Date }

/** Remedy (default refund), and the closure or act behind it. */
type Reason = { remedy?: Remedy; closureId?: string; actId?: string }

/** Families cancel within their day's rules, administrators at any time. */
type Canceller = ({ role: 'parent'; day: MealDay } & FamilyMember) | { role: 'administrator' }

export type SlotCommand =
  | Reserve
  | Release
  | Order
  | Withdraw
  | Cancel
  | Close
  | Lapse
  | Restore
  | MarkAbsence
  | Change
  | Substitute
  | MarkLunch
  | TakeMarksBack
  | UndoStatus
  | ConfirmPayment
  | UndoPayment
  | OnOrder

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
    case 'cancel':
      return cancel(command, slot)
    case 'close':
      return close(command, slot)
    case 'lapse':
      return lapse(command, slot)
    case 'restore':
      return restore(command, slot)
    case 'substitute':
      return substitute(command, slot)
    case 'absence':
      return markAbsence(command, slot)
    case 'change':
      return change(command, slot)
    case 'complete':
      return complete(command, slot)
    case 'reopen':
      return reopen(command, slot)
    case 'undo-status':
      return undoStatus(command, slot)
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
      return refund(command, command.kind, slot)
  }
}

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
  { line, attemptId, userId, paymentStatus, payBy, graceMinutes, byOffice, received, now }: Order,
  slot: MealSlot,
): SlotEvent[] => {
  if (orderOfLine(slot, attemptId, line.index)) return []
  const conflict = slotConflict(slot, attemptId, now)
  if (conflict) throw refusal(conflict)
  if (standingOrder(slot)) throw refusal('already_ordered')
  const orderId = orderIdOf(lunchOf(line), slot.orders.size + 1)
  const lapsesAt = graceMinutes === undefined || line.late ? null : graceEnd(line, graceMinutes).toISOString()
  const paying = {
    paymentStatus,
    ...(payBy && { payBy }),
    ...(lapsesAt && { lapsesAt }),
    ...(byOffice && { byOffice }),
    ...(received !== undefined && received < moneyOf(line) && { received }),
  }
  return [events.lunchOrdered({ ...line, orderId, attemptId, userId, ...paying, at: now.toISOString() })]
}

const withdraw = ({ attemptId, now }: Withdraw, slot: MealSlot): SlotEvent[] => {
  const standing = standingOrder(slot)
  return standing?.attempt_id === attemptId
    ? [events.orderWithdrawn({ orderId: standing.id, at: now.toISOString() })]
    : []
}

const cancel = ({ orderId, by, remedy, closureId, actId, now }: Cancel, slot: MealSlot): SlotEvent[] => {
  const known = by.role === 'parent' ? ownOrder(slot, orderId, by) : orderOf(slot, orderId)
  if (!isActive(known)) return []
  const refused = by.role === 'parent' ? cancelDenial(known, by.day, now) : null
  if (refused) throw new Refusal(...refused)
  const afterCutoff = now >= new Date(known.cutoff_at)
  const asked = by.role === 'parent' ? remedyAt(known, by.day, now) : remedy
  const back = remedyCarriedOut(known, asked)
  const reason = {
    ...(back && { remedy: back }),
    ...(closureId && { closureId }),
    ...(actId && { actId }),
  }
  return [events.orderCancelled({ orderId, by: by.role, afterCutoff, ...reason, at: now.toISOString() })]
}

const close = (command: Close, slot: MealSlot): SlotEvent[] => {
  const known = orderOf(slot, command.orderId)
  if (known.status === 'completed') throw refusal('already_completed')
  // One of several concurrent acts counts; the others are refused as too late.
  const isByAnother = command.actId !== undefined && known.actId !== command.actId
  if (!isActive(known) && isByAnother) throw refusal(closedOrderCode(known))
  return cancel({ ...command, kind: 'cancel', by: { role: 'administrator' } }, slot)
}

const lapse = ({ orderId, portion = false, now }: Lapse, slot: MealSlot): SlotEvent[] => {
  const known = orderOf(slot, orderId)
  const isUnpaid = known.payment_status === 'pending' && toPayOf(known) > 0
  if (known.status !== 'pending' || !isUnpaid) return []
  const until = portion ? known.portion_until : known.lapses_at
  if (until === null || now < new Date(until)) return []
  const afterCutoff = now >= new Date(known.cutoff_at)
  // After the cutoff nobody else could take the portion.
  if (portion && afterCutoff) return []
  return [events.orderCancelled({ orderId, by: 'system', afterCutoff, at: now.toISOString() })]
}

const restore = ({ orderId, closureId, cutoffAt, now }: Restore, slot: MealSlot): SlotEvent[] => {
  const known = orderOf(slot, orderId)
  if (isActive(known)) return []
  if (known.status === 'cancelled' && known.closure_id !== closureId) throw refusal('already_cancelled')
  if (known.status === 'cancelled' && now >= cutoffAt) throw refusal('cutoff_passed')
  return reopen({ orderId, now }, slot)
}

const substitute = ({ orderId, changeId, meal, now }: Substitute, slot: MealSlot): SlotEvent[] => {
  const known = orderOf(slot, orderId)
  if (!isActive(known)) throw refusal(closedOrderCode(known))
  if (known.status === 'completed') throw refusal('already_completed')
  const accepts = meal.acknowledged === true && known.meal.acknowledged !== true
  if (isSameChoice(known.meal, meal) && !accepts) return []
  const by = 'administrator' as const
  return [events.orderChanged({ orderId, changeId, by, meal, old: known.meal, at: now.toISOString() })]
}

const isSameChoice = (one: OrderedMeal, other: OrderedMeal) =>
  one.item.id === other.item.id && one.category === other.category && one.sideDish === other.sideDish

const complete = (command: OnOrder, slot: MealSlot): SlotEvent[] => {
  const known = orderOf(slot, command.orderId)
  if (known.status === 'completed') return []
  if (!isActive(known)) throw refusal(closedOrderCode(known))
  return [events.orderCompleted(fact(command))]
}

const undoStatus = ({ orderId, now }: UndoStatus, slot: MealSlot): SlotEvent[] => {
  const { status, marks } = orderOf(slot, orderId)
  if (status === 'completed' && marks.given) throw refusal('changed_since')
  return reopen({ orderId, now }, slot)
}

const refund = (command: OnOrder, step: RefundStep, slot: MealSlot): SlotEvent[] => {
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
