import {
  type ReportedRefund,
  type CardAnswer,
  cardRefundAnswered,
  cardRefundFoundFailed,
  cardRefundRequested,
  cardRefundToBeChecked,
} from '#modules/refunds/card-refund'
import {
  type Due,
  type Payout,
  type RefundEvent,
  refundDue,
  refundPaidBack,
  refundWithdrawn,
} from '#modules/refunds/refund'
import { after, attempt, mary, monday7 } from '../ordering/lunches'

/** What is owed for Chanda's Nshima of Tuesday, K45.50, cancelled ten minutes after it was ordered. */
export const orderRefund = '118.2026-09-15.1'
export const bursar = 5
export const cancelledAt = after(monday7, 10)

export const owedForNshima: Omit<Due, 'at'> = {
  refundId: orderRefund,
  orderId: orderRefund,
  attemptId: attempt,
  part: 0,
  userId: mary,
  amount: 4550,
  reason: 'order_cancelled',
  student: { name: 'Chanda', grade: '4' },
  item: { name: 'Nshima with relish' },
  orderedAt: monday7.toISOString(),
}
export const due = refundDue({ ...owedForNshima, at: cancelledAt.toISOString() })
export const withdrawn = refundWithdrawn({ refundId: orderRefund, at: after(monday7, 20).toISOString() })

/** The nth time that some of it went back. */
export const payoutId = (number: number): string => `0199c0de-0000-7000-8000-000000000${100 + number}`

export const paidBack = (number: number, amount: number, stillOwed: number, more: Partial<Payout> = {}) =>
  refundPaidBack({
    refundId: orderRefund,
    orderId: orderRefund,
    attemptId: attempt,
    part: 0,
    payoutId: payoutId(number),
    amount,
    stillOwed,
    method: 'cash',
    reference: null,
    note: null,
    by: bursar,
    at: after(monday7, 30).toISOString(),
    ...more,
  })

/** The nth request to pay the refund back to the card. */
export const requestId = (number: number): string => `0199c0de-0000-7000-8000-00000000020${number}`

export const askedAt = after(monday7, 30)
const about = (number: number, minutes: number) => ({
  refundId: orderRefund,
  requestId: requestId(number),
  at: after(monday7, minutes).toISOString(),
})
export const nothingListed = { done: 0, declined: 0 }

export const requested = (
  number: number,
  more: { amount?: number; before?: typeof nothingListed | null } = {},
) =>
  cardRefundRequested({
    ...about(number, 30),
    attemptId: attempt,
    amount: 4550,
    before: nothingListed,
    by: bursar,
    ...more,
  })

const said: Record<CardAnswer['answer'], CardAnswer> = {
  accepted: { answer: 'accepted', code: '000', explanation: '' },
  pending: { answer: 'pending', code: '009', explanation: '' },
  refused: { answer: 'refused', code: '999', explanation: 'Refund failed' },
  unclear: { answer: 'unclear', code: 'timeout', explanation: '' },
}
export const answered = (number: number, answer: CardAnswer['answer'], minutes = 31) =>
  cardRefundAnswered({ ...about(number, minutes), ...said[answer] })
export const declined = (number: number, minutes = 31) =>
  cardRefundAnswered({ ...about(number, minutes), answer: 'refused', code: '008', explanation: '' })
export const toBeChecked = (number: number, minutes: number) => cardRefundToBeChecked(about(number, minutes))
export const foundFailed = (number: number, minutes: number, note: string | null = null) =>
  cardRefundFoundFailed({ ...about(number, minutes), by: bursar, note })
/** The request went back. */
export const wentToCard = (number: number, minutes = 31, more: { note?: string } = {}) =>
  paidBack(1, 4550, 0, {
    payoutId: requestId(number),
    method: 'card',
    at: after(monday7, minutes).toISOString(),
    ...more,
  })

export const day = 24 * 60

export const ask = (number: number, more: { left?: number; before?: typeof nothingListed | null } = {}) =>
  ({
    kind: 'ask',
    requestId: requestId(number),
    left: 4550,
    before: nothingListed,
    by: bursar,
    now: askedAt,
    ...more,
  }) as const
export const answer = (number: number, what: CardAnswer['answer']) =>
  ({ kind: 'answer', requestId: requestId(number), answer: said[what], now: after(monday7, 31) }) as const
export const listed = (status: ReportedRefund['status'], amount: number | null = 4550) => ({ status, amount })
export const look = (number: number, refunds: ReportedRefund[] | null, minutes = 31) =>
  ({ kind: 'look', requestId: requestId(number), refunds, now: after(monday7, minutes) }) as const
export const find = (outcome: 'done' | 'failed', minutes = 3 * day) =>
  ({ kind: 'find', outcome, note: 'Seen in the portal', by: bursar, now: after(monday7, minutes) }) as const

/** Every state of a request, by the events that lead there. */
export const states = {
  requested: [due, requested(1)],
  unclear: [due, requested(1), answered(1, 'unclear')],
  accepted: [due, requested(1), answered(1, 'accepted')],
  pending: [due, requested(1), answered(1, 'pending')],
  check: [due, requested(1), toBeChecked(1, 2 * day)],
  failed: [due, requested(1), answered(1, 'refused')],
  'found failed': [due, requested(1), toBeChecked(1, 2 * day), foundFailed(1, 3 * day)],
  done: [due, requested(1), wentToCard(1)],
} satisfies Record<string, RefundEvent[]>
export const underWay = ['requested', 'unclear', 'accepted', 'pending', 'check'] as const
export const over = ['failed', 'found failed', 'done'] as const
export const unanswered = ['requested', 'unclear', 'accepted', 'pending'] as const
