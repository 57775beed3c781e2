import { cycleHistory } from '#contracts/cycles'
import { setOrderStatus } from '#contracts/kitchen'
import { cancelOrder } from '#contracts/ordering'
import { revenueStats } from '#contracts/order-reports'
import { type AlternativeCanteen, openAlternativeCanteen, order } from '../payments/alternative-canteen'
import { refused } from './canteen'

let canteen: AlternativeCanteen
beforeAll(async () => {
  canteen = await openAlternativeCanteen()
})
afterAll(() => canteen.close())

const stats = async (cycleId?: number) =>
  (await canteen.superadminClient.call(revenueStats, { query: { cycleId } }))!

test('without orders everything is nought, and the cycles are there to choose from', async () => {
  expect(await stats()).toEqual({
    stats: {
      totalOrders: 0,
      netRevenue: 0,
      cancelledOrders: { count: 0, amount: 0 },
      pendingOrders: { count: 0, amount: 0 },
      totalStudents: 0,
    },
    cycles: [{ id: canteen.cycle.id, startDate: '2026-09-14', cycleLength: 4, isActive: true }],
    byWeek: [],
    byItem: [],
    others: { orders: 0, completed: 0, pending: 0 },
    byGrade: [],
  })
})

test('orders count by status, week, item and grade, of all time or of one cycle', async () => {
  const { parent, children } = await canteen.family('mwila', '3', '9')
  const [small, big] = children
  const { orders } = await order(parent, [
    canteen.porridgeFor(small!, 2),
    canteen.stewFor(big!, 2),
    canteen.stewFor(big!, 3),
    canteen.stewFor(big!, 4, { weekNumber: 2 }),
  ])
  const stews = orders.filter(({ originalPrice }) => originalPrice > 0)
  await canteen.superadminClient.call(setOrderStatus, {
    body: { orderIds: [stews[0]!.id], status: 'completed' },
  })
  await parent.call(cancelOrder, { params: { id: stews[1]!.id } })

  const all = await stats()
  expect(all).toMatchObject({
    stats: {
      totalOrders: 4,
      netRevenue: 45.5,
      cancelledOrders: { count: 1, amount: 45.5 },
      pendingOrders: { count: 2, amount: 45.5 },
      totalStudents: 2,
    },
    byWeek: [
      { week: 1, firstDay: '2026-09-15', orders: 3, completed: 45.5, pending: 0 },
      { week: 2, firstDay: '2026-09-24', orders: 1, completed: 0, pending: 45.5 },
    ],
    byItem: [
      { name: 'Stew', orders: 3, completed: 45.5, pending: 45.5 },
      { name: 'School porridge', orders: 1, completed: 0, pending: 0 },
    ],
    byGrade: [
      { grade: '3', orders: 1, completed: 0, pending: 0 },
      { grade: '9', orders: 3, completed: 45.5, pending: 45.5 },
    ],
  })
  expect(await stats(canteen.cycle.id)).toEqual(all)
  expect((await stats(canteen.cycle.id + 1)).stats.totalOrders).toBe(0)
})

test('what happens to an order is counted at once, in the cycle history too', async () => {
  const { parent, children } = await canteen.family('bwalya', '9')
  const counted = async () => {
    const { stats: all } = await stats()
    const { stats: ofCycle } = await stats(canteen.cycle.id)
    const [cycle] = (await canteen.superadminClient.call(cycleHistory)).data
    expect(ofCycle).toEqual(all)
    expect(cycle).toMatchObject({
      totalOrders: all.totalOrders,
      totalRevenue: all.netRevenue + all.pendingOrders.amount,
    })
    return [all.totalOrders, all.netRevenue, all.pendingOrders.count, all.cancelledOrders.count]
  }
  const status = (id: string, to: 'completed' | 'pending') =>
    canteen.superadminClient.call(setOrderStatus, { body: { orderIds: [id], status: to } })
  expect(await counted()).toEqual([4, 45.5, 2, 1])
  const { orders } = await order(parent, [canteen.stewFor(children[0]!, 2)])
  expect(await counted()).toEqual([5, 45.5, 3, 1])
  await status(orders[0]!.id, 'completed')
  expect(await counted()).toEqual([5, 91, 2, 1])
  await status(orders[0]!.id, 'pending')
  expect(await counted()).toEqual([5, 45.5, 3, 1])
  await parent.call(cancelOrder, { params: { id: orders[0]!.id } })
  expect(await counted()).toEqual([5, 45.5, 2, 2])
})

test('only who holds revenue sees it', async () => {
  const cook = await canteen.administrator('cook', 'kitchen')
  expect(await refused(cook.call(revenueStats))).toMatchObject({ status: 403, code: 'forbidden' })
})
