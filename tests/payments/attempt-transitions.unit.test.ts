import { type AttemptState, ledgerOf } from '#modules/payments/attempt/payment-attempt'
import { after, find, fulfil, specification, decide, type AttemptCommand } from './attempt-steps'
import {
  checkout,
  happened,
  inState,
  minute,
  pastOf,
  standing,
  total,
  tuesday,
  verdicts,
} from './attempt-words'

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
