import type { DomainEvent } from '#kernel/event'
import { orderCancelled, orderReopened } from '#modules/ordering/slot/events'
import { checkoutStarted, mismatchAccepted, remainderWaived } from '#modules/payments/attempt/events'
import { paymentAttempt } from '#modules/payments/attempt/fold'
import { type AttemptEvent, owedBack } from '#modules/payments/attempt/payment-attempt'
import type { RefundsNeeds } from '#modules/refunds/index'
import { refundDue } from '#modules/refunds/refund'
import { refundsView } from '#modules/refunds/refunds.view'
import { openAttemptRefunds, recordRefunds, settleRefunds } from '#modules/refunds/settle-refund.reactor'
import { lettersView, refundPaidLetter } from '#modules/refunds/tell-family-when-refund-paid.reactor'
import type { EventStore } from '#platform/event-store/event-store'
import type { JobQueue } from '#platform/jobs/job'
import type { Reactor } from '#platform/module'
import { given, takenBack } from '../credit/credit-words'
import { attempt, monday7, mary, tuesdayMeal } from '../ordering/lunches'
import { fold } from '../support/given-when-then'
import { recorded } from '../support/recorded-events'
import { standIn } from '../support/stand-ins'
import { viewSpec } from '../support/view-spec'
import { by, refundOffice } from './refund-office'
import { cancelledAt, due, orderRefund, owedForNshima, paidBack, withdrawn, payoutId } from './refund-words'

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
      bareText: 'The school has paid back K45.50 by mobile money for a meal.',
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
  const { jobs, eventId } = await enqueuedBy((queue) => settleRefunds(standIn({ queue })).reactor, event)
  expect(jobs).toEqual([[`settle-refund settle-${eventId}`, { orderId }]])
})

test('a present is no reason to look at an order', async () => {
  const { jobs } = await enqueuedBy(
    (queue) => settleRefunds(standIn({ queue })).reactor,
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
  const { jobs, eventId } = await enqueuedBy((queue) => settleRefunds(standIn({ queue })).reactor, event)
  expect(jobs).toEqual([[`settle-refund settle-${eventId}`, { attemptId: attempt }]])
})

test('an attempt is told what went back of it, not what went back of an order', async () => {
  const { jobs, eventId } = await enqueuedBy(
    (queue) => recordRefunds(standIn({ queue })).reactor,
    paidBack(1, 4550, 0, { orderId: null, part: 'surplus' }),
  )
  const payload = { attemptId: attempt, part: 'surplus', payoutId: payoutId(1), amount: 4550 }
  expect(jobs).toEqual([[`record-refund record-${eventId}`, payload]])
  expect(
    (await enqueuedBy((queue) => recordRefunds(standIn({ queue })).reactor, paidBack(1, 4550, 0))).jobs,
  ).toEqual([])
})

type OwedLine = Awaited<ReturnType<RefundsNeeds['payments']['owedByAttempt']>>[number]

const [first, second] = ['118.2026-09-15.1', '118.2026-09-15.2']

/** A sweep that is told these cancelled orders, and these orders as owed in full. */
const sweep = (office: ReturnType<typeof refundOffice>, cancelled: string[], owed: string[]) =>
  settleRefunds(
    standIn({
      ...office.refunds,
      ordering: { ...office.refunds.ordering, orderIdsWhere: async () => cancelled },
      ordersOwed: async () => owed,
    }),
  ).sweep.run()

test('a cancelled order for which nothing is owed yet is owed back', async () => {
  const office = refundOffice()
  await office.place(0)
  await office.change(first, 'cancelled')
  await sweep(office, [first], [])
  expect(await office.refund(first)).toMatchObject({ status: 'due' })
})

test('a refund of an order that is cooked after all is withdrawn', async () => {
  const office = refundOffice()
  await office.place(0)
  await office.change(first, 'cancelled')
  await office.settle(first)
  await office.change(first, 'pending')
  await sweep(office, [], [first])
  expect(await office.refund(first)).toMatchObject({ status: 'withdrawn' })
})

test('what is as it should be is not even looked at', async () => {
  const office = refundOffice(() => ({
    read: () => Promise.reject(new Error('looked at')),
    append: () => Promise.reject(new Error('changed')),
  }))
  await sweep(office, [first], [first])
})

test('what had nothing to settle is looked at again: a job may have been lost since', async () => {
  const office = refundOffice()
  await office.place(0)
  const { run } = settleRefunds(
    standIn({
      ...office.refunds,
      ordering: { ...office.refunds.ordering, orderIdsWhere: async () => [first] },
      ordersOwed: async () => [],
    }),
  ).sweep
  await run()
  expect(await office.refund(first)).toEqual({ status: 'none' })
  await office.change(first, 'cancelled')
  await run()
  await run()
  expect(await office.refund(first)).toMatchObject({ status: 'due', due: { amount: 4550 } })
})

test('a refund is lessened by credit that was given for its order since', async () => {
  const office = refundOffice()
  await office.place(0)
  await office.change(first, 'cancelled')
  await office.settle(first)
  await office.settlePrice(first, '0199c0de-0000-7000-8000-0000000000c1', -1000)
  const { run } = settleRefunds(
    standIn({
      ...office.refunds,
      ordering: { ...office.refunds.ordering, orderIdsWhere: async () => [first] },
      credit: { ...office.refunds.credit, entriesOfOrders: async () => new Map([[first, 1]]) },
      ordersOwed: async () => [first],
    }),
  ).sweep
  await run()
  expect(await office.refund(first)).toMatchObject({ status: 'due', due: { amount: 3550 } })
})

test('what a checkout owes for a line that was given up is opened, once for each part', async () => {
  const office = refundOffice()
  const line = {
    part: 1,
    userId: mary,
    amount: 4550,
    student: { name: 'Chanda', grade: '4' },
    item: { name: 'Nshima with relish' },
    orderedAt: monday7.toISOString(),
  }
  const owed: OwedLine[] = [line]
  const { run } = settleRefunds(
    standIn({
      ...office.refunds,
      ordering: { ...office.refunds.ordering, orderIdsWhere: async () => [] },
      payments: {
        ...office.refunds.payments,
        owingAttempts: async () => [{ attemptId: attempt, parts: owed.map(({ part }) => part) }],
        owedByAttempt: async () => owed,
      },
      ordersOwed: async () => [],
    }),
  ).sweep
  await run()
  await run()
  expect(await office.refund(`${attempt}.1`)).toMatchObject({ status: 'due', due: { amount: 4550 } })
  owed.push({ ...line, part: 2 })
  await run()
  expect(await office.refund(`${attempt}.2`)).toMatchObject({ status: 'due' })
})

test('one that cannot be settled does not keep the others waiting', async () => {
  const office = refundOffice((store) => ({
    read: (streams) =>
      streams.includes(`refund-${second}`) ? Promise.reject(new Error('unreadable')) : store.read(streams),
    append: store.append,
  }))
  await office.place(0)
  await office.change(first, 'cancelled')
  await expect(sweep(office, [second, first], [])).rejects.toThrow('1 of 2 failed')
  expect(await office.refund(first)).toMatchObject({ status: 'due' })
})

/** A store that appends one stream after another, and of a payout leaves out the streams whose names begin so. */
const losing = (lost: { streams: string }) => (store: EventStore) => ({
  read: store.read,
  append: async (appends: Parameters<EventStore['append']>[0]) => {
    const kept = appends.filter(({ stream }) => !lost.streams || !stream.startsWith(lost.streams))
    const position = await store.append(kept)
    if (kept.length < appends.length) throw new Error('crash')
    return position
  },
})

test('an order that a crash left as refunded is cancelled again while its money is owed, in part or in all', async () => {
  const lost = { streams: '' }
  const office = refundOffice(losing(lost))
  for (const part of [[], [1000]]) {
    await office.place(0)
    await office.change(first, 'cancelled')
    await office.settle(first)
    for (const amount of part) await office.payBack(first, { amount })
    lost.streams = 'refund-'
    await expect(office.payBack(first)).rejects.toThrow('crash')
    expect(await office.orderOf(first)).toMatchObject({ status: 'refunded' })
    lost.streams = ''
    await sweep(office, [], [first])
    expect(await office.orderOf(first)).toMatchObject({ status: 'cancelled' })
    expect(await office.refund(first)).toMatchObject({ status: 'due' })
    await office.change(first, 'pending')
  }
  expect(await office.change(first, 'pending')).toEqual(['refund_under_way'])
})

test('an order whose money has all gone back is marked refunded, also where a crash came before it', async () => {
  const lost = { streams: '' }
  const office = refundOffice(losing(lost))
  await office.place(0)
  await office.change(first, 'cancelled')
  await office.settle(first)
  lost.streams = 'mealSlot-'
  await expect(office.payBack(first)).rejects.toThrow('crash')
  lost.streams = ''
  expect(await office.orderOf(first)).toMatchObject({ status: 'cancelled' })
  await sweep(office, [first], [])
  expect(await office.orderOf(first)).toMatchObject({ status: 'refunded' })
})
