import { checkoutStarted, mismatchAccepted, remainderWaived } from '#modules/payments/attempt/events'
import { type AttemptEvent, owedBack } from '#modules/payments/attempt/payment-attempt'
import { paymentAttempt } from '#modules/payments/attempt/fold'
import { openAttemptRefunds } from '#modules/refunds/settle-refund.reactor'
import { fold } from '../support/given-when-then'
import { attempt, mary, monday7, tuesdayMeal } from '../ordering/lunches'
import { by, refundOffice } from './refund-office'
import { standIn } from '../support/stand-in'

const at = monday7.toISOString()
const started = checkoutStarted({
  attemptId: attempt,
  kind: 'card',
  userId: mary,
  lines: [tuesdayMeal, { ...tuesdayMeal, index: 1, slot: { ...tuesdayMeal.slot, day: 3 } }],
  total: 9100,
  companyRef: 'LP-7K3QW9ZD2M',
  bodyHash: 'hash-1',
  at,
})
const waived = remainderWaived({
  attemptId: attempt,
  lines: [
    { index: 0, amount: 0 },
    { index: 1, amount: 4550 },
  ],
  surplus: 0,
  reason: 'the day is blocked',
  at,
})
const overpaid = mismatchAccepted({
  attemptId: attempt,
  amount: 9500,
  surplus: 400,
  shortfall: 0,
  reason: 'paid twice',
  at,
})

const owedAfter = (...events: AttemptEvent[]) => owedBack(fold(paymentAttempt, events))

const owedLine = {
  part: 1,
  userId: mary,
  amount: 4550,
  student: { name: 'Chanda', grade: '4' },
  item: { name: 'Nshima with relish' },
  orderedAt: at,
}
const surplus = { ...owedLine, part: 'surplus', amount: 400, item: { name: 'Overpayment' } }

const owedByAttempt = async () => owedAfter(started, overpaid, waived)

describe('an attempt owes back', () => {
  test('nothing while it stands', () => {
    expect(owedAfter()).toEqual([])
    expect(owedAfter(started)).toEqual([])
  })
  test('the lines that were given up, as far as they were paid for', () =>
    expect(owedAfter(started, waived)).toEqual([owedLine]))
  test('what was paid too much', () => expect(owedAfter(started, overpaid)).toEqual([surplus]))
})

test('each part is owed once, and goes back without an order', async () => {
  const office = refundOffice()
  const open = openAttemptRefunds(standIn({ ...office.refunds, payments: { owedByAttempt } }))
  await open(attempt, by)
  await open(attempt, by)
  expect(await office.refund(`${attempt}.1`)).toMatchObject({
    status: 'due',
    due: { orderId: null, attemptId: attempt, part: 1, amount: 4550, reason: 'line_waived' },
  })
  expect(await office.refund(`${attempt}.surplus`)).toMatchObject({
    due: { part: 'surplus', amount: 400, reason: 'overpaid' },
  })
  expect(await office.payBack(`${attempt}.1`)).toMatchObject({
    status: 'paid_back',
    payouts: [{ orderId: null, attemptId: attempt, part: 1, amount: 4550, stillOwed: 0 }],
  })
  await open(attempt, by)
  expect(await office.refund(`${attempt}.1`)).toMatchObject({ status: 'paid_back' })
})
