import { placeAmong, totalsOf } from '#modules/ordering/kitchen/kitchen.decide'
import type { DomainEvent } from '#kernel/event'
import { kitchenList } from '#modules/ordering/kitchen/kitchen.routes'
import { orderCancelled, orderCompleted, orderRefunded, orderWithdrawn } from '#modules/ordering/slot/events'
import { itemsWithOrders, orderCountOf, ordersForFamily } from '#modules/ordering/orders/orders.rows'
import { ordersView } from '#modules/ordering/orders/orders.view'
import { checkpointOf, viewsCheckpoint } from '#platform/projections/checkpoint'
import { batchProjector } from '#platform/projections/projector'
import { testDatabase, type TestDatabase } from '../support/postgres'
import { recordedEvents } from '../support/recorded-events'
import { cycle, mary, monday7, ordered, otherAttempt, tuesday } from './lunches'

let school: TestDatabase
beforeEach(async () => {
  school = await testDatabase()
})
afterEach(() => school.close())

const at = monday7.toISOString()
const first = '118.2026-09-15.1'
const tuesdayOnly = { from: '2026-09-15', to: '2026-09-15' }
const firstWeek = { from: '2026-09-14', to: '2026-09-18' }

/** The table after these batches, in the order of the orders' ids. */
const tableAfter = async (...batches: DomainEvent[][]) => {
  const project = batchProjector(school.database.pool, { name: 'ordering', views: [ordersView] })
  let from = await checkpointOf(school.database.pool, viewsCheckpoint('ordering'))
  const all = recordedEvents(...batches.flat())
  for (const batch of batches) from = await project(all.splice(0, batch.length), from)
  const { rows } = await school.database.pool.query('select * from ordering.orders order by id')
  return rows as { id: string; status: string; meal_date: string; placed_at: Date }[]
}
const orderGroups = async (days: typeof tuesdayOnly) =>
  (await kitchenList(school.database.knex, days, { offset: 0, limit: 100 })).groups
const lunch = (studentId: number, more: Parameters<typeof ordered>[2] = {}) => {
  const placed = ordered(1, monday7, {
    ...more,
    line: { ...more.line, slot: { ...tuesday, studentId, ...more.line?.slot } },
  })
  return { ...placed, data: { ...placed.data, orderId: `${studentId}.${placed.data.mealDate}.1` } }
}
const completed = (orderId: string) => orderCompleted({ orderId, at })
const cancelled = (orderId: string, afterCutoff = false) =>
  orderCancelled({ orderId, by: 'parent', afterCutoff, at })

test('an order is stored with its day as a date and its instants', async () => {
  await tableAfter([ordered(1, monday7)])
  const [row] = await ordersForFamily(school.database.pool, mary, [])
  expect(row).toMatchObject({
    id: first,
    meal_date: '2026-09-15',
    placed_at: monday7,
    price: 4550,
    discount_percentage: 0,
  })
})

test('one batch may cancel or withdraw an order and place the next one of its day', async () => {
  const second = ordered(2, monday7, { attemptId: otherAttempt })
  const third = ordered(3, monday7, { attemptId: otherAttempt, line: { index: 1 } })
  const rows = await tableAfter(
    [ordered(1, monday7)],
    [cancelled(first), second],
    [orderWithdrawn({ orderId: '118.2026-09-15.2', at }), third],
  )
  expect(rows.map(({ id, status }) => [id, status])).toEqual([
    [first, 'cancelled'],
    ['118.2026-09-15.3', 'pending'],
  ])
})

test('two active orders of one child and day trip the wire', async () => {
  const second = ordered(2, monday7, { attemptId: otherAttempt })
  await expect(tableAfter([ordered(1, monday7), second])).rejects.toThrow(
    'orders_one_active_per_child_and_date',
  )
})

test('unpaid orders are counted apart, refunded late ones stay told', async () => {
  const late = lunch(120)
  await tableAfter([
    lunch(118, { paymentStatus: 'pending' }),
    lunch(119),
    late,
    cancelled(late.data.orderId, true),
    orderRefunded({ orderId: late.data.orderId, at }),
  ])
  const [total] = totalsOf(await orderGroups(tuesdayOnly), placeAmong(cycle, '2026-09-15'))
  expect(total).toMatchObject({ total: 2, unpaid: 1, completed: 0, cancelledLate: 1 })
})

test('the kitchen counts every order, however many', async () => {
  const many = Array.from({ length: 700 }, (_, child) =>
    lunch(1000 + child, { line: { comments: child % 100 === 0 ? `child ${child}` : '' } }),
  )
  await tableAfter(many)
  const [total] = totalsOf(await orderGroups(firstWeek), placeAmong(cycle, '2026-09-15'))
  expect(total!.total).toBe(700)
  expect(total!.proteins).toEqual([{ name: 'beef', count: 700 }])
  expect(total!.plates).toHaveLength(1)
  expect(total!.plates[0]!.comments).toHaveLength(7)
  expect(total!.pendingOrderIds).toHaveLength(700)
})

test('what siblings ask: items with orders, active orders of students', async () => {
  const inCycle8 = lunch(118, {
    line: { slot: { ...tuesday, cycleId: 8 }, mealDate: '2026-10-13', price: 1000 },
  })
  const [done, gone] = [lunch(119, { line: { price: 4095 } }), lunch(120)]
  const porridge = lunch(121, { line: { item: { id: 9, name: 'Porridge', type: 'primary' } } })
  await tableAfter([
    inCycle8,
    completed(inCycle8.data.orderId),
    done,
    completed(done.data.orderId),
    gone,
    cancelled(gone.data.orderId),
    porridge,
    cancelled(porridge.data.orderId),
    lunch(118),
  ])
  const { knex } = school.database
  expect(await itemsWithOrders(knex)([3, 9, 4])).toEqual(new Set([3, 9]))
  expect(await itemsWithOrders(knex)([])).toEqual(new Set())
  expect(await orderCountOf(knex)([118, 119, 120])).toBe(3)
  expect(await orderCountOf(knex)([120])).toBe(0)
})
