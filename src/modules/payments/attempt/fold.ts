import { type EventOf } from '#kernel/event'
import {
  attemptAbandoned,
  attemptSuperseded,
  checkoutRefused,
  checkoutStarted,
  customerSignalled,
  fulfilmentFailed,
  linesAmended,
  linesBlocked,
  linesReleased,
  mismatchAccepted,
  ordersCreated,
  paymentAcknowledged,
  paymentCancelled,
  paymentDeclined,
  paymentExpired,
  paymentMismatched,
  paymentStillPending,
  paymentVerified,
  providerAnswerNoted,
  providerTokenIssued,
  providerTokenRefused,
  readAttemptEvent,
  recoveryEnded,
  recoveryStarted,
  refundRecorded,
  remainderWaived,
  type AttemptEvent,
  type Checkout,
} from './events'
import {
  answerKey,
  signalKey,
  type AttemptState,
  type Begun,
  type LineFate,
  type PaymentAttempt,
  type Standing,
} from './payment-attempt'

/** What an event makes of an attempt; an event that does not fit changes nothing. */
const evolve = (attempt: PaymentAttempt, event: AttemptEvent): PaymentAttempt => {
  if (event.type === checkoutStarted.type) return begun(event.data)
  if (attempt.status === 'none') return attempt
  const step = steps[event.type] as (attempt: Standing, data: unknown) => PaymentAttempt
  return step(attempt, event.data)
}

const begun = (checkout: Checkout): Standing => ({
  status: 'draft',
  checkout,
  fates: checkout.lines.map(() => ({ kind: 'open' })),
  token: null,
  money: null,
  acknowledged: false,
  surplus: { owed: 0, paidBack: 0 },
  shortfall: 0,
  detour: false,
  failures: 0,
  lastAnswer: null,
  signals: [],
  refused: [],
  amended: [],
  payouts: [],
})

type LaterEvent = Exclude<AttemptEvent, { type: typeof checkoutStarted.type }>

const steps: {
  [Event in LaterEvent as Event['type']]: (attempt: Standing, data: Event['data']) => PaymentAttempt
} = {
  [checkoutRefused.type]: (attempt, { lines }) => ({ ...plain(attempt, 'releasing'), refused: lines }),
  [linesReleased.type]: (attempt) => (attempt.status === 'releasing' ? plain(attempt, 'refused') : attempt),
  [providerTokenIssued.type]: (attempt, { token, ref, limitAt, at }) => ({
    ...plain(attempt, 'initiated'),
    token: { token, ref, issuedAt: at, limitAt },
  }),
  [providerTokenRefused.type]: (attempt) => detoured(attempt, 'create_failed'),
  [customerSignalled.type]: (attempt, { source, claim }) => {
    const signalled = { ...attempt, signals: [...attempt.signals, signalKey(source, claim)] }
    return attempt.status === 'initiated' ? plain(signalled, 'processing') : signalled
  },
  [attemptSuperseded.type]: (attempt) => detoured(attempt, 'cancelled'),
  [attemptAbandoned.type]: (attempt) => detoured(attempt, 'abandoned'),

  [paymentVerified.type]: (attempt, { code, amount, fee, late, at }) => ({
    ...plain(answered(attempt, 'paid', code), 'paid'),
    money: { amount, fee, verifiedAt: at, late },
  }),
  [paymentMismatched.type]: (attempt, { code, received, at }) => ({
    ...detoured(answered(attempt, 'mismatch', code), 'review'),
    money: { amount: received, fee: 0, verifiedAt: at, late: false },
  }),
  [paymentStillPending.type]: (attempt, { code }) => plain(answered(attempt, 'pending', code), 'processing'),
  [paymentDeclined.type]: (attempt, { code }) => detoured(answered(attempt, 'declined', code), 'declined'),
  [paymentCancelled.type]: (attempt, { code }) => detoured(answered(attempt, 'cancelled', code), 'cancelled'),
  [paymentExpired.type]: (attempt, { code, cause }) =>
    detoured(answered(attempt, cause === 'limit' ? 'pending' : 'expired', code), 'expired'),
  [providerAnswerNoted.type]: (attempt, { kind, code }) => answered(attempt, kind, code),
  [paymentAcknowledged.type]: (attempt) => ({ ...attempt, acknowledged: true }),

  [ordersCreated.type]: (attempt, { orders }) =>
    settled(withFates(attempt, orders, ({ orderId }) => ({ kind: 'ordered', orderId }))),
  [linesBlocked.type]: (attempt, { lines }) => ({
    ...detoured(
      withFates(attempt, lines, ({ reason }) => ({ kind: 'blocked', reason })),
      'blocked',
    ),
    failures: 0,
  }),
  [fulfilmentFailed.type]: (attempt, data) => ({ ...attempt, failures: data.attempt }),
  [recoveryStarted.type]: (attempt, { prior, leaseUntil }) => ({
    ...attempt,
    status: 'recovering',
    prior,
    leaseUntil,
    detour: true,
  }),
  [recoveryEnded.type]: (attempt) =>
    attempt.status === 'recovering' ? plain(attempt, attempt.prior) : attempt,
  [linesAmended.type]: (attempt, { lines }) => {
    const amended = new Map(lines.map((line) => [line.index, line]))
    const all = attempt.checkout.lines.map((line) => amended.get(line.index) ?? line)
    return {
      ...attempt,
      amended: [...new Set([...attempt.amended, ...amended.keys()])],
      checkout: { ...attempt.checkout, lines: all },
    }
  },
  [mismatchAccepted.type]: (attempt, { amount, surplus, shortfall, at }) => ({
    ...plain(attempt, 'paid'),
    money: { amount, fee: 0, verifiedAt: at, late: false },
    surplus: { owed: surplus, paidBack: 0 },
    shortfall,
  }),
  [remainderWaived.type]: (attempt, data) => waived(attempt, data),
  [refundRecorded.type]: (attempt, data) =>
    paidBack({ ...attempt, payouts: [...attempt.payouts, data.payoutId] }, data),
}

const plain = (attempt: Begun, status: Exclude<AttemptState, 'recovering'>) => ({ ...attempt, status })

/** As `plain`, after something went wrong between checkout and orders. */
const detoured = (attempt: Begun, status: Exclude<AttemptState, 'recovering'>) => ({
  ...plain(attempt, status),
  detour: true,
})

const answered = (attempt: Standing, kind: string, code: string): Standing => ({
  ...attempt,
  lastAnswer: answerKey(kind, code),
})

const withFates = <Attempt extends Begun, Change extends { index: number }>(
  attempt: Attempt,
  changes: readonly Change[],
  fateOf: (change: Change) => LineFate,
): Attempt => {
  const fates = new Map(changes.map((change) => [change.index, fateOf(change)]))
  return { ...attempt, fates: attempt.fates.map((fate, index) => fates.get(index) ?? fate) }
}

/** Once every line is an order or money that is back, the attempt has ended well, or with nothing but refunds. */
const settled = (attempt: Standing): PaymentAttempt => {
  if (!attempt.fates.every(isSettled)) return attempt
  const hasOrders = attempt.fates.some(({ kind }) => kind === 'ordered')
  return plain(attempt, hasOrders ? 'fulfilled' : 'refunded')
}

/** An order, or money that is wholly back. */
const isSettled = (fate: LineFate): boolean =>
  fate.kind === 'ordered' || (fate.kind === 'waived' && fate.paidBack >= fate.owed)

const waived = (
  attempt: Begun,
  { lines, surplus, at }: EventOf<typeof remainderWaived>['data'],
): PaymentAttempt => {
  const given = withFates(attempt, lines, ({ index, amount }) => {
    const fate = attempt.fates[index]
    const reason = fate?.kind === 'blocked' ? fate.reason : null
    return { kind: 'waived', owed: amount, paidBack: 0, reason }
  })
  const amount = lines.reduce((sum, line) => sum + line.amount, surplus)
  const money = attempt.money ?? { amount, fee: 0, verifiedAt: at, late: false }
  return settled({
    ...detoured(given, 'refund_due'),
    money: { ...money, amount: money.amount ?? amount },
    surplus: { owed: attempt.surplus.owed + surplus, paidBack: attempt.surplus.paidBack },
  })
}

const paidBack = (
  attempt: Standing,
  { part, amount }: EventOf<typeof refundRecorded>['data'],
): PaymentAttempt => {
  if (part === 'surplus') {
    const { owed, paidBack: before } = attempt.surplus
    return { ...attempt, surplus: { owed, paidBack: before + amount } }
  }
  const fate = attempt.fates[part]
  if (fate?.kind !== 'waived') return attempt
  const back = withFates(attempt, [{ index: part }], () => ({ ...fate, paidBack: fate.paidBack + amount }))
  return attempt.status === 'refund_due' ? settled(back) : back
}

/** The streams of payment attempts: how they are named, read and folded. */
export const paymentAttempt = {
  streamOf: (id: string): string => `paymentAttempt-${id}`,
  read: readAttemptEvent,
  initial: { status: 'none' } as PaymentAttempt,
  evolve,
}
