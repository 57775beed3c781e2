import { settleRefundsSweep } from '#modules/refunds/settle-refund.reactor'
import { refundOffice } from './refund-office'

const [first, second] = ['118.2026-09-15.1', '118.2026-09-15.2']

/** A sweep that is told these cancelled orders, and these orders as owed in full. */
const sweep = (office: ReturnType<typeof refundOffice>, cancelled: string[], owed: string[]) =>
  settleRefundsSweep({
    ...office.refunds,
    ordering: { ...office.refunds.ordering, cancelledPaidOrders: async () => cancelled },
    ordersOwedInFull: async () => owed,
  }).run()

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

test('what has nothing to settle is looked at once, and again only when it was not listed meanwhile', async () => {
  let looks = 0
  const office = refundOffice((store) => ({
    read: (streams) => {
      looks += 1
      return store.read(streams)
    },
    append: store.append,
  }))
  await office.place(0)
  let cancelled = [first]
  const { run } = settleRefundsSweep({
    ...office.refunds,
    ordering: { ...office.refunds.ordering, cancelledPaidOrders: async () => cancelled },
    ordersOwedInFull: async () => [],
  })
  await run()
  const once = looks
  await run()
  await run()
  expect([once > 0, looks]).toEqual([true, once])
  cancelled = []
  await run()
  cancelled = [first]
  await run()
  expect(looks).toBeGreaterThan(once)
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
