import { creditGiven, creditTakenBack } from '#modules/credit/published'
import * as ordering from '#modules/ordering/published'
import * as payments from '#modules/payments/published'
import * as transfers from '#modules/transfers/published'
import type { MealLine } from '#kernel/meal-line'
import { attemptId, line, orderId } from '../audit/sample-events'
import { booked, inShort, told, toldLast } from './booking'

const at = '2026-09-15T06:00:00.000Z'
const about = { orderId, at }
const report = { explanation: 'Paid', method: null, cardLast4: null, approval: null, fraud: null }
const transferId = '0199a000-0000-7000-8000-0000000000aa'
const second = { ...line, index: 1, slot: { ...line.slot, day: 3 }, mealDate: '2026-09-23', price: 3000 }

const checkout = (lines: MealLine[] = [line]) =>
  payments.checkoutStarted({
    attemptId,
    kind: 'card',
    userId: 5,
    lines,
    total: lines.reduce((sum, { price }) => sum + price, 0),
    companyRef: 'LP-1',
    bodyHash: 'x',
    at,
  })
const verified = (amount: number) =>
  payments.paymentVerified({ attemptId, code: '000', amount, fee: 50, late: false, report, at })
const accepted = (amount: number, surplus: number, shortfall: number) =>
  payments.mismatchAccepted({ attemptId, amount, surplus, shortfall, reason: 'fine', at })
const ordered = (more: object = {}) =>
  ordering.lunchOrdered({ ...line, orderId, attemptId, userId: 5, paymentStatus: 'confirmed', at, ...more })
const cancelled = ordering.orderCancelled({ orderId, by: 'parent', afterCutoff: false, at })
const transfer = {
  transferId,
  confirmationId: transferId,
  method: 'airtel' as const,
  by: 1,
  families: [{ userId: 5, orders: [{ orderId, amount: 4500 }], surplus: 500 }],
  at,
}
const transferred = transfers.transferConfirmed({
  ...transfer,
  rowId: null,
  transactionId: null,
  paidAt: null,
  amount: 5000,
  payer: null,
  note: null,
})
test('a card payment is received on the day it was verified, for the days of its meals, without the fee', () => {
  expect(told(checkout([line, second]), verified(7500))).toEqual([
    'received card 45.00 for 2026-09-22',
    'received card 30.00 for 2026-09-23',
  ])
  expect(booked(checkout([line, second]), verified(7500)).map(({ part }) => part)).toEqual([0, 1])
})

test('what credit pays of a meal is no money that was received', () => {
  expect(told(checkout([{ ...line, credit: 4500 }, second]), verified(3000))).toEqual([
    'received card 30.00 for 2026-09-23',
  ])
})

test('more than was asked for is for no meal, and less is written off when it is accepted', () => {
  expect(told(checkout(), accepted(5000, 500, 0))).toEqual([
    'received card 45.00 for 2026-09-22',
    'received card 5.00',
  ])
  expect(told(checkout(), accepted(4400, 0, 100))).toEqual([
    'received card 45.00 for 2026-09-22',
    'received card -1.00',
    'written_off 1.00',
  ])
})

test('a payment that does not fit is nothing until it is decided, and is then what the provider reported', () => {
  const mismatched = payments.paymentMismatched({
    attemptId,
    code: '002',
    received: 4000,
    differences: [],
    report,
    at,
  })
  expect(told(checkout(), mismatched)).toEqual([])
  const waived = payments.remainderWaived({
    attemptId,
    lines: [{ index: 0, amount: 4000 }],
    surplus: 0,
    reason: 'back',
    at,
  })
  expect(toldLast(checkout(), mismatched, waived)).toEqual(['received card 40.00'])
})

test('the money of a meal that is given up leaves its day, and that of one that is moved goes with it', () => {
  const waived = payments.remainderWaived({
    attemptId,
    lines: [{ index: 0, amount: 4500 }],
    surplus: 0,
    reason: 'closed',
    at,
  })
  expect(toldLast(checkout(), verified(4500), waived)).toEqual([
    'received card -45.00 for 2026-09-22',
    'received card 45.00',
  ])
  const moved = payments.linesAmended({ attemptId, lines: [{ ...line, mealDate: '2026-09-24' }], at })
  const last = booked(checkout(), verified(4500), moved).slice(1)
  expect(last.map(inShort)).toEqual([
    'received card -45.00 for 2026-09-22',
    'received card 45.00 for 2026-09-24',
  ])
  expect(last.map(({ part }) => part)).toEqual([null, null])
})

test('an order costs its family its price until it is cancelled, and counts as free where it costs nothing', () => {
  expect(told(ordered())).toEqual(['meal 45.00 for 2026-09-22'])
  expect(toldLast(ordered(), cancelled)).toEqual(['meal -45.00 for 2026-09-22'])
  expect(toldLast(ordered(), cancelled, ordering.orderReopened(about))).toEqual(['meal 45.00 for 2026-09-22'])
  expect(toldLast(ordered(), ordering.orderWithdrawn(about))).toEqual(['meal -45.00 for 2026-09-22'])
  expect(toldLast(ordered(), ordering.orderCompleted(about))).toEqual([])
  expect(toldLast(ordered(), cancelled, ordering.orderRefunded(about))).toEqual([])
  expect(told(ordered({ price: 0 }))).toEqual(['meal 0.00 for 2026-09-22', 'free_meal 1 for 2026-09-22'])
})

test('a cancelled meal gives no more than it cost where its absence was credited before', () => {
  const absence = creditGiven({
    entryId: `absence/${orderId}/1`,
    kind: 'absent',
    userId: 5,
    attemptId,
    amount: 4500,
    about: { orderId, reference: null },
    text: 'Beef Stew for Chipo Banda',
    balanceAfter: 4500,
    at,
  })
  expect(told(ordered(), absence)).toEqual(['meal 45.00 for 2026-09-22', 'granted 45.00 for 2026-09-22'])
  expect(toldLast(ordered(), absence, cancelled)).toEqual([
    'meal -45.00 for 2026-09-22',
    'granted -45.00 for 2026-09-22',
    'credit_given 45.00 for 2026-09-22',
  ])
  const { kind: _kind, ...entry } = absence.data
  const takenBack = creditTakenBack({ ...entry, balanceAfter: 0 })
  expect(toldLast(ordered(), absence, cancelled, takenBack)).toEqual([
    'granted -45.00 for 2026-09-22',
    'granted 45.00 for 2026-09-22',
    'credit_given -45.00 for 2026-09-22',
  ])
})

test('an order that is not paid for is unpaid until a transfer pays it, and again when that is undone', () => {
  const unpaid = ordered({ paymentStatus: 'pending', payBy: 'mtn' })
  expect(told(unpaid)).toEqual(['meal 45.00 for 2026-09-22', 'unpaid 45.00 for 2026-09-22'])
  const confirmed = ordering.orderPaymentConfirmed({ ...about, transferId })
  const undone = ordering.orderPaymentUndone({ ...about, transferId })
  expect(toldLast(unpaid, confirmed)).toEqual(['unpaid -45.00 for 2026-09-22'])
  expect(toldLast(unpaid, confirmed, undone)).toEqual(['unpaid 45.00 for 2026-09-22'])
  expect(toldLast(unpaid, cancelled)).toEqual(['meal -45.00 for 2026-09-22', 'unpaid -45.00 for 2026-09-22'])
})

test('a payment that was confirmed before transfers were kept is received under the way that was chosen', () => {
  const unpaid = ordered({ paymentStatus: 'pending', payBy: 'mtn', credit: 1000 })
  expect(toldLast(unpaid, ordering.orderPaymentConfirmed(about))).toEqual([
    'unpaid -35.00 for 2026-09-22',
    'received mtn 35.00 for 2026-09-22',
  ])
})

test('a meal that becomes dearer or cheaper costs the difference', () => {
  const { item, category, sideDish, comments, originalPrice, discountPercentage } = line
  const old = { item, category, sideDish, comments, originalPrice, price: 4500, discountPercentage }
  const changed = (price: number) =>
    ordering.orderChanged({
      orderId,
      changeId: transferId,
      by: 'parent',
      meal: { ...old, price },
      old,
      at,
    })
  expect(toldLast(ordered(), changed(5000))).toEqual(['meal 5.00 for 2026-09-22'])
  expect(toldLast(ordered(), changed(0))).toEqual([
    'meal -45.00 for 2026-09-22',
    'free_meal 1 for 2026-09-22',
  ])
  expect(toldLast(ordered({ paymentStatus: 'pending' }), changed(4000))).toEqual([
    'meal -5.00 for 2026-09-22',
    'unpaid -5.00 for 2026-09-22',
  ])
})

test('a transfer is received under its method, surplus included, and goes back when it is undone', () => {
  expect(told(transferred)).toEqual(['received airtel 45.00 for 2026-09-22', 'received airtel 5.00'])
  expect(toldLast(transferred, transfers.transferUndone(transfer))).toEqual([
    'paid_back airtel 45.00 for 2026-09-22',
    'paid_back airtel 5.00',
  ])
})

test('what happens late in the evening of Greenwich is booked on the next day of the school', () => {
  const late = { ...verified(4500).data, at: '2026-09-15T22:30:00.000Z' }
  expect(booked(checkout(), payments.paymentVerified(late))[0]).toMatchObject({
    booked: '2026-09-16',
    meal: '2026-09-22',
    user_id: 5,
    attempt_id: attemptId,
  })
})
