import * as fc from 'fast-check'
import { paymentVerified, ordersCreated } from '#modules/payments/attempt/events'
import { paymentAttempt } from '#modules/payments/attempt/fold'
import { liveLabel, parentStatus, recoveryStatus } from '#modules/payments/console/labels'
import {
  ledgerOf,
  attemptStates,
  isUnresolved,
  type AttemptState,
  type PaymentAttempt,
  type StartedAttempt,
  type AttemptEvent,
} from '#modules/payments/attempt/payment-attempt'
import { Refusal } from '#kernel/refusal'
import { otherAttempt } from '../ordering/lunches'
import { happened, minute, payoutOf, verdicts } from './attempt-words'
import { decide, type AttemptCommand } from './attempt-steps'
import { tries } from '../support/tries'

type Step = (attempt: PaymentAttempt, now: Date) => AttemptCommand

const always =
  (command: Record<string, unknown>): Step =>
  (_attempt, now) =>
    ({ ...command, now }) as AttemptCommand

/** A worker that found these lines good and the others bad; it may have looked long ago. */
const fulfilment =
  (good: readonly boolean[]): Step =>
  (attempt, now) => {
    const open =
      attempt.status === 'none' ? [] : [0, 1].filter((index) => isUnresolved(attempt.outcomes[index]))
    return {
      kind: 'record-fulfilment',
      orders: open
        .filter((index) => good[index])
        .map((index) => ({ index, orderId: `118.2026-09-${15 + index}.1` })),
      blocked: open.filter((index) => !good[index]).map((index) => ({ index, reason: 'day_blocked' })),
      now,
    }
  }

/** Finance pays back all that is owed for a line. */
const refundWhole =
  (part: number): Step =>
  (attempt, now) => {
    const outcome = attempt.status === 'none' ? undefined : attempt.outcomes[part]
    const amount = outcome?.kind === 'waived' ? outcome.owed - outcome.paidBack : 1
    return { kind: 'record-refund', part, payoutId: payoutOf(part, now.getTime() % 100_000_000), amount, now }
  }

const issue: Step = (_attempt, now) => ({
  kind: 'issue-token',
  token: 'TOKEN-1',
  ref: null,
  limitAt: minute(30),
  holdUntil: minute(45),
  now,
})

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.constant(issue),
  fc
    .constantFrom(
      ...Object.values(verdicts),
      { ...verdicts.mismatch, received: null },
      { ...verdicts.mismatch, received: 9350 },
    )
    .map((verdict) => always({ kind: 'record-verdict', verdict })),
  fc.tuple(fc.boolean(), fc.boolean()).map(fulfilment),
  fc.constantFrom('return', 'push', 'sweep').map((source) => always({ kind: 'signal', source, claim: null })),
  fc.constantFrom(
    always({ kind: 'refuse-token', why: 'unreachable', detail: null }),
    always({ kind: 'supersede', by: otherAttempt }),
    always({ kind: 'abandon', tokenCancelled: true }),
    always({ kind: 'record-failure', error: 'Error' }),
    always({ kind: 'start-recovery', amended: [] }),
    always({ kind: 'start-recovery', amended: [] }),
    always({ kind: 'end-recovery', why: 'lease-lost' }),
    always({ kind: 'end-recovery', why: 'not-paid' }),
    always({ kind: 'accept', reason: 'why' }),
    always({ kind: 'waive', reason: 'why' }),
    always({ kind: 'record-acknowledgement' }),
  ),
  fc.constantFrom(refundWhole(0), refundWhole(1)),
  fc
    .tuple(fc.constantFrom(0, 1, 'surplus' as const), fc.constantFrom(100, 4450, 4550, 250))
    .map(([part, amount]) =>
      always({ kind: 'record-refund', part, payoutId: payoutOf(part, amount), amount }),
    ),
)

const moneyStates: AttemptState[] = [
  'paid',
  'fulfilled',
  'blocked',
  'recovering',
  'review',
  'refund_due',
  'refunded',
]

const decided = (command: AttemptCommand, attempt: PaymentAttempt): AttemptEvent[] => {
  try {
    return decide(command, attempt)
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

// Thousands of times: cheaper than expect.
const keeps = (promise: string, isKept: boolean) => {
  if (!isKept) throw new Error(`Not kept: ${promise}`)
}

const keepsBooks = (attempt: StartedAttempt) => {
  const { received, ordered, shortfall, held, owed, paidBack } = ledgerOf(attempt)
  keeps('balance', received + shortfall === ordered + held + owed + paidBack)
  keeps('only an accepted shortfall', shortfall <= attempt.shortfall)
  keeps('nothing below zero', Math.min(held, owed, paidBack) >= 0)
  const hasEnded = ['fulfilled', 'refund_due', 'refunded'].includes(attempt.status)
  keeps('nothing left over at the end', !hasEnded || held === 0)
  keeps('refunded is without orders', attempt.status !== 'refunded' || ordered === 0)
}

test('whatever happens in whatever order: money is where the books say, and no meal is ordered twice', () => {
  const reached = new Set<AttemptState>()
  fc.assert(
    fc.property(
      fc.array(fc.tuple(anyStep, fc.integer({ min: 0, max: 20_000 })), { minLength: 25, maxLength: 60 }),
      (steps) => {
        let attempt = paymentAttempt.evolve({ status: 'none' }, happened.started)
        let at = minute(0).getTime()
        let hadMoney = false
        let payments = 0
        const ordered: number[] = []
        for (const [step, ms] of steps) {
          at += ms * 6
          for (const event of decided(step(attempt, new Date(at)), attempt)) {
            attempt = paymentAttempt.evolve(attempt, event)
            if (event.type === paymentVerified.type) payments += 1
            if (event.type === ordersCreated.type)
              ordered.push(...event.data.orders.map(({ index }) => index))
          }
          if (attempt.status === 'none') throw new Error('An attempt came to nothing')
          reached.add(attempt.status)

          hadMoney ||= attempt.money !== null
          keeps('money states', !hadMoney || moneyStates.includes(attempt.status))
          keepsBooks(attempt)
          parentStatus(attempt)
          liveLabel(attempt)
          recoveryStatus(attempt)
        }
        expect(new Set(ordered).size).toBe(ordered.length)
        expect(payments).toBeLessThanOrEqual(1)
      },
    ),
    { numRuns: tries(2000), seed: 20_260_914 },
  )
  const ofCards = attemptStates.filter((state) => state !== 'releasing' && state !== 'refused')
  expect(ofCards.filter((state) => !reached.has(state))).toEqual([])
})
