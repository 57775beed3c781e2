import * as credit from '#modules/credit/published'
import * as payments from '#modules/payments/published'
import { refundDue, refundPaidBack, refundWithdrawn } from '#modules/refunds/published'
import { attemptId, line, orderId } from '../audit/sample-events'
import { told, toldLast } from './booking'

const at = '2026-09-15T06:00:00.000Z'
const transferId = '0199a000-0000-7000-8000-0000000000aa'
const second = { ...line, index: 1, slot: { ...line.slot, day: 3 }, mealDate: '2026-09-23', price: 3000 }

const refund = {
  refundId: orderId,
  orderId,
  attemptId,
  part: 0,
  amount: 4500,
  at,
}
const due = refundDue({
  ...refund,
  userId: 5,
  reason: 'order_cancelled',
  student: line.student,
  item: { name: line.item.name },
  orderedAt: at,
})
const paidBack = (method: 'cash' | 'credit' | 'given_up', amount = 4500) =>
  refundPaidBack({
    ...refund,
    amount,
    stillOwed: 4500 - amount,
    payoutId: transferId,
    method,
    reference: null,
    note: null,
    by: 1,
  })

test('a refund is owed until it is paid back, given up, made credit, or withdrawn', () => {
  expect(told(due)).toEqual(['owed 45.00 for 2026-09-22'])
  expect(toldLast(due, paidBack('cash', 1000))).toEqual([
    'owed -10.00 for 2026-09-22',
    'paid_back 10.00 for 2026-09-22',
  ])
  expect(toldLast(due, paidBack('given_up'))).toEqual([
    'owed -45.00 for 2026-09-22',
    'given_up 45.00 for 2026-09-22',
  ])
  expect(toldLast(due, paidBack('credit'))).toEqual(['owed -45.00 for 2026-09-22'])
  expect(toldLast(due, refundWithdrawn({ refundId: orderId, at }))).toEqual(['owed -45.00 for 2026-09-22'])
})

const change = {
  userId: 5,
  amount: 4500,
  about: { orderId, reference: null },
  text: 'Beef Stew for Chipo Banda',
  balanceAfter: 4500,
  at,
}

test('credit is given, taken back, charged and paid out as its events tell', () => {
  const given = (entryId: string, kind: 'cancelled' | 'gift' | 'absent') =>
    credit.creditGiven({ ...change, entryId, kind, attemptId })
  const takenBack = (entryId: string) => credit.creditTakenBack({ ...change, entryId, attemptId })
  const paidOut = (method: 'cash' | 'given_up') =>
    credit.creditPaidOut({
      userId: 5,
      payoutId: transferId,
      amount: 4500,
      method,
      reference: null,
      by: 1,
      balanceAfter: 0,
      at,
    })
  expect(told(given(`order/${orderId}/1`, 'cancelled'))).toEqual(['credit_given 45.00 for 2026-09-22'])
  expect(told(takenBack(`order/${orderId}/1`))).toEqual(['credit_given -45.00 for 2026-09-22'])
  expect(told(given(`gift/${transferId}`, 'gift'))).toEqual(['granted 45.00 for 2026-09-22'])
  expect(told(takenBack(`absence/${orderId}/1`))).toEqual(['granted -45.00 for 2026-09-22'])
  expect(told(credit.creditCharged({ ...change, entryId: `change/${transferId}`, attemptId }))).toEqual([
    'credit_spent 45.00 for 2026-09-22',
  ])
  expect(told(paidOut('cash'))).toEqual(['credit_paid_out 45.00'])
  expect(told(paidOut('given_up'))).toEqual(['given_up 45.00'])
})

test('credit that a checkout spent is booked for the days of its meals', () => {
  const checkout = payments.checkoutStarted({
    attemptId,
    kind: 'card',
    userId: 5,
    lines: [line, second],
    total: 7500,
    companyRef: 'LP-1',
    bodyHash: 'x',
    at,
  })
  const spent = credit.creditSpent({
    userId: 5,
    attemptId,
    amount: 4600,
    lines: [
      { index: 0, amount: 1600 },
      { index: 1, amount: 3000 },
    ],
    at,
  })
  expect(toldLast(checkout, spent)).toEqual([
    'credit_spent 16.00 for 2026-09-22',
    'credit_spent 30.00 for 2026-09-23',
  ])
})
