import type { Receipt } from '#contracts/books'
import type { DomainEvent } from '#kernel/event'
import { receiptLetter } from '#modules/books/receipts/mail-receipt-when-transfer-confirmed.reactor'
import { readReceiptNumber, receiptNumber, type ReceiptRow } from '#modules/books/receipts/receipt'
import { vatIn } from '#modules/books/receipts/receipts.commands'
import { receiptsView } from '#modules/books/receipts/receipts.view'
import { lunchOrdered, orderPaymentConfirmed } from '#modules/ordering/published'
import {
  mismatchAccepted,
  paymentMismatched,
  paymentVerified,
  checkoutStarted,
} from '#modules/payments/published'
import { transferConfirmed, transferUndone } from '#modules/transfers/published'
import { changesOf, touchReader } from '#platform/projections/row-view'
import { mary, otherAttempt, tuesdayMeal, zone } from '../ordering/lunches'
import { changedToStew } from '../ordering/slot-words'
import { attemptId, happened, iso } from '../payments/attempt-words'
import { due, orderRefund, paidBack, payoutId, withdrawn } from '../refunds/refund-words'
import { recordedEvents } from '../support/recorded-events'
import { viewSpec } from '../support/view-spec'

const { started, verified, mismatched, bothWaived, secondWaived, secondBlocked } = happened

const view = receiptsView(zone)
const order = '118.2026-09-15.1'

/** The receipts and credit notes that these events make, with their amounts. */
const counted = (...events: DomainEvent[]): string[] => {
  viewSpec(view).given(...events)
  const [change] = changesOf(new Map(), touchReader([view])(recordedEvents(...events)))
  return ((change?.written ?? []) as ReceiptRow[])
    .flatMap(({ kind, year, number, method, amount, user_id }) =>
      kind === 'receipt' || kind === 'credit_note'
        ? [`${receiptNumber({ kind, year: year!, number: number! })} ${method} ${amount} of ${user_id}`]
        : [],
    )
    .toSorted()
}

const about = (minutes: number, id = attemptId) => ({ attemptId: id, at: iso(minutes) })
const withoutAmount = paymentMismatched({ ...mismatched.data, received: null })
const accepted = mismatchAccepted({ ...about(3), amount: 9000, surplus: 0, shortfall: 100, reason: 'Fine' })

const ordered = lunchOrdered({
  ...tuesdayMeal,
  orderId: order,
  attemptId,
  userId: mary,
  paymentStatus: 'pending',
  payBy: 'airtel',
  at: iso(0),
})
const confirmed = orderPaymentConfirmed({ orderId: order, at: iso(9) })

describe('a card payment has one receipt, of the first event that makes the money ours', () => {
  test.each<[string, DomainEvent[], string[]]>([
    ['none before', [started, mismatched], []],
    ['the verified one', [started, verified], ['2026-000001 card 9100 of 21']],
    [
      'the verified one after it did not fit',
      [started, mismatched, verified],
      ['2026-000001 card 9100 of 21'],
    ],
    ['the accepted one', [started, mismatched, accepted], ['2026-000001 card 9000 of 21']],
    [
      'what was received of what is given back',
      [started, mismatched, bothWaived],
      ['2026-000001 card 9000 of 21'],
    ],
    [
      'what is given back where nobody knows',
      [started, withoutAmount, bothWaived],
      ['2026-000001 card 9100 of 21'],
    ],
    [
      'no second one of the rest',
      [started, verified, secondBlocked, secondWaived],
      ['2026-000001 card 9100 of 21'],
    ],
    ['none without a card', [checkoutStarted({ ...started.data, kind: 'alternative' }), bothWaived], []],
  ])('%s', (_what, events, expected) => expect(counted(...events)).toEqual(expected))

  test('the provider’s fee is not ours', () => {
    const withFee = paymentVerified({ ...verified.data, fee: 300 })
    expect(counted(started, withFee)).toEqual(['2026-000001 card 9100 of 21'])
  })
})

describe('an order that was confirmed for itself', () => {
  test('has its own receipt, by the way that was chosen', () => {
    expect(counted(ordered, confirmed, confirmed)).toEqual(['2026-000001 airtel 4550 of 21'])
  })
  test('of what it cost then', () => {
    expect(counted(ordered, changedToStew, confirmed)).toEqual(['2026-000001 airtel 2700 of 21'])
  })
  test('has none where credit paid all', () => {
    const free = lunchOrdered({ ...ordered.data, credit: 4550 })
    expect(counted(free, confirmed)).toEqual([])
  })
})

describe('a credit note', () => {
  test('corrects the receipt, each time that something goes back', () => {
    const events = [
      started,
      verified,
      due,
      paidBack(1, 1000, 3550),
      paidBack(2, 3550, 0),
      paidBack(2, 3550, 0),
    ]
    expect(counted(...events)).toEqual([
      '2026-000001 card 9100 of 21',
      'CN2026-000001 card 1000 of 21',
      'CN2026-000002 card 3550 of 21',
    ])
    viewSpec(view)
      .given(...events)
      .thenRow(
        payoutId(2),
        expect.objectContaining({ receipt_id: attemptId, refund_id: orderRefund, order_id: orderRefund }),
      )
  })
  test('stands under the way in which the money had come', () => {
    expect(counted(ordered, confirmed, due, paidBack(1, 4550, 0))).toContain(
      'CN2026-000001 airtel 4550 of 21',
    )
  })
  test.each(['credit', 'given_up'] as const)('is not made of what was %s', (method) => {
    expect(counted(started, verified, due, paidBack(1, 4550, 0, { method }))).toHaveLength(1)
  })
  test('is not made of what is only owed', () => {
    expect(counted(started, verified, due, withdrawn)).toHaveLength(1)
  })
})

const other = 22
const transferId = '0199c0de-0000-7000-8000-0000000000a1'
const confirmation = (number: number) => `0199c0de-0000-7000-8000-0000000000b${number}`
const families = (...amounts: [userId: number, paid: number, surplus: number][]) =>
  amounts.map(([userId, paid, surplus]) => ({
    userId,
    orders: paid > 0 ? [{ orderId: order, amount: paid }] : [],
    surplus,
  }))
const arrived = (number: number, ...amounts: [userId: number, paid: number, surplus: number][]) =>
  transferConfirmed({
    transferId,
    confirmationId: confirmation(number),
    rowId: null,
    method: 'mtn',
    transactionId: 'MP1',
    paidAt: null,
    amount: amounts.reduce((sum, [, paid, surplus]) => sum + paid + surplus, 0),
    payer: 'Somebody',
    note: null,
    by: 5,
    families: families(...amounts),
    at: iso(9),
  })
const undone = (number: number, ...amounts: [userId: number, paid: number, surplus: number][]) =>
  transferUndone({
    transferId,
    confirmationId: confirmation(number),
    by: 5,
    method: 'mtn',
    families: families(...amounts),
    at: iso(10),
  })
const byTransfer = orderPaymentConfirmed({ orderId: order, transferId, at: iso(9) })

describe('a transfer', () => {
  test('has a receipt for each family, with its surplus, in the order of the event', () => {
    const both = arrived(1, [other, 0, 500], [mary, 4550, 450])
    expect(counted(ordered, both, byTransfer, both)).toEqual([
      '2026-000001 mtn 500 of 22',
      '2026-000002 mtn 5000 of 21',
    ])
  })
  test('has none for a family that it brings nothing', () => {
    expect(counted(ordered, arrived(1, [mary, 0, 0], [other, 0, 500]))).toEqual(['2026-000001 mtn 500 of 22'])
  })
  test('that was undone has a credit note for each family, once, and a new receipt when it is confirmed again', () => {
    const events = [
      ordered,
      arrived(1, [mary, 4550, 450]),
      byTransfer,
      undone(1, [mary, 4550, 450]),
      undone(1, [mary, 4550, 450]),
      arrived(2, [mary, 4550, 450]),
    ]
    expect(counted(...events)).toEqual([
      '2026-000001 mtn 5000 of 21',
      '2026-000002 mtn 5000 of 21',
      'CN2026-000001 mtn 5000 of 21',
    ])
    viewSpec(view)
      .given(...events)
      .thenRow(order, expect.objectContaining({ receipt_id: `${transferId}.${confirmation(2)}.${mary}` }))
  })
  test('gives its method and its receipt to what goes back of its orders', () => {
    const events = [ordered, arrived(1, [mary, 4550, 0]), byTransfer, due, paidBack(1, 4550, 0)]
    expect(counted(...events)).toContain('CN2026-000001 mtn 4550 of 21')
    viewSpec(view)
      .given(...events)
      .thenRow(
        payoutId(1),
        expect.objectContaining({ receipt_id: `${transferId}.${confirmation(1)}.${mary}` }),
      )
  })
})

describe('numbers', () => {
  test('go up by one, in the order of the store, and begin anew with the year of the school’s clock', () => {
    const events = [
      started,
      paymentVerified({ ...verified.data, at: '2026-12-31T21:59:59.000Z' }),
      checkoutStarted({ ...started.data, attemptId: otherAttempt }),
      paymentVerified({ ...verified.data, attemptId: otherAttempt, at: '2026-12-31T22:00:00.000Z' }),
      ordered,
      orderPaymentConfirmed({ orderId: order, at: '2026-12-31T21:00:00.000Z' }),
    ]
    expect(counted(...events)).toEqual([
      '2026-000001 card 9100 of 21',
      '2026-000002 airtel 4550 of 21',
      '2027-000001 card 9100 of 21',
    ])
  })
  test.each(['2026-000123', 'CN2026-000012', '2026-1000000'])('%s is read as it is written', (text) => {
    expect(receiptNumber(readReceiptNumber(text)!)).toBe(text)
  })
  test.each(['2026-1', 'XX2026-000001', '26-000001', ''])('"%s" is none', (text) => {
    expect(readReceiptNumber(text)).toBeNull()
  })
})

test('these events are counted or tell what is; no other', () => {
  expect(view.events.map(({ type }) => type).toSorted()).toEqual([
    'ordering.lunch-ordered.v1',
    'ordering.order-changed.v1',
    'ordering.order-payment-confirmed.v1',
    'payments.card-page-chosen.v1',
    'payments.checkout-started.v1',
    'payments.mismatch-accepted.v1',
    'payments.payment-mismatched.v1',
    'payments.payment-verified.v1',
    'payments.prompt-asked.v1',
    'payments.remainder-waived.v1',
    'payments.transfer-confirmed.v1',
    'payments.transfer-undone.v1',
    'refunds.refund-due.v1',
    'refunds.refund-paid-back.v1',
  ])
})

describe('the letter with a receipt', () => {
  const receipt: Receipt = {
    number: '2026-000123',
    kind: 'receipt',
    at: '2026-09-14T05:00:00.000Z',
    date: '2026-09-14',
    corrects: null,
    creditNotes: [],
    school: { name: 'Lusaka School', tpin: '', address: '' },
    payer: 'Mary',
    method: 'airtel',
    paidFrom: null,
    references: ['LP-7K3QW9'],
    providerReference: 'MP1',
    lines: [
      {
        mealDate: '2026-09-15',
        student: 'Chanda',
        item: 'Nshima',
        category: 'beef',
        sideDish: 'Cabbage',
        originalPrice: 45.5,
        price: 45.5,
        credit: 5.5,
      },
    ],
    discount: 0,
    creditUsed: 5.5,
    surplus: 10,
    missing: 0,
    amount: 50,
    vat: null,
  }

  describe('the mail about a payment that has arrived', () => {
    const letter = receiptLetter(receipt, 'https://lunch.example')
    test('has the amount, the meals with their choices, the receipt and where it is', () => {
      expect(letter.text).toBe(`We received your payment of K50.00. It pays for these meals:

Chanda
- Tuesday, 15 September 2026: Nshima (beef, Cabbage), K40.00

K10.00 of it is credit of your family now, for your next meals.

Receipt 2026-000123: https://lunch.example/receipts/2026-000123
Payment reference: LP-7K3QW9`)
    })
  })

  test.each([
    [11_600, 16, 1600],
    [4550, 16, 628],
    [1, 16, 0],
    [4, 100, 2],
    [3, 100, 2],
    [10_000, 17.5, 1489],
  ])('%i ngwee include at %d percent %i of VAT, rounded half up', (amount, percent, vat) => {
    expect(vatIn(amount, percent)).toBe(vat)
  })
})
