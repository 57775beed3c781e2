import {
  type ReportedRefund,
  cardRefundAnswered,
  cardRefundFoundFailed,
  cardRefundRequested,
  cardRefundToBeChecked,
  type CardAnswer,
} from '#modules/refunds/card-refund'
import type { RefundEvent } from '#modules/refunds/refund'
import { after, attempt, monday7 } from '../ordering/lunches'
import { bursar, due, orderRefund, paidBack } from './refund-words'

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
