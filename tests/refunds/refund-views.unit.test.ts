import { refundDue } from '#modules/refunds/refund'
import { refundsView } from '#modules/refunds/refunds.view'
import { lettersView, refundPaidLetter } from '#modules/refunds/tell-family-when-refund-paid.reactor'
import { checkoutStarted, mismatchAccepted, remainderWaived } from '#modules/payments/attempt/events'
import { type AttemptEvent, owedBack } from '#modules/payments/attempt/payment-attempt'
import { paymentAttempt } from '#modules/payments/attempt/fold'
import {
  openAttemptRefunds,
  settleRefundWhenOwedMoneyChanges,
  recordRefundWhenPaidBack,
} from '#modules/refunds/settle-refund.reactor'
import type { DomainEvent } from '#kernel/event'
import { orderCancelled, orderReopened } from '#modules/ordering/slot/events'
import type { JobQueue } from '#platform/jobs/job'
import type { Reactor } from '#platform/module'
import { viewSpec } from '../support/view-spec'
import { attempt, monday7, mary, tuesdayMeal } from '../ordering/lunches'
import { cancelledAt, due, orderRefund, owedForNshima, paidBack, withdrawn, payoutId } from './refund-words'
import { fold } from '../support/given-when-then'
import { by, refundOffice } from './refund-office'
import { standIn } from '../support/stand-ins'
import { given, takenBack } from '../credit/credit-words'
import { recorded } from '../support/recorded-events'

const at = monday7.toISOString()

const view = viewSpec(refundsView)
const row = {
  id: orderRefund,
  order_id: orderRefund,
  attempt_id: attempt,
  student_name: 'Chanda',
  student_grade: '4',
  item_name: 'Nshima with relish',
  amount: 4550,
  owed: 4550,
  status: 'due',
  reason: 'order_cancelled',
  ordered_at: monday7.toISOString(),
  due_since: cancelledAt.toISOString(),
  paid_back_at: null,
  paid_back_as: null,
  as_credit: 0,
}

test('what is owed is listed', () => view.given(due).thenRows([row]))

test('what went back in part is owed less', () =>
  view.given(due, paidBack(1, 1000, 3550)).thenRows([{ ...row, owed: 3550 }]))

test('what went back is owed no more', () =>
  view.given(due, paidBack(1, 1000, 3550), paidBack(2, 3550, 0)).thenRows([
    {
      ...row,
      owed: 0,
      status: 'paid_back',
      paid_back_at: paidBack(2, 3550, 0).data.at,
      paid_back_as: paidBack(2, 3550, 0).data.method,
    },
  ]))

test('what is cooked after all is not owed, until it is cancelled again', () => {
  view.given(due, withdrawn).thenRows([{ ...row, owed: 0, status: 'withdrawn' }])
  view.given(due, withdrawn, due).thenRows([row])
})

test('what was paid too much has no order', () => {
  const id = `${attempt}.surplus`
  const surplus = refundDue({
    ...owedForNshima,
    refundId: id,
    orderId: null,
    reason: 'overpaid',
    at: cancelledAt.toISOString(),
  })
  view.given(surplus).thenRow(id, { ...row, id, order_id: null, reason: 'overpaid' })
})

const spec = viewSpec(lettersView)

test('each payout is one letter', () => {
  const payouts = [paidBack(1, 1000, 3550), paidBack(2, 3550, 0)] as const
  spec
    .given(...payouts)
    .thenRows(
      payouts.map(({ data }, index) => ({ id: payoutId(index + 1), refund_id: orderRefund, at: data.at })),
    )
})

test.each(['credit', 'given_up'] as const)('what went back as %s is none', (method) =>
  spec.given(paidBack(1, 4550, 0, { method })).thenRows([]),
)

describe('refund paid letter', () => {
  const due = { item: { name: 'Nshima' }, student: { name: 'Chanda', grade: '3' } }

  test('a family hears how much was paid back, for what, and what is still to come', () => {
    expect(refundPaidLetter(due, { amount: 4550, stillOwed: 0, method: 'mobile_money' })).toEqual({
      subject: 'Money was paid back to you',
      text: 'The school has paid back K45.50 by mobile money for Nshima of Chanda.',
      bareText: 'The school has paid back K45.50 by mobile money.',
      short: 'The school has paid back K45.50 by mobile money.',
    })
    expect(refundPaidLetter(due, { amount: 1000, stillOwed: 3550, method: 'manual' }).short).toBe(
      'The school has paid back K10.00. K35.50 of it is still to be paid back.',
    )
  })
})

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

const orderId = orderRefund

/** What is enqueued when the event is heard, by job id. */
const enqueuedBy = async (
  reactor: (queue: Pick<JobQueue, 'enqueue'>) => Reactor,
  event: DomainEvent,
  times = 2,
) => {
  const jobs = new Map<string, unknown>()
  const { types, react } = reactor({
    enqueue: async ({ name }, payload, { id }) => void jobs.set(`${name} ${id}`, payload),
  })
  const heard = recorded(event)
  expect(types).toContain(event.type)
  for (let round = 0; round < times; round += 1) await react(heard)
  return { eventId: heard.id, jobs: [...jobs] }
}

test.each([
  orderCancelled({ orderId, by: 'parent', afterCutoff: false, at }),
  orderReopened({ orderId, at }),
  given(`absence/${orderId}/1`, 'absent', 2275, 2275),
  given('change/1', 'changed', 1000, 1000),
  takenBack(`absence/${orderId}/1`, 'absent', 2275, 0),
])('$type heard twice looks at the order once', async (event) => {
  const { jobs, eventId } = await enqueuedBy(standIn(settleRefundWhenOwedMoneyChanges), event)
  expect(jobs).toEqual([[`settle-refund settle-${eventId}`, { orderId, eventId }]])
})

test('a present is no reason to look at an order', async () => {
  const { jobs } = await enqueuedBy(
    standIn(settleRefundWhenOwedMoneyChanges),
    given('gift/1', 'gift', 100, 100),
  )
  expect(jobs).toEqual([])
})

test.each([
  remainderWaived({
    attemptId: attempt,
    lines: [{ index: 0, amount: 1 }],
    surplus: 0,
    reason: 'blocked',
    at,
  }),
  mismatchAccepted({ attemptId: attempt, amount: 9500, surplus: 400, shortfall: 0, reason: 'twice', at }),
])('$type heard twice looks at the attempt once', async (event) => {
  const { jobs, eventId } = await enqueuedBy(standIn(settleRefundWhenOwedMoneyChanges), event)
  expect(jobs).toEqual([[`settle-refund settle-${eventId}`, { attemptId: attempt, eventId }]])
})

test('an attempt is told what went back of it, not what went back of an order', async () => {
  const { jobs, eventId } = await enqueuedBy(
    (queue) => recordRefundWhenPaidBack(standIn({ queue })),
    paidBack(1, 4550, 0, { orderId: null, part: 'surplus' }),
  )
  const payload = { attemptId: attempt, part: 'surplus', payoutId: payoutId(1), amount: 4550 }
  expect(jobs).toEqual([[`record-refund record-${eventId}`, payload]])
  expect(
    (await enqueuedBy((queue) => recordRefundWhenPaidBack(standIn({ queue })), paidBack(1, 4550, 0))).jobs,
  ).toEqual([])
})
