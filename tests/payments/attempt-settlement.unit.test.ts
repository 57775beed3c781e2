import {
  checkoutStarted,
  linesAmended,
  recoveryEnded,
  refundRecorded,
  remainderWaived,
} from '#modules/payments/attempt/events'
import { ledgerOf, paidForLine } from '#modules/payments/attempt/payment-attempt'
import {
  accept,
  after,
  find,
  fulfil,
  refund,
  retry,
  specification,
  waive,
  decide,
  type AttemptCommand,
} from './attempt-steps'
import {
  attemptId,
  checkout,
  happened,
  inState,
  iso,
  minute,
  pastOf,
  payoutOf,
  tuesday,
  total,
  verdicts,
  wednesday,
} from './attempt-words'

describe('E14 to E16 fulfilment', () => {
  test('E15 good lines are orders although others are blocked', () => {
    const blocked = after(inState('paid'), fulfil([0], [1]))
    expect(blocked.status).toBe('blocked')
    expect(blocked.outcomes.map(({ kind }) => kind)).toEqual(['ordered', 'blocked'])
  })
  test('a line that is ordered stays what it is', () => {
    const recovering = inState('recovering')
    const events = decide(fulfil([0, 1]), recovering)
    expect(events.map(({ data }) => data)).toEqual([
      { attemptId, orders: [{ index: 1, orderId: '118.2026-09-16.1' }], at: iso(7) },
    ])
    expect(after(recovering, fulfil([0, 1]))).toMatchObject({ status: 'fulfilled', hadProblem: true })
  })
  test('telling of half the lines is a fault of ours', () =>
    expect(() => decide(fulfil([0]), inState('paid'))).toThrow('every unresolved line'))
  test('E16 stays paid four times, the fifth fault blocks', () => {
    const fault: AttemptCommand = { kind: 'record-failure', error: 'Error', now: minute(7) }
    expect(after(inState('paid'), fault, fault, fault, fault).status).toBe('paid')
    const given = after(inState('paid'), fault, fault, fault, fault, fault)
    expect(given.status).toBe('blocked')
    expect(given.outcomes).toEqual([
      { kind: 'blocked', reason: 'error' },
      { kind: 'blocked', reason: 'error' },
    ])
    expect(after(given, retry(8), fulfil([0, 1], [], 8)).status).toBe('fulfilled')
  })
})

describe('E17 and E18 recovery', () => {
  test.each(['review', 'declined', 'create_failed'] as const)('unpaid goes back to %s', (prior) => {
    const recovering = after(inState(prior), retry(6))
    expect(recovering.status).toBe('recovering')
    expect(after(recovering, find(verdicts.unpaid)).status).toBe(prior)
    expect(after(recovering, find(verdicts.unreachable)).status).toBe(prior)
    expect(after(recovering, { kind: 'end-recovery', why: 'not-paid', now: minute(6) }).status).toBe(prior)
  })
  test.each(['review', 'declined', 'create_failed'] as const)('paid after all from %s', (prior) =>
    expect(after(inState(prior), retry(6), find(verdicts.paid), fulfil([0, 1]))).toMatchObject({
      status: 'fulfilled',
      hadProblem: true,
    }),
  )
  test('a recovery may find a decline, but never from a review', () => {
    expect(after(inState('create_failed'), retry(6), find(verdicts.declined)).status).toBe('declined')
    expect(after(inState('review'), retry(6), find(verdicts.declined)).status).toBe('review')
  })
  test('a recovery of a declined one may find a mismatch', () =>
    expect(after(inState('declined'), retry(6), find(verdicts.mismatch)).status).toBe('review'))
  test('the lease lasts 60 s', () => {
    const lease: AttemptCommand = { kind: 'end-recovery', why: 'lease-lost', now: minute(4.99) }
    expect(after(inState('recovering'), lease).status).toBe('recovering')
    expect(after(inState('recovering'), { ...lease, now: minute(5) }).status).toBe('blocked')
  })
  test('a lost lease may be taken over at once', () =>
    specification
      .given(...pastOf.recovering)
      .when(retry(5))
      .then(recoveryEnded({ attemptId, why: 'lease-lost', at: iso(5) }), {
        ...happened.recovering('blocked'),
        data: { attemptId, prior: 'blocked', leaseUntil: iso(6), at: iso(5) },
      }))
  test('a fulfilment after the lease was lost records nothing', () =>
    specification
      .given(...pastOf.blocked)
      .when(fulfil([1]))
      .nothingHappens())

  const amended = { ...wednesday, slot: { ...wednesday.slot, day: 4 }, mealDate: '2026-09-17' }
  const amend = (line: typeof amended): AttemptCommand => ({
    kind: 'start-recovery',
    amended: [line],
    now: minute(4),
  })
  test('an amended line takes the place of the one that was blocked', () => {
    specification
      .given(...pastOf.blocked)
      .when(amend(amended))
      .then(happened.recovering('blocked'), linesAmended({ attemptId, lines: [amended], at: iso(4) }))
    const recovering = after(inState('blocked'), amend(amended))
    expect(recovering.checkout.lines[1]).toEqual(amended)
    expect(recovering.amended).toEqual([1])
  })
  test('a dearer or cheaper line, one that is ordered and one that never was cannot be amended', () => {
    for (const line of [
      { ...amended, price: 4551 },
      { ...amended, price: 4549 },
      { ...amended, index: 0 },
      { ...amended, index: 2 },
    ])
      specification
        .given(...pastOf.blocked)
        .when(amend(line))
        .refused('line_not_amendable')
  })
})

const reviewOf = (received: number | null) =>
  after(inState('processing'), find({ ...verdicts.mismatch, received }))

describe('E19 accepting a mismatch', () => {
  test('overpaid: orders are made and the surplus is owed back', () => {
    const accepted = after(reviewOf(total + 250), accept, fulfil([0, 1]))
    expect(accepted).toMatchObject({ status: 'fulfilled', surplus: { owed: 250, paidBack: 0 } })
    expect(ledgerOf(accepted)).toMatchObject({ received: 9350, ordered: 9100, owed: 250, held: 0 })
    expect(ledgerOf(after(accepted, refund('surplus', 250)))).toMatchObject({ owed: 0, paidBack: 250 })
  })
  test('underpaid: orders are made and the shortfall stands in the books', () => {
    const accepted = after(reviewOf(9000), accept, fulfil([0, 1]))
    expect(ledgerOf(accepted)).toMatchObject({ received: 9000, ordered: 9100, shortfall: 100, owed: 0 })
    expect(accepted.shortfall).toBe(100)
    expect([0, 1, 2].map((line) => paidForLine(accepted, line))).toEqual([4550, 4450, 0])
  })
  test('underpaid: what a line was paid for stays the same while the others become orders', () => {
    const half = after(reviewOf(9000), accept, fulfil([1], [0]))
    expect([0, 1].map((line) => paidForLine(half, line))).toEqual([4550, 4450])
    const whole = after(half, retry(8), fulfil([0, 1], [], 8))
    expect([0, 1].map((line) => paidForLine(whole, line))).toEqual([4550, 4450])
  })
  test('paid in full, every line was paid for with its price', () => {
    const fulfilled = after(inState('paid'), fulfil([0, 1]))
    expect([0, 1].map((line) => paidForLine(fulfilled, line))).toEqual([4550, 4550])
  })
  test('so much is missing that a line was not paid for at all', () => {
    const accepted = after(reviewOf(4000), accept, fulfil([0, 1]))
    expect([0, 1].map((line) => paidForLine(accepted, line))).toEqual([4000, 0])
  })
  test('underpaid, and a line cannot be had: no more is owed back than is held', () => {
    const waived = after(reviewOf(9000), accept, fulfil([0], [1]), waive)
    expect(ledgerOf(waived)).toMatchObject({ received: 9000, ordered: 4550, owed: 4450, held: 0 })
  })
  test('an amount that nobody told counts as the total', () =>
    expect(after(reviewOf(null), accept)).toMatchObject({ money: { amount: total }, shortfall: 0 }))
})

describe('E20 and E21 money back', () => {
  test('blocked: the orders stay, the rest is owed and back', () => {
    const waived = after(inState('blocked'), waive)
    expect(waived.status).toBe('refund_due')
    expect(ledgerOf(waived)).toMatchObject({ ordered: 4550, owed: 4550, held: 0 })
    expect(after(waived, refund(1, 4550))).toMatchObject({ status: 'fulfilled', hadProblem: true })
  })
  test('review: what was received is owed, line by line, and what is above as a surplus', () => {
    expect(after(reviewOf(5000), waive).outcomes).toMatchObject([{ owed: 4550 }, { owed: 450 }])
    const over = after(reviewOf(9200), waive)
    expect(over.outcomes).toMatchObject([{ owed: 4550 }, { owed: 4550 }])
    expect(over.surplus.owed).toBe(100)
    expect(after(over, refund(0, 4550), refund(1, 4550)).status).toBe('refunded')
  })
  test('nothing was ordered: all of it back is refunded', () => {
    const owed = after(inState('paid'), fulfil([], [0, 1]), waive)
    const half = after(owed, refund(0, 4550))
    expect(half.status).toBe('refund_due')
    expect(after(half, refund(1, 4000)).status).toBe('refund_due')
    expect(after(half, refund(1, 4000), refund(1, 550)).status).toBe('refunded')
  })
  test('the same act of paying back counts once', () => {
    const owed = after(inState('paid'), fulfil([], [0, 1]), waive)
    expect(ledgerOf(after(owed, refund(0, 100), refund(0, 100)))).toMatchObject({ paidBack: 100 })
  })
  test('more than is owed is refused', () =>
    expect(() => after(inState('refund_due'), refund(1, 4551))).toThrow(
      expect.objectContaining({ code: 'refund_too_high' }),
    ))
})

test('what went back in ever so many parts is recorded once each, also the first part of the first line', () => {
  const lines = Array.from({ length: 10 }, (_, index) => ({ ...tuesday, index }))
  const about = { attemptId, at: iso(7) }
  const shares = lines.map(({ index }) => ({ index, amount: 4550 }))
  const parts = Array.from({ length: 50 }, (_, part) => part + 1)
  const recorded = lines.flatMap(({ index }) =>
    parts.map((amount) =>
      refundRecorded({ ...about, part: index, payoutId: payoutOf(index, amount), amount }),
    ),
  )
  const past = [
    checkoutStarted({ ...checkout, lines, total: 45_500, at: iso(0) }),
    remainderWaived({ ...about, lines: shares, surplus: 0, reason: 'School closed' }),
    ...recorded,
  ]
  specification
    .given(...past)
    .when(refund(0, 1))
    .nothingHappens()
  specification
    .given(...past)
    .when(refund(9, 50))
    .nothingHappens()
  specification
    .given(...past)
    .when(refund(0, 51))
    .then(refundRecorded({ attemptId, at: iso(9), part: 0, payoutId: payoutOf(0, 51), amount: 51 }))
})
