import type { DomainEvent } from '#kernel/event'
import { orderIdOf } from '#kernel/id'
import { lunchOf } from '#kernel/meal-line'
import {
  lunchOrdered,
  orderCancelled,
  orderChanged,
  orderCompleted,
  orderPaymentConfirmed,
  orderRefunded,
  orderReopened,
} from '#modules/ordering/published'
import { refundDue, refundPaidBack, refundWithdrawn } from '#modules/refunds/published'
import { line as sampleLine } from './sample-events'

/** What becomes of a meal: an order that stands, one that was cancelled and how far its money went back, or none. */
export type Fate =
  | 'pending'
  | 'completed'
  | 'reopened'
  | 'cancelled'
  | 'refund-due'
  | 'partly-back'
  | 'paid-back'
  | 'blocked'
  | 'waived'
export type Payment = 'exact' | 'with-fee' | 'over' | 'under' | 'undecided' | 'unknown' | 'none'
export type Plan = {
  /** `counter`: the office orders and is paid in cash. */
  kind: 'card' | 'free' | 'alternative' | 'counter'
  payment: Payment
  meals: { price: number; fate: Fate; moved: boolean }[]
}

export const at = '2026-09-15T06:00:00.000Z'

type Line = typeof sampleLine
/** An order, or none, and what it brought in and cost afterwards. */
export type Meal = {
  events: DomainEvent[]
  order: { index: number; orderId: string } | null
  cameIn: number
  wentOut: number
}

/** What happens to one meal of a plan. */
export const mealHistory = (
  plan: Plan,
  { fate, moved }: Plan['meals'][number],
  attemptId: string,
  line: Line,
): Meal => {
  const isCard = plan.kind === 'card'
  if (isCard && (fate === 'blocked' || fate === 'waived'))
    return { events: [], order: null, cameIn: 0, wentOut: 0 }
  const { price, index } = line
  const orderId = orderIdOf(lunchOf(line), 1)
  const isAtCounter = plan.kind === 'counter'
  const isAlternative = plan.kind === 'alternative' || isAtCounter
  const isPaid = !isAlternative || plan.payment !== 'none'
  const about = { orderId, at }
  const paymentStatus = isAlternative ? ('pending' as const) : ('confirmed' as const)
  const placed = lunchOrdered({
    ...line,
    orderId,
    attemptId,
    userId: 5,
    paymentStatus,
    ...(isAtCounter && counter),
    at,
  })
  const confirmed = isAlternative && isPaid ? [orderPaymentConfirmed(about)] : []
  const { events, wentOut } = afterwards(fate, isPaid && price > 0, attemptId, orderId, line)
  return {
    // Where a later payment comes, it comes after the move.
    events: [placed, ...(moved ? [movedFrom(line, orderId)] : []), ...confirmed, ...events],
    order: { index, orderId },
    cameIn: isAlternative && isPaid ? price : 0,
    wentOut,
  }
}

/** The same meal a week later: no money moves. */
const movedFrom = (line: Line, orderId: string) => {
  const { item, category, sideDish, comments, originalPrice, price, discountPercentage } = line
  const meal = { item, category, sideDish, comments, originalPrice, price, discountPercentage }
  const mealDate = line.mealDate.replace('-09-2', '-10-0')
  const { studentId } = line.slot
  return orderChanged({
    orderId,
    changeId: '0199c0de-0000-7000-8000-0000000000d1',
    by: 'parent',
    meal,
    old: meal,
    closes: { cutoffAt: `${mealDate}T06:00:00.000Z` },
    moved: { from: line.mealDate, slot: line.slot, mealDate, as: `${studentId}.${mealDate}.1` },
    at,
  })
}

const counter = { payBy: 'cash', byOffice: true, late: true } as const

const afterwards = (fate: Fate, owes: boolean, attemptId: string, orderId: string, line: Line) => {
  const { price, index } = line
  const cancelled = orderCancelled({ orderId, by: 'parent', afterCutoff: false, at })
  const opened = owes ? [due(attemptId, orderId, index, price, 'order_cancelled')] : []
  const back = (amount: number) => (owes ? [payout(attemptId, orderId, index, amount, price - amount)] : [])
  const about = { orderId, at }
  switch (fate) {
    case 'completed':
      return { events: [orderCompleted(about)], wentOut: 0 }
    case 'reopened':
      return {
        events: [
          cancelled,
          ...opened,
          orderReopened(about),
          ...(owes ? [refundWithdrawn({ refundId: orderId, at })] : []),
        ],
        wentOut: 0,
      }
    case 'cancelled':
    case 'refund-due':
      return { events: [cancelled, ...opened], wentOut: 0 }
    case 'partly-back':
      return { events: [cancelled, ...opened, ...back(1)], wentOut: owes ? 1 : 0 }
    case 'paid-back':
      return {
        events: [cancelled, ...opened, ...back(price), orderRefunded(about)],
        wentOut: owes ? price : 0,
      }
    default:
      return { events: [], wentOut: 0 }
  }
}

/** A refund that is opened. */
export const due = (
  attemptId: string,
  orderId: string | null,
  part: number | 'surplus',
  amount: number,
  reason: 'order_cancelled' | 'line_waived' | 'overpaid',
) =>
  refundDue({
    refundId: orderId ?? `${attemptId}.${part}`,
    orderId,
    attemptId,
    part,
    userId: 5,
    amount,
    reason,
    student: sampleLine.student,
    item: { name: sampleLine.item.name },
    orderedAt: at,
    at,
  })

const payout = (attemptId: string, orderId: string, part: number, amount: number, stillOwed: number) =>
  refundPaidBack({
    refundId: orderId,
    orderId,
    attemptId,
    part,
    payoutId: '0199a000-0000-7000-8000-00000000000f',
    amount,
    stillOwed,
    method: 'cash',
    reference: null,
    note: null,
    by: 1,
    at,
  })
