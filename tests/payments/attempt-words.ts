import { type MealLine } from '#kernel/meal-line'
import {
  attemptAbandoned,
  attemptSuperseded,
  checkoutRefused,
  checkoutStarted,
  customerSignalled,
  linesBlocked,
  linesReleased,
  ordersCreated,
  paymentCancelled,
  paymentDeclined,
  paymentExpired,
  paymentMismatched,
  paymentVerified,
  providerTokenIssued,
  providerTokenRefused,
  recoveryStarted,
  refundRecorded,
  remainderWaived,
} from '#modules/payments/attempt/events'
import { paymentAttempt } from '#modules/payments/attempt/fold'
import type { AttemptState, StartedAttempt, AttemptEvent } from '#modules/payments/attempt/payment-attempt'
import { type Verdict, type ReportedPayment } from '#modules/payments/providers/provider'
import { after, attempt, mary, monday7, otherAttempt, tuesdayMeal } from '../ordering/lunches'
import { fold } from '../support/given-when-then'

/** The words in which the specs of card payments are told. Minutes count from Monday at seven. */
export const minute = (minutes: number) => after(monday7, minutes)
export const iso = (minutes: number) => minute(minutes).toISOString()
export const attemptId = attempt

/** Chanda's Tuesday and Wednesday, K45.50 each. */
export const tuesday: MealLine = tuesdayMeal
export const wednesday: MealLine = {
  ...tuesdayMeal,
  index: 1,
  slot: { ...tuesdayMeal.slot, day: 3 },
  mealDate: '2026-09-16',
  cutoffAt: '2026-09-16T06:00:00.000Z',
}
export const total = 9100

export const checkout = {
  attemptId,
  kind: 'card' as const,
  userId: mary,
  lines: [tuesday, wednesday],
  companyRef: 'LP-7K3QW9ZD2M',
  bodyHash: 'hash-1',
}
const about = (minutes: number) => ({ attemptId, at: iso(minutes) })

const report: ReportedPayment = {
  explanation: 'Transaction Paid',
  transaction: { amount: total, currency: 'ZMW' },
  final: { amount: null, currency: null },
  reference: checkout.companyRef,
  markupFee: null,
  fraud: { flagged: false, code: '000', explanation: null },
  method: 'Visa',
  cardLast4: '1111',
  approval: 'A1',
}
const storedReport = {
  explanation: 'Transaction Paid',
  method: 'Visa',
  cardLast4: '1111',
  approval: 'A1',
  fraud: null,
}

export const verdicts = {
  paid: { kind: 'paid', code: '000', amount: total, fee: 0, report },
  mismatch: { kind: 'mismatch', code: '002', received: 9000, differences: [], report },
  unpaid: { kind: 'pending', code: '900', explanation: 'Not paid yet', unusual: false },
  atBank: { kind: 'pending', code: '003', explanation: 'Pending bank', unusual: false },
  declined: { kind: 'declined', code: '901', explanation: 'Declined' },
  expired: { kind: 'expired', code: '903', explanation: 'Too late' },
  cancelled: { kind: 'cancelled', code: '904', explanation: 'Cancelled' },
  unreachable: { kind: 'unreachable', why: 'timeout', detail: null },
  config: { kind: 'config', code: '802', explanation: 'Unknown company token' },
} satisfies Record<string, Verdict>

const answer = (code: string, explanation: string, minutes: number) => ({
  ...about(minutes),
  code,
  explanation,
})

/** The act of paying back that much for a line; the same again is the same act. */
export const payoutOf = (part: number | 'surplus', amount: number) =>
  `0199c0de-0000-7000-8000-${String(part === 'surplus' ? 9 : part).padStart(4, '0')}${String(amount).padStart(8, '0')}`

export const happened = {
  started: checkoutStarted({ ...checkout, total, at: iso(0) }),
  issued: providerTokenIssued({
    ...about(0),
    token: 'TOKEN-1',
    ref: 'R1',
    limitAt: iso(30),
    holdUntil: iso(45),
  }),
  tokenRefused: providerTokenRefused({ ...about(0), why: 'unreachable', detail: 'timeout' }),
  swept: customerSignalled({ ...about(1), source: 'sweep', claim: null }),
  verified: paymentVerified({
    ...about(2),
    code: '000',
    amount: total,
    fee: 0,
    late: false,
    report: storedReport,
  }),
  mismatched: paymentMismatched({
    ...about(2),
    code: '002',
    received: 9000,
    differences: [],
    report: storedReport,
  }),
  declined: paymentDeclined(answer('901', 'Declined', 2)),
  cancelled: paymentCancelled(answer('904', 'Cancelled', 2)),
  expired: paymentExpired({ ...answer('903', 'Too late', 2), cause: 'provider' }),
  superseded: attemptSuperseded({ ...about(2), by: otherAttempt }),
  abandoned: attemptAbandoned({ ...about(2), tokenCancelled: true }),
  firstOrdered: ordersCreated({ ...about(3), orders: [{ index: 0, orderId: '118.2026-09-15.1' }] }),
  bothOrdered: ordersCreated({
    ...about(3),
    orders: [
      { index: 0, orderId: '118.2026-09-15.1' },
      { index: 1, orderId: '118.2026-09-16.1' },
    ],
  }),
  secondBlocked: linesBlocked({ ...about(3), lines: [{ index: 1, reason: 'day_blocked' }] }),
  bothBlocked: linesBlocked({
    ...about(3),
    lines: [
      { index: 0, reason: 'day_blocked' },
      { index: 1, reason: 'day_blocked' },
    ],
  }),
  recovering: (prior: 'blocked' | 'review' | 'declined' | 'create_failed') =>
    recoveryStarted({ ...about(4), prior, leaseUntil: iso(5) }),
  secondWaived: remainderWaived({
    ...about(4),
    lines: [{ index: 1, amount: 4550 }],
    surplus: 0,
    reason: 'School closed',
  }),
  bothWaived: remainderWaived({
    ...about(4),
    lines: [
      { index: 0, amount: 4550 },
      { index: 1, amount: 4550 },
    ],
    surplus: 0,
    reason: 'School closed',
  }),
  paidBack: (part: number, minutes = 5) =>
    refundRecorded({ ...about(minutes), part, payoutId: payoutOf(part, 4550), amount: 4550 }),
}

const onPage = [happened.started, happened.issued]
const looked = [...onPage, happened.swept]
const paid = [...looked, happened.verified]
const blocked = [...paid, happened.firstOrdered, happened.secondBlocked]

/** How each state is come to; `recovering` is a retry of blocked lines. */
export const pastOf: Record<AttemptState, AttemptEvent[]> = {
  draft: [happened.started],
  create_failed: [happened.started, happened.tokenRefused],
  initiated: onPage,
  processing: looked,
  paid,
  fulfilled: [...paid, happened.bothOrdered],
  blocked,
  recovering: [...blocked, happened.recovering('blocked')],
  review: [...looked, happened.mismatched],
  declined: [...looked, happened.declined],
  cancelled: [...looked, happened.cancelled],
  expired: [...looked, happened.expired],
  abandoned: [...looked, happened.abandoned],
  refund_due: [...blocked, happened.secondWaived],
  refunded: [...paid, happened.bothBlocked, happened.bothWaived, happened.paidBack(0), happened.paidBack(1)],
  releasing: [
    checkoutStarted({ ...checkout, kind: 'free', total: 0, at: iso(0) }),
    checkoutRefused({ ...about(1), lines: [{ index: 0, code: 'already_ordered' }] }),
  ],
  refused: [
    checkoutStarted({ ...checkout, kind: 'free', total: 0, at: iso(0) }),
    checkoutRefused({ ...about(1), lines: [{ index: 0, code: 'already_ordered' }] }),
    linesReleased(about(1)),
  ],
}

export const standing = (...events: AttemptEvent[]): StartedAttempt => {
  const folded = fold(paymentAttempt, events)
  if (folded.status === 'none') throw new Error('Nothing happened')
  return folded
}

export const inState = (state: AttemptState): StartedAttempt => standing(...pastOf[state])
