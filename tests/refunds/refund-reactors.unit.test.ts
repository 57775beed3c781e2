import type { DomainEvent } from '#kernel/event'
import { orderCancelled, orderReopened } from '#modules/ordering/slot/events'
import { mismatchAccepted, remainderWaived } from '#modules/payments/attempt/events'
import { recordRefundWhenPaidBack } from '#modules/refunds/record-refund.job'
import { settleRefundWhenOwedMoneyChanges } from '#modules/refunds/settle-refund.reactor'
import type { JobQueue } from '#platform/jobs/job'
import type { Reactor } from '#platform/module'
import { given, takenBack } from '../credit/credit-words'
import { attempt, monday7 } from '../ordering/lunches'
import { recorded } from '../support/recorded-events'
import { orderRefund, paidBack, payoutId } from './refund-words'
import { standIn } from '../support/stand-in'

const at = monday7.toISOString()
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
