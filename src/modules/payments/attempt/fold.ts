import type { EventOf } from '#kernel/event'
import { methodTold } from '../published'
import * as events from './events'
import type { Checkout } from './events'
import {
  answerKey,
  isUnresolved,
  maxPayouts,
  maxPrompts,
  maxSignals,
  signalKey,
  type AttemptState,
  type AttemptData,
  type LineOutcome,
  type Prompt,
  type PaymentAttempt,
  type StartedAttempt,
  type AttemptEvent,
  readAttemptEvent,
} from './payment-attempt'

const evolve = (before: PaymentAttempt, event: AttemptEvent): PaymentAttempt => {
  const method = methodTold(event)
  if (event.type === events.checkoutStarted.type) return { ...begun(event.data), ...(method && { method }) }
  if (before.status === 'none') return before
  const step = steps[event.type] as (attempt: StartedAttempt, data: unknown) => PaymentAttempt
  return step(method ? { ...before, method } : before, event.data)
}

const begun = (checkout: Checkout): StartedAttempt => ({
  status: 'draft',
  checkout,
  outcomes: checkout.lines.map(() => ({ kind: 'open' })),
  token: null,
  money: null,
  acknowledged: false,
  surplus: { owed: 0, paidBack: 0 },
  shortfall: 0,
  hadProblem: false,
  failures: 0,
  lastAnswer: null,
  notedAnswers: 0,
  signals: [],
  refused: [],
  amended: [],
  payouts: {},
})

type LaterEvent = Exclude<AttemptEvent, { type: typeof events.checkoutStarted.type }>

const steps: {
  [Event in LaterEvent as Event['type']]: (attempt: StartedAttempt, data: Event['data']) => PaymentAttempt
} = {
  [events.checkoutRefused.type]: (attempt, { lines }) => ({ ...plain(attempt, 'releasing'), refused: lines }),
  [events.linesReleased.type]: (attempt) =>
    attempt.status === 'releasing' ? plain(attempt, 'refused') : attempt,
  [events.providerTokenIssued.type]: (attempt, { token, ref, limitAt, at }) => ({
    ...plain(attempt, 'initiated'),
    token: { token, ref, issuedAt: at, limitAt },
  }),
  [events.providerTokenRefused.type]: (attempt) => afterProblem(attempt, 'create_failed'),
  [events.customerSignalled.type]: (attempt, { source, claim }) => {
    const signalled = {
      ...attempt,
      signals: [...attempt.signals.slice(-maxSignals), signalKey(source, claim)],
    }
    return attempt.status === 'initiated' ? plain(signalled, 'processing') : signalled
  },
  [events.promptAsked.type]: (attempt, { requestId, network, phone, at }) => ({
    ...attempt,
    prompt: {
      network,
      phone,
      phones: [...new Set([...(attempt.prompt?.phones ?? []), phone])],
      payers: [...(attempt.prompt?.payers ?? payersBefore(attempt)), { network, phone }],
      askedAt: at,
      instructions: null,
      requests: [...(attempt.prompt?.requests ?? []), requestId],
    },
  }),
  [events.promptSent.type]: (attempt, { instructions }) =>
    attempt.prompt ? { ...attempt, prompt: { ...attempt.prompt, instructions } } : attempt,
  [events.promptRefused.type]: (attempt, { requestId }) => ({
    ...attempt,
    refusedPrompts: [...(attempt.refusedPrompts ?? []).slice(1 - maxPrompts), requestId],
  }),
  [events.paymentReopened.type]: (attempt) =>
    withPayers(plain(attempt, 'processing'), (payers) => payers.slice(0, -1)),
  [events.cardPageChosen.type]: (attempt) => withPayers(attempt, (payers) => [...payers, null]),
  [events.attemptSuperseded.type]: (attempt) => ({
    ...afterProblem(attempt, 'cancelled'),
    isSuperseded: true,
  }),
  [events.attemptAbandoned.type]: (attempt) => afterProblem(attempt, 'abandoned'),

  [events.paymentVerified.type]: (attempt, { code, amount, fee, late, at }) => ({
    ...plain(answered(attempt, 'paid', code), 'paid'),
    money: { amount, fee, verifiedAt: at, late },
  }),
  [events.paymentMismatched.type]: (attempt, { code, received, at }) => ({
    ...afterProblem(answered(attempt, 'mismatch', code), 'review'),
    money: { amount: received, fee: 0, verifiedAt: at, late: false },
  }),
  [events.paymentStillPending.type]: (attempt, { code }) =>
    plain(notedAlso(answered(attempt, 'pending', code)), 'processing'),
  [events.paymentDeclined.type]: (attempt, { code }) =>
    afterProblem(answered(attempt, 'declined', code), 'declined'),
  [events.paymentCancelled.type]: (attempt, { code }) =>
    afterProblem(answered(attempt, 'cancelled', code), 'cancelled'),
  [events.paymentExpired.type]: (attempt, { code, cause }) =>
    afterProblem(answered(attempt, cause === 'limit' ? 'pending' : 'expired', code), 'expired'),
  [events.providerAnswerNoted.type]: (attempt, { kind, code }) => notedAlso(answered(attempt, kind, code)),
  [events.paymentAcknowledged.type]: (attempt) => ({ ...attempt, acknowledged: true }),
  [events.acknowledgementGivenUp.type]: (attempt) => ({ ...attempt, acknowledged: true }),

  [events.ordersCreated.type]: (attempt, { orders }) =>
    settled(withOutcomes(attempt, orders, ({ orderId }) => ({ kind: 'ordered', orderId }))),
  [events.linesBlocked.type]: (attempt, { lines }) => ({
    ...afterProblem(
      withOutcomes(attempt, lines, ({ reason }) => ({ kind: 'blocked', reason })),
      'blocked',
    ),
    failures: 0,
  }),
  [events.fulfilmentFailed.type]: (attempt, data) => ({ ...attempt, failures: data.attempt }),
  [events.recoveryStarted.type]: (attempt, { prior, leaseUntil }) => ({
    ...attempt,
    status: 'recovering',
    prior,
    leaseUntil,
    hadProblem: true,
  }),
  [events.recoveryEnded.type]: (attempt) =>
    attempt.status === 'recovering' ? plain(attempt, attempt.prior) : attempt,
  [events.linesAmended.type]: (attempt, { lines }) => {
    const amended = new Map(lines.map((line) => [line.index, line]))
    const all = attempt.checkout.lines.map((line) => amended.get(line.index) ?? line)
    return {
      ...attempt,
      amended: [...new Set([...attempt.amended, ...amended.keys()])],
      checkout: { ...attempt.checkout, lines: all },
    }
  },
  [events.mismatchAccepted.type]: (attempt, { amount, surplus, shortfall, at }) => ({
    ...plain(attempt, 'paid'),
    money: { amount, fee: 0, verifiedAt: at, late: false },
    surplus: { owed: surplus, paidBack: 0 },
    shortfall,
  }),
  [events.remainderWaived.type]: (attempt, data) => waived(attempt, data),
  [events.refundRecorded.type]: (attempt, data) =>
    paidBack({ ...attempt, payouts: withPayout(attempt.payouts, data) }, data),
}

/** Whoever begins with the provider's page may pay there after all. */
const payersBefore = ({ checkout }: AttemptData): Prompt['payers'] => (checkout.payBy ? [] : [null])

const withPayers = <Attempt extends AttemptData>(
  attempt: Attempt,
  change: (payers: Prompt['payers']) => Prompt['payers'],
): Attempt =>
  attempt.prompt
    ? { ...attempt, prompt: { ...attempt.prompt, payers: change(attempt.prompt.payers) } }
    : attempt

const plain = (attempt: AttemptData, status: Exclude<AttemptState, 'recovering'>) => ({ ...attempt, status })

const afterProblem = (attempt: AttemptData, status: Exclude<AttemptState, 'recovering'>) => ({
  ...plain(attempt, status),
  hadProblem: true,
})

const answered = (attempt: StartedAttempt, kind: string, code: string): StartedAttempt => ({
  ...attempt,
  lastAnswer: answerKey(kind, code),
})

const notedAlso = (attempt: StartedAttempt): StartedAttempt => ({
  ...attempt,
  notedAnswers: attempt.notedAnswers + 1,
})

const withOutcomes = <Attempt extends AttemptData, Change extends { index: number }>(
  attempt: Attempt,
  changes: readonly Change[],
  outcomeOf: (change: Change) => LineOutcome,
): Attempt => {
  const outcomes = new Map(changes.map((change) => [change.index, outcomeOf(change)]))
  return { ...attempt, outcomes: attempt.outcomes.map((outcome, index) => outcomes.get(index) ?? outcome) }
}

/** Ended once every line is an order or refunded; while part is owed, a refund is due. */
const settled = (attempt: StartedAttempt): PaymentAttempt => {
  if (!attempt.outcomes.every(isSettled))
    return attempt.outcomes.some(isUnresolved) ? attempt : plain(attempt, 'refund_due')
  const hasOrders = attempt.outcomes.some(({ kind }) => kind === 'ordered')
  return plain(attempt, hasOrders ? 'fulfilled' : 'refunded')
}

const isSettled = (outcome: LineOutcome): boolean =>
  outcome.kind === 'ordered' || (outcome.kind === 'waived' && outcome.paidBack >= outcome.owed)

const waived = (
  attempt: AttemptData,
  { lines, surplus, closure, at }: EventOf<typeof events.remainderWaived>['data'],
): PaymentAttempt => {
  const given = withOutcomes(attempt, lines, ({ index, amount }) => {
    const outcome = attempt.outcomes[index]
    const reason = outcome?.kind === 'blocked' ? outcome.reason : null
    return { kind: 'waived', owed: amount, paidBack: 0, reason, ...(closure && { closure }) }
  })
  const amount = lines.reduce((sum, line) => sum + line.amount, surplus)
  const money = attempt.money ?? { amount, fee: 0, verifiedAt: at, late: false }
  return settled({
    ...afterProblem(given, given.outcomes.some(isUnresolved) ? 'blocked' : 'refund_due'),
    money: { ...money, amount: money.amount ?? amount },
    surplus: { owed: attempt.surplus.owed + surplus, paidBack: attempt.surplus.paidBack },
  })
}

const withPayout = (
  payouts: AttemptData['payouts'],
  { part, payoutId }: EventOf<typeof events.refundRecorded>['data'],
): AttemptData['payouts'] => ({
  ...payouts,
  [part]: [...(payouts[part] ?? []).slice(-maxPayouts), payoutId],
})

const paidBack = (
  attempt: StartedAttempt,
  { part, amount }: EventOf<typeof events.refundRecorded>['data'],
): PaymentAttempt => {
  if (part === 'surplus') {
    const { owed, paidBack: before } = attempt.surplus
    return { ...attempt, surplus: { owed, paidBack: before + amount } }
  }
  const outcome = attempt.outcomes[part]
  if (outcome?.kind !== 'waived') return attempt
  const back = withOutcomes(attempt, [{ index: part }], () => ({
    ...outcome,
    paidBack: outcome.paidBack + amount,
  }))
  return attempt.status === 'refund_due' ? settled(back) : back
}

export const paymentAttempt = {
  streamOf: (id: string): string => `paymentAttempt-${id}`,
  read: readAttemptEvent,
  initial: { status: 'none' } as PaymentAttempt,
  evolve,
}
