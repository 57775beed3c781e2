import { Refusal } from '#kernel/refusal'
import { type AttemptState, attemptStates, ledgerOf } from '#modules/payments/attempt/payment-attempt'
import type { Verdict } from '#modules/payments/providers/provider'
import { otherAttempt } from '../ordering/lunches'
import { type AttemptCommand, decide, after, find, fulfil, specification } from './attempt-steps'
import {
  inState,
  minute,
  payoutOf,
  verdicts,
  checkout,
  happened,
  pastOf,
  standing,
  total,
  tuesday,
} from './attempt-words'

describe('attempt machine', () => {
  type Outcome = string[] | `refused: ${string}`

  /** What a command does in each state; in a state that is not named nothing happens and nothing is recorded. */
  type Row = { command: AttemptCommand; does: Partial<Record<AttemptState, Outcome>> }

  const now = minute(6)
  const find = (verdict: Verdict): AttemptCommand => ({ kind: 'record-verdict', verdict, now })

  const each = (states: readonly AttemptState[], outcome: Outcome) =>
    Object.fromEntries(states.map((state) => [state, outcome]))
  const allBut = (...states: AttemptState[]) => attemptStates.filter((state) => !states.includes(state))

  const ours = ['paid', 'fulfilled', 'blocked', 'recovering', 'refund_due', 'refunded'] as const
  const notOurs = allBut(...ours)
  const noted: Outcome = ['provider-answer-noted']

  const table: Record<string, Row> = {
    'E2 token issued': {
      command: {
        kind: 'issue-token',
        token: 'TOKEN-2',
        ref: null,
        limitAt: minute(30),
        holdUntil: minute(45),
        now,
      },
      does: { ...each(allBut('draft'), 'refused: attempt_closed'), draft: ['provider-token-issued'] },
    },
    'E3 token refused': {
      command: { kind: 'refuse-token', why: 'unreachable', detail: 'timeout', now },
      does: { draft: ['provider-token-refused'] },
    },
    'E4 signal by the sweep': {
      command: { kind: 'signal', source: 'sweep', claim: null, now },
      does: { initiated: ['customer-signalled'] },
    },
    "E4 signal with a browser's claim": {
      command: { kind: 'signal', source: 'advice', claim: 'completed', now },
      does: each(attemptStates, ['customer-signalled']),
    },
    'E5 paid': {
      command: find(verdicts.paid),
      does: {
        ...each(notOurs, ['payment-verified']),
        ...each(['recovering', 'blocked', 'refund_due', 'refunded', 'paid', 'fulfilled'], []),
      },
    },
    'E6 mismatch': {
      command: find(verdicts.mismatch),
      does: { ...each(notOurs, ['payment-mismatched']), ...each(ours, noted), review: [] },
    },
    'E7 pending': {
      command: find(verdicts.unpaid),
      does: {
        ...each(attemptStates, noted),
        ...each(['initiated', 'processing'], ['payment-still-pending']),
      },
    },
    'E8 declined': {
      command: find(verdicts.declined),
      does: {
        ...each(attemptStates, noted),
        ...each(['initiated', 'processing'], ['payment-declined']),
        declined: [],
      },
    },
    'E9 cancelled': {
      command: find(verdicts.cancelled),
      does: {
        ...each(attemptStates, noted),
        ...each(['initiated', 'processing'], ['payment-cancelled']),
        cancelled: [],
      },
    },
    'E10 expired': {
      command: find(verdicts.expired),
      does: {
        ...each(attemptStates, noted),
        ...each(['initiated', 'processing'], ['payment-expired']),
        expired: [],
      },
    },
    'E11 unreachable': { command: find(verdicts.unreachable), does: each(attemptStates, noted) },
    'E11 config': { command: find(verdicts.config), does: each(attemptStates, noted) },
    'E12 supersede': {
      command: { kind: 'supersede', by: otherAttempt, now },
      does: each(['initiated', 'processing'], ['attempt-superseded']),
    },
    'E13 abandon': {
      command: { kind: 'abandon', tokenCancelled: false, now },
      does: {
        ...each(attemptStates, 'refused: not_processing'),
        ...each(ours, 'refused: attempt_paid'),
        ...each(['abandoned', 'cancelled', 'expired'], []),
        processing: ['attempt-abandoned'],
      },
    },
    'E14 and E15 fulfilment': {
      command: {
        kind: 'record-fulfilment',
        orders: [{ index: 0, orderId: '118.2026-09-15.1' }],
        blocked: [{ index: 1, reason: 'day_past' }],
        now,
      },
      does: { paid: ['orders-created', 'lines-blocked'], recovering: ['lines-blocked'] },
    },
    'E16 fault': {
      command: { kind: 'record-failure', error: 'Error', now },
      does: { paid: ['fulfilment-failed'], recovering: ['fulfilment-failed', 'lines-blocked'] },
    },
    'E17 retry': {
      command: { kind: 'start-recovery', amended: [], now: minute(4) },
      does: {
        ...each(attemptStates, 'refused: nothing_to_recover'),
        ...each(['blocked', 'review', 'declined', 'create_failed'], ['recovery-started']),
        recovering: 'refused: recovery_in_progress',
      },
    },
    'E17 not paid': { command: { kind: 'end-recovery', why: 'not-paid', now }, does: {} },
    'E18 lease lost': {
      command: { kind: 'end-recovery', why: 'lease-lost', now },
      does: { recovering: ['recovery-ended'] },
    },
    'E19 accept': {
      command: { kind: 'accept', reason: 'A bank fee', now },
      does: {
        ...each(attemptStates, 'refused: nothing_to_accept'),
        review: ['mismatch-accepted'],
        paid: [],
      },
    },
    'E20 waive': {
      command: { kind: 'waive', reason: 'School closed', now },
      does: {
        ...each(attemptStates, 'refused: nothing_to_waive'),
        ...each(['blocked', 'review'], ['remainder-waived']),
        ...each(['refund_due', 'refunded'], []),
      },
    },
    'E21 refund done': {
      command: { kind: 'record-refund', part: 1, payoutId: payoutOf(1, 4550), amount: 4550, now },
      does: {
        ...each(attemptStates, 'refused: nothing_owed'),
        refund_due: ['refund-recorded'],
        refunded: [],
      },
    },
    acknowledgement: {
      command: { kind: 'record-acknowledgement', now },
      does: each(ours, ['payment-acknowledged']),
    },
    'acknowledgement given up': {
      command: { kind: 'give-up-acknowledgement', now },
      does: each(ours, ['acknowledgement-given-up']),
    },
  }

  const outcomeOf = (command: AttemptCommand, state: AttemptState): Outcome => {
    try {
      return decide(command, inState(state)).map(({ type }) => type.split('.')[1]!)
    } catch (error) {
      if (error instanceof Refusal) return `refused: ${error.code}`
      throw error
    }
  }

  const pairs = Object.entries(table).flatMap(([name, { command, does }]) =>
    attemptStates.map((state) => [name, state, command, does[state] ?? []] as const),
  )

  test('the past of each state comes to that state', () => {
    for (const state of attemptStates) expect(inState(state).status).toBe(state)
  })

  test.each(pairs)('%s when %s', (_name, state, command, expected) => {
    expect(outcomeOf(command, state)).toEqual(expected)
  })

  test('nothing of the machine begins without a checkout', () => {
    for (const { command } of Object.values(table))
      expect(() => decide(command, { status: 'none' })).toThrow(
        expect.objectContaining({ code: 'attempt_not_found' }),
      )
  })
})

describe('money wins', () => {
  test.each<AttemptState>(['create_failed', 'declined', 'cancelled', 'expired', 'abandoned'])(
    'E5 after %s: paid, late, and recovered once fulfilled',
    (state) => {
      const paid = after(inState(state), find(verdicts.paid))
      expect(paid).toMatchObject({ status: 'paid', money: { amount: total, late: true } })
      expect(after(paid, fulfil([0, 1]))).toMatchObject({ status: 'fulfilled', hadProblem: true })
    },
  )
  test.each<AttemptState>(['initiated', 'processing', 'draft'])('E5 in %s is not late', (state) => {
    expect(after(inState(state), find(verdicts.paid), fulfil([0, 1]))).toMatchObject({
      status: 'fulfilled',
      hadProblem: false,
      money: { late: false },
    })
  })
  test.each<AttemptState>(['paid', 'fulfilled', 'blocked', 'recovering', 'refund_due', 'refunded'])(
    'nothing the provider says later moves %s',
    (state) => {
      for (const verdict of Object.values(verdicts)) {
        const later = after(inState(state), find(verdict))
        expect(later.status).toBe(state)
        expect(ledgerOf(later)).toEqual(ledgerOf(inState(state)))
      }
    },
  )
})

describe('an answer is told once', () => {
  test('E7 the same pending answer again is not recorded', () => {
    const waiting = after(inState('initiated'), find(verdicts.unpaid))
    expect(waiting.status).toBe('processing')
    expect(decide(find(verdicts.unpaid, 8), waiting)).toEqual([])
    expect(decide(find(verdicts.atBank, 8), waiting)).toHaveLength(1)
  })
  test.each<AttemptState>(['processing', 'declined', 'fulfilled'])(
    'answers that come and go are noted 100 times at most, and money still counts: %s',
    (state) => {
      let attempt = inState(state)
      let events = 0
      for (let turn = 0; turn < 300; turn += 1) {
        const verdict = turn % 2 === 0 ? verdicts.unreachable : verdicts.unpaid
        events += decide(find(verdict), attempt).length
        attempt = after(attempt, find(verdict))
      }
      expect(events).toBe(100)
      const paid = after(attempt, find(verdicts.paid))
      expect(paid.status).toBe(state === 'fulfilled' ? 'fulfilled' : 'paid')
    },
  )
  test('E11 an unreachable provider is noted once and changes nothing', () => {
    const silent = after(inState('processing'), find(verdicts.unreachable))
    expect(silent.status).toBe('processing')
    expect(decide(find(verdicts.unreachable), silent)).toEqual([])
    expect(decide(find(verdicts.config), silent)).toHaveLength(1)
  })
  test('E4 the same claim again is not recorded, and twenty claims are enough', () => {
    const claims = Array.from({ length: 25 }, (_, number): AttemptCommand => ({
      kind: 'signal',
      source: 'advice',
      claim: `claim ${number % 22}`,
      now: minute(2),
    }))
    expect(after(inState('processing'), ...claims).signals).toHaveLength(20)
  })
})

describe('E10 the time limit', () => {
  test('unpaid 2 minutes after it is expired', () => {
    expect(after(inState('processing'), find(verdicts.unpaid, 31.99)).status).toBe('processing')
    expect(after(inState('processing'), find(verdicts.unpaid, 32)).status).toBe('expired')
  })
  test('then the same answer again is not recorded', () => {
    const expired = after(inState('processing'), find(verdicts.unpaid, 32))
    expect(decide(find(verdicts.unpaid, 60), expired)).toEqual([])
  })
  test('at the bank it may still come', () =>
    expect(after(inState('processing'), find(verdicts.atBank, 60)).status).toBe('processing'))
  test('an unreachable provider does not expire anything', () =>
    expect(after(inState('processing'), find(verdicts.unreachable, 60)).status).toBe('processing'))
})

describe('E6 a mismatch', () => {
  test('holds what the provider told', () =>
    expect(ledgerOf(inState('review'))).toMatchObject({ received: 9000, held: 9000 }))
  test('an amount that is told later is learned', () => {
    const unknown = after(inState('processing'), find({ ...verdicts.mismatch, received: null }))
    const learned = after(unknown, find(verdicts.mismatch))
    expect(learned).toMatchObject({ status: 'review', money: { amount: 9000 } })
  })
  test('V_PAID wins over the review', () =>
    expect(after(inState('review'), find(verdicts.paid)).status).toBe('paid'))
  test('"declined" does not', () =>
    expect(after(inState('review'), find(verdicts.declined)).status).toBe('review'))
})

describe('E1 starting a card payment', () => {
  const start: AttemptCommand = { kind: 'start', checkout, now: minute(0) }
  test('begins with its lines', () => specification.given().when(start).then(happened.started))
  test('not for nothing', () =>
    specification
      .given()
      .when({ ...start, checkout: { ...checkout, lines: [{ ...tuesday, price: 0 }] } })
      .refused('nothing_to_pay'))
  test('its orders are not made before it is paid', () =>
    specification
      .given(happened.started)
      .when({ kind: 'record-orders', orders: [{ index: 0, orderId: '118.2026-09-15.1' }], now: minute(0) })
      .refused('attempt_closed'))
  test('nor can it be refused as a free one is', () =>
    specification
      .given(happened.started)
      .when({ kind: 'refuse', lines: [{ index: 0, code: 'already_ordered' }], now: minute(0) })
      .refused('attempt_closed'))
  test('the same token again is nothing new', () => {
    const again = { token: 'TOKEN-1', ref: 'R1', limitAt: minute(30), holdUntil: minute(45), now: minute(1) }
    specification
      .given(...pastOf.initiated)
      .when({ kind: 'issue-token', ...again })
      .nothingHappens()
  })
})

test('an acknowledgement is recorded once', () => {
  const acknowledge: AttemptCommand = { kind: 'record-acknowledgement', now: minute(7) }
  expect(after(inState('paid'), acknowledge).acknowledged).toBe(true)
  expect(decide(acknowledge, after(inState('paid'), acknowledge))).toEqual([])
})

test('a review whose money is given up by hand is recovered', () =>
  expect(standing(...pastOf.review).hadProblem).toBe(true))
