import type { EventStore } from '#platform/event-store/event-store'
import { settleRefundsSweep } from '#modules/refunds/settle-refund.reactor'
import type { RefundsNeeds } from '#modules/refunds/index'
import { attempt, mary, monday7 } from '../ordering/lunches'
import { refundOffice } from './refund-office'
import { standIn } from '../support/stand-ins'

type OwedLine = Awaited<ReturnType<RefundsNeeds['payments']['owedByAttempt']>>[number]

const [first, second] = ['118.2026-09-15.1', '118.2026-09-15.2']

/** A sweep that is told these cancelled orders, and these orders as owed in full. */
const sweep = (office: ReturnType<typeof refundOffice>, cancelled: string[], owed: string[]) =>
  settleRefundsSweep(
    standIn({
      ...office.refunds,
      ordering: { ...office.refunds.ordering, cancelledPaidOrders: async () => cancelled },
      ordersOwed: async () => owed,
    }),
  ).run()

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
  const { run } = settleRefundsSweep(
    standIn({
      ...office.refunds,
      ordering: { ...office.refunds.ordering, cancelledPaidOrders: async () => [first] },
      ordersOwed: async () => [],
    }),
  )
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
  const { run } = settleRefundsSweep(
    standIn({
      ...office.refunds,
      ordering: { ...office.refunds.ordering, cancelledPaidOrders: async () => [first] },
      credit: { ...office.refunds.credit, entriesOfOrders: async () => new Map([[first, 1]]) },
      ordersOwed: async () => [first],
    }),
  )
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
  const { run } = settleRefundsSweep(
    standIn({
      ...office.refunds,
      ordering: { ...office.refunds.ordering, cancelledPaidOrders: async () => [] },
      payments: {
        ...office.refunds.payments,
        owingAttempts: async () => [{ attemptId: attempt, parts: owed.map(({ part }) => part) }],
        owedByAttempt: async () => owed,
      },
      ordersOwed: async () => [],
    }),
  )
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
  await expect(sweep(office, [second, first], [])).rejects.toThrow('1 refunds could not be settled')
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
