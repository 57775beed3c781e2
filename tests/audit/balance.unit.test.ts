import type { DomainEvent } from '#kernel/event'
import { balanceText, isWrong, totalsOf } from '#modules/audit/checks/audit-report'
import { creditFaults, transferFaults } from '#modules/audit/checks/balance.decide'
import { journalSums } from '#modules/audit/checks/journal-sums'
import {
  creditCharged,
  creditGiven,
  creditHeld,
  creditSpent,
  creditTakenBack,
  type GivenKind,
} from '#modules/credit/family-credit'
import {
  lunchOrdered,
  orderCancelled,
  orderCompleted,
  orderRefunded,
  orderReopened,
  orderChanged,
  orderPaymentConfirmed,
  orderPaymentUndone,
} from '#modules/ordering/published'
import {
  checkoutStarted,
  mismatchAccepted,
  linesBlocked,
  ordersCreated,
  paymentMismatched,
  paymentVerified,
  remainderWaived,
} from '#modules/payments/published'
import { refundDue, refundPaidBack } from '#modules/refunds/published'
import { transferConfirmed, transferUndone } from '#modules/transfers/published'
import { recordedEvents } from '../support/recorded-events'
import { audited, changed, minutesLater } from './auditing'
import { attemptId, orderId, sample, line } from './sample-events'
import { transferId } from './sample-transfers'

const at = '2026-09-15T06:00:00.000Z'

const { item, category, sideDish, comments, originalPrice, price, discountPercentage } = line

describe('the balance of money', () => {
  const started = sample(checkoutStarted.type)
  const paid = changed(sample(paymentVerified.type), { fee: 0 })
  const ordered = sample(lunchOrdered.type)
  const created = sample(ordersCreated.type)
  const cancelled = sample(orderCancelled.type)
  const due = sample(refundDue.type)

  /** Where the money of one attempt is, which must balance. */
  const where = (...events: DomainEvent[]) => {
    const [balance] = audited(events)
    expect(balance).toMatchObject({ difference: 0, clues: [] })
    const { paidIn, shortfall, kept, paidBack, due: owed, toBeOwed, fee, held, unpaid } = balance!
    const all = { paidIn, shortfall, kept, paidBack, owed, toBeOwed, fee, held, unpaid }
    return Object.fromEntries(Object.entries(all).filter(([, amount]) => amount !== 0))
  }

  describe('where the money of one meal for K45.00 is', () => {
    test('begun: nowhere yet', () => expect(where(started)).toEqual({}))
    test('paid: held', () => expect(where(started, paid)).toEqual({ paidIn: 4500, held: 4500 }))
    test('paid with a fee on top: held, and a fee', () =>
      expect(where(started, sample(paymentVerified.type))).toEqual({ paidIn: 4550, held: 4500, fee: 50 }))
    test('ordered: kept', () =>
      expect(where(started, paid, ordered, created)).toEqual({ paidIn: 4500, kept: 4500 }))
    test('ordered, and the attempt does not know it yet: kept', () =>
      expect(where(started, paid, ordered)).toEqual({ paidIn: 4500, kept: 4500 }))
    test('eaten: kept', () =>
      expect(where(started, paid, ordered, created, sample(orderCompleted.type))).toMatchObject({
        kept: 4500,
      }))
    test('cancelled: owed back', () =>
      expect(where(started, paid, ordered, created, cancelled, due)).toEqual({ paidIn: 4500, owed: 4500 }))
    test('paid back in part: both', () =>
      expect(where(started, paid, ordered, created, cancelled, due, sample(refundPaidBack.type))).toEqual({
        paidIn: 4500,
        owed: 1500,
        paidBack: 3000,
      }))
    test('accepted with K1.00 missing, then cancelled: what came in is owed back, and nothing is missing', () => {
      const accepted = changed(sample(mismatchAccepted.type), { amount: 4400, surplus: 0, shortfall: 100 })
      const mismatched = changed(sample(paymentMismatched.type), { received: 4400 })
      const owed = changed(due, { amount: 4400 })
      expect(where(started, mismatched, accepted, ordered, created, cancelled, owed)).toEqual({
        paidIn: 4400,
        owed: 4400,
      })
    })
    test('cancelled and set back to pending: kept', () =>
      expect(where(started, paid, ordered, created, cancelled, sample(orderReopened.type))).toEqual({
        paidIn: 4500,
        kept: 4500,
      }))
    test('not as asked for: held until somebody decides', () =>
      expect(where(started, sample(paymentMismatched.type))).toEqual({ paidIn: 4000, held: 4000 }))
    test('accepted with K5.00 missing, and ordered: kept', () =>
      expect(
        where(started, sample(paymentMismatched.type), sample(mismatchAccepted.type), ordered, created),
      ).toEqual({ paidIn: 4000, shortfall: 500, kept: 4500 }))
    test('accepted with K5.00 missing, then given up: what came in is owed back', () => {
      const waived = changed(sample(remainderWaived.type), {
        lines: [{ index: 0, amount: 4000 }],
        surplus: 0,
      })
      const owed = changed(due, {
        refundId: `${attemptId}.0`,
        orderId: null,
        amount: 4000,
        reason: 'line_waived',
      })
      const accepted = [sample(paymentMismatched.type), sample(mismatchAccepted.type)]
      expect(where(started, ...accepted, waived, owed)).toEqual({ paidIn: 4000, owed: 4000 })
    })
    test('of an alternative checkout: unpaid until somebody confirms it', () => {
      const alternative = changed(started, { kind: 'alternative' })
      const unpaid = changed(ordered, { paymentStatus: 'pending' })
      expect(where(alternative, unpaid, created)).toEqual({ unpaid: 4500 })
      const confirmed = sample('ordering.order-payment-confirmed.v1')
      expect(where(alternative, unpaid, created, confirmed)).toEqual({ paidIn: 4500, kept: 4500 })
      expect(where(alternative, unpaid, created, cancelled)).toEqual({})
    })
  })

  test('what was cancelled minutes ago is about to be owed back, and a day later it is missing', () => {
    const events = [started, paid, ordered, created, cancelled]
    expect(audited(events, minutesLater)).toEqual([
      expect.objectContaining({ toBeOwed: 4500, difference: 0, clues: [] }),
    ])
    expect(audited(events)).toEqual([
      expect.objectContaining({
        toBeOwed: 0,
        difference: 4500,
        clues: [`order ${orderId} is cancelled, and nobody was ever told to pay its K45.00 back`],
      }),
    ])
  })

  test('an order that stands again is not double for the moment until its refund is withdrawn', () => {
    const events = [started, paid, ordered, created, cancelled, due, sample(orderReopened.type)]
    expect(audited(events, minutesLater)).toEqual([
      expect.objectContaining({ kept: 4500, difference: 0, clues: [] }),
    ])
    expect(audited(events)).toEqual([
      expect.objectContaining({
        difference: -4500,
        clues: [`order ${orderId} is active, and is refunded as well`],
      }),
    ])
  })

  test('an amount the provider did not say is counted apart', () => {
    const balances = audited([started, changed(sample(paymentMismatched.type), { received: null })])
    expect(totalsOf(balances)).toMatchObject({ paidIn: 0, held: 0, heldUnknown: 1, unbalanced: 0 })
  })

  describe('what does not balance says which attempt, how much and why it might be', () => {
    const refundedMark = sample(orderRefunded.type)
    test.each<[string, DomainEvent[], string[]]>([
      [
        'an order that is marked as refunded when a part of it went back',
        [started, paid, ordered, created, cancelled, due, sample(refundPaidBack.type), refundedMark],
        [`order ${orderId} is marked as refunded, and K15.00 of it is still owed`],
      ],
      [
        'orders without a payment',
        [started, ordered, created],
        ['K45.00 too much', 'its meals were treated as paid, and no payment that fits is known'],
      ],
      [
        'an order that the attempt made and the slot does not know',
        [started, paid, created],
        ['K45.00 is nowhere', `order ${orderId}, which it says was made, is not in the history`],
      ],
      [
        'meals that could not be ordered, without a payment',
        [started, sample(linesBlocked.type)],
        ['the sum is right', 'its meals were treated as paid, and no payment that fits is known'],
      ],
      ['an order without its checkout', [ordered], ['K45.00 too much', 'there is no such checkout']],
      [
        'an order of another price',
        [started, paid, changed(ordered, { price: 4400 }), created],
        ['K1.00 is nowhere', `order ${orderId} costs K44.00, and K45.00 was in the cart for it`],
      ],
      [
        'another total than its meals',
        [changed(started, { total: 4600 }), paid, ordered, created],
        ['the sum is right', 'its meals cost K45.00, its total is K46.00'],
      ],
      [
        'a refund for an order that stands',
        [started, paid, ordered, created, due],
        ['K45.00 too much', 'is active, and is refunded as well'],
      ],
      [
        'a refund of another amount',
        [started, paid, ordered, created, cancelled, changed(due, { amount: 4600 })],
        ['K1.00 too much', 'is not what its order cost, K45.00'],
      ],
      [
        'a refund whose parts do not add up',
        [
          started,
          paid,
          ordered,
          created,
          cancelled,
          due,
          changed(sample(refundPaidBack.type), { amount: 3100 }),
        ],
        ['K1.00 too much', 'K31.00 went back and K15.00 is owed'],
      ],
      [
        'an order marked as refunded that is owed',
        [started, paid, ordered, created, cancelled, due, refundedMark],
        ['the sum is right', 'is marked as refunded, and K45.00 of it is still owed'],
      ],
      [
        'an order marked as refunded without any refund',
        [started, paid, ordered, created, cancelled, refundedMark],
        ['K45.00 is nowhere', 'is refunded, and nobody was ever told'],
      ],
      [
        'a refund of an order nobody knows',
        [started, paid, due],
        ['K45.00 too much', `the order of refund ${orderId} is not in the history`],
      ],
      [
        'a refund that nobody decided',
        [started, paid, changed(due, { refundId: `${attemptId}.0`, orderId: null })],
        ['K45.00 too much', `refund ${attemptId}.0 is of K45.00, and K0.00 was decided`],
      ],
      [
        'a meal given up that nobody pays back',
        [started, paid, changed(sample(remainderWaived.type), { surplus: 0 })],
        ['K45.00 is nowhere', 'meal 1 was given up, and nobody was ever told'],
      ],
      [
        'paid too much, and nobody pays it back',
        [
          started,
          changed(sample(paymentMismatched.type), { received: 5000 }),
          changed(sample(mismatchAccepted.type), { amount: 5000, surplus: 500, shortfall: 0 }),
          ordered,
          created,
        ],
        ['K5.00 is nowhere', 'K5.00 was paid too much, and nobody'],
      ],
      [
        'a payment whose amount was changed',
        [started, changed(paid, { amount: 4600 }), ordered, created],
        ['K1.00 is nowhere', 'one of its events may have been changed or removed'],
      ],
    ])('%s', (_what, events, parts) => {
      const [balance, ...others] = audited(events)
      expect(others).toEqual([])
      expect(isWrong(balance!)).toBe(true)
      const words = balanceText(balance!)
      for (const part of [attemptId, ...parts]) expect(words).toContain(part)
    })
  })
})

describe('the balance of credit', () => {
  /** A stew for K45.00 of which credit paid K15.00, and a card the rest. */
  const partly = { ...line, credit: 1500 }
  const byCredit = { index: 0, amount: 1500 }
  const family = { userId: 21, about: { orderId, reference: null }, text: 'Stew', at }
  const gift = creditGiven({
    ...family,
    entryId: 'gift/1',
    kind: 'gift',
    attemptId: null,
    amount: 1500,
    about: { orderId: null, reference: null },
    balanceAfter: 1500,
  })
  const held = creditHeld({ ...family, attemptId, lines: [byCredit], amount: 1500, balanceAfter: 0 })
  const spent = creditSpent({ userId: 21, attemptId, lines: [byCredit], amount: 1500, at })
  const ordered = changed(sample(lunchOrdered.type), { credit: 1500 })
  const placed: DomainEvent[] = [
    gift,
    changed(sample(checkoutStarted.type), { lines: [partly] }),
    held,
    changed(sample(paymentVerified.type), { fee: 0, amount: 3000 }),
    ordered,
    sample(ordersCreated.type),
    spent,
  ]
  const given = (entryId: string, kind: GivenKind, amount: number) =>
    creditGiven({ ...family, entryId, kind, attemptId, amount, balanceAfter: amount })
  const cancelled = (remedy: 'refund' | 'credit') => changed(sample(orderCancelled.type), { remedy })
  const due = (amount: number) => changed(sample(refundDue.type), { amount })
  const forOrder = `order/${orderId}/1`
  const old = { item, category, sideDish, comments, originalPrice, price, discountPercentage }
  const toPrice = (to: number) =>
    orderChanged({ orderId, changeId: attemptId, by: 'parent', meal: { ...old, price: to }, old, at })

  const balanceOf = (...events: DomainEvent[]) =>
    audited([...placed, ...events]).find((one) => one.attemptId === attemptId)!

  test.each<[string, DomainEvent[], object]>([
    ['ordered: kept', [], { paidIn: 3000, creditSpent: 1500, kept: 4500 }],
    [
      'cancelled: the money is owed, the credit given',
      [cancelled('refund'), due(3000), given(forOrder, 'cancelled', 1500)],
      { kept: 0, due: 3000, creditGiven: 1500 },
    ],
    [
      'cancelled as credit: all of it given',
      [cancelled('credit'), given(forOrder, 'cancelled', 4500)],
      { creditGiven: 4500 },
    ],
    [
      'placed again: taken back, and kept',
      [
        cancelled('credit'),
        given(forOrder, 'cancelled', 4500),
        creditTakenBack({ ...family, entryId: forOrder, attemptId, amount: 4500, balanceAfter: 0 }),
        sample(orderReopened.type),
      ],
      { kept: 4500, creditGiven: 4500, creditTakenBack: 4500 },
    ],
    [
      'its refund as credit: given, and not paid back',
      [
        cancelled('refund'),
        due(3000),
        given(forOrder, 'cancelled', 1500),
        changed(sample(refundPaidBack.type), { amount: 3000, stillOwed: 0, method: 'credit' }),
        given('refund/1', 'cancelled', 3000),
      ],
      { paidBack: 0, due: 0, creditGiven: 4500 },
    ],
    [
      'absent: its price is lower by what that gave',
      [given('absence/1', 'absent', 2000)],
      { kept: 2500, creditGiven: 2000 },
    ],
    [
      'absent and then cancelled: the rest is owed',
      [given('absence/1', 'absent', 2000), cancelled('refund'), due(2500)],
      { due: 2500, creditGiven: 2000 },
    ],
    [
      'absent, cancelled and paid back in full: taken back',
      [
        given('absence/1', 'absent', 2000),
        cancelled('refund'),
        due(3000),
        given(forOrder, 'cancelled', 1500),
        creditTakenBack({ ...family, entryId: 'absence/1', attemptId, amount: 2000, balanceAfter: 0 }),
      ],
      { due: 3000, creditGiven: 3500, creditTakenBack: 2000 },
    ],
    [
      'a cheaper meal: the difference is given',
      [toPrice(4000), given('change/1', 'changed', 500)],
      { kept: 4000, creditGiven: 500 },
    ],
    [
      'a cheaper meal, cancelled',
      [
        toPrice(4000),
        given('change/1', 'changed', 500),
        cancelled('refund'),
        due(3000),
        given(forOrder, 'cancelled', 1000),
      ],
      { due: 3000, creditGiven: 1500 },
    ],
    [
      'a dearer meal takes the difference',
      [
        creditCharged({ ...family, entryId: 'change/1', attemptId, amount: 500, balanceAfter: 0 }),
        toPrice(5000),
      ],
      { kept: 5000, creditSpent: 2000 },
    ],
  ])('%s', (_what, events, expected) => {
    expect(balanceOf(...events)).toMatchObject({ ...expected, difference: 0, clues: [] })
  })

  test('a cancelled order whose credit was never given is found', () => {
    const wrong = balanceOf(cancelled('refund'), due(3000))
    expect(wrong.difference).toBe(1500)
    expect(balanceText(wrong)).toContain('was never given as credit')
  })

  test('credit that is nowhere, or was never given, or is negative, is found', () => {
    const account = {
      user_id: 21,
      given: 1500,
      taken_back: 0,
      spent: 1000,
      paid_out: 0,
      held: 0,
      balance: 500,
    }
    expect(creditFaults([account])).toEqual([])
    expect(creditFaults([{ ...account, balance: 400 }])).toEqual([
      'The credit of user 21: of K15.00 given K1.00 is nowhere.',
    ])
    expect(creditFaults([{ ...account, spent: 1100 }])).toEqual([
      'The credit of user 21: of K15.00 given K1.00 was never given.',
    ])
    expect(creditFaults([{ ...account, balance: -1 }])).toEqual(['The credit of user 21 is negative.'])
  })
})

describe('the balance of transfers', () => {
  const nextDay = new Date('2026-09-16T06:00:00.000Z')
  const act = '0199a000-0000-7000-8000-000000000021'

  const unpaid = changed(sample(lunchOrdered.type), { paymentStatus: 'pending' })
  const came = sample(transferConfirmed.type)
  const paid = orderPaymentConfirmed({ orderId, transferId, at })
  const undone = sample(transferUndone.type)
  const unpaidAgain = orderPaymentUndone({ orderId, transferId, at })
  const about = { orderId: null, reference: null }
  const credit = (entry: string, amount: number) =>
    creditGiven({
      userId: 5,
      entryId: `transfer/${transferId}/${act}/${entry}`,
      kind: 'overpaid',
      amount,
      attemptId: null,
      about,
      text: 'Too much',
      balanceAfter: amount,
      at,
    })
  const surplus = credit('5', 500)
  const surplusBack = creditTakenBack({
    userId: 5,
    entryId: `transfer/${transferId}/${act}/5`,
    amount: 500,
    attemptId: null,
    about,
    text: 'Undone',
    balanceAfter: 0,
    at,
  })

  const faults = (events: readonly DomainEvent[], now = nextDay) => {
    const { add, sums } = journalSums()
    add(recordedEvents(...events))
    return transferFaults(sums, now)
  }

  test.each<[string, DomainEvent[]]>([
    ['pays its order, and its surplus is credit', [unpaid, came, paid, surplus]],
    ['was undone with all that it paid', [unpaid, came, paid, surplus, undone, unpaidAgain, surplusBack]],
    ['is credit for an order that was gone', [unpaid, came, credit(orderId, 4500), surplus]],
    [
      'was never, where a payment was confirmed before there were transfers',
      [unpaid, orderPaymentConfirmed({ orderId, at })],
    ],
  ])('nothing is wrong with a transfer that %s', (_what, events) => expect(faults(events)).toEqual([]))

  const notPaid = `Order ${orderId} counts K0.00 as paid by transfers, and these pay K45.00 for it.`
  const paidByNone = `Order ${orderId} counts K45.00 as paid by transfers, and these pay K0.00 for it.`
  const surplusMissing = `The surplus of K5.00 of transfer ${transferId} for user 5 was never given.`

  test.each<[string, DomainEvent[], string]>([
    ['whose order was never marked', [unpaid, came, surplus], notPaid],
    ['that is unknown', [unpaid, paid], paidByNone],
    ['that was undone and still pays', [unpaid, came, paid, surplus, undone, surplusBack], paidByNone],
    ['whose surplus was never given', [unpaid, came, paid], surplusMissing],
    [
      'whose surplus stands though it was undone',
      [unpaid, came, paid, surplus, undone, unpaidAgain],
      `The surplus of K5.00 of transfer ${transferId} for user 5 is still there, though it was undone.`,
    ],
    [
      'that brought another amount than it pays',
      [unpaid, changed(came, { amount: 5100 }), paid, surplus],
      `Transfer ${transferId} brought K51.00, and pays K50.00 in all.`,
    ],
  ])('a transfer %s is found', (_what, events, fault) => expect(faults(events)).toEqual([fault]))

  test('what was confirmed within the hour may still be on its way', () => {
    expect(faults([unpaid, came], minutesLater)).toEqual([])
  })
})
