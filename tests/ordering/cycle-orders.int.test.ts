import { createCycle, deactivateCycle, listCycles, reactivateCycle } from '#contracts/cycles'
import type { QueryOf } from '#contracts/endpoint'
import { roll } from '#contracts/enrolment'
import { listClasses, updateStudent } from '#contracts/identity'
import { setOrderStatus, kitchenWeek } from '#contracts/kitchen'
import {
  type CycleOrderSort,
  cycleOrders,
  cycleOrderSorts,
  deleteDiscountCode,
} from '#contracts/order-reports'
import { cancelOrder, placeOrders } from '#contracts/ordering'
import { createPayment } from '#contracts/payments'
import type { DomainEvent } from '#kernel/event'
import { placeAmong, totalsOf } from '#modules/ordering/kitchen/kitchen.decide'
import { kitchenList } from '#modules/ordering/kitchen/kitchen.routes'
import { orderIdsWhere } from '#modules/ordering/orders/orders-where.rows'
import { itemsWithOrders, ordersForFamily } from '#modules/ordering/orders/orders.rows'
import { ordersView } from '#modules/ordering/orders/orders.view'
import { orderCancelled, orderCompleted, orderRefunded, orderWithdrawn } from '#modules/ordering/slot/events'
import { checkpointOf, viewsCheckpoint } from '#platform/projections/checkpoint'
import { batchProjector, viewTables } from '#platform/projections/projector'
import type { Client } from '../../src/app/demo/client'
import { eventually } from '../support/eventually'
import { type TestDatabase, testDatabase } from '../support/postgres'
import { recordedEvents } from '../support/recorded-events'
import { type Canteen, openCanteen, place, refused } from './canteen'
import { cycle, mary, monday7, ordered, otherAttempt, tuesday } from './lunches'

describe('cycle orders', () => {
  type Query = QueryOf<typeof cycleOrders>
  type Placed = Awaited<ReturnType<typeof place>>[number]

  let canteen: Canteen
  let historian: Client
  let placed: { first: Placed; later: Placed; stew: Placed; cancelled: Placed; next: Placed }

  const read = (query: Query = {}, client = historian) => client.call(cycleOrders, { query })
  const names = async (query: Query = {}) => {
    const { data } = await read(query)
    return data.map(({ id }) => Object.entries(placed).find(([, order]) => order.id === id)?.[0])
  }

  /** In the first cycle porridge on Tuesday and Thursday, stew on Tuesday and a cancelled porridge; porridge in the next. */
  beforeAll(async () => {
    canteen = await openCanteen()
    historian = await canteen.administrator('historian', 'history')
    const { parent, children } = await canteen.family('mwila', '1', '2')
    const [a, b] = children
    const minute = (at: number) => canteen.setClock(`2026-09-14T07:0${at}:00+02:00`)
    const [later, first] = await place(parent, [
      canteen.porridgeFor(a!, 4),
      canteen.porridgeFor(a!, 2, { comments: 'warm' }),
    ])
    minute(1)
    const { parent: other, children: others, userId } = await canteen.family('natasha', '9')
    await canteen.discount(userId, 100)
    const [stew] = await place(other, [canteen.stewFor(others[0]!, 2)])
    minute(2)
    const [cancelled] = await place(parent, [canteen.porridgeFor(b!, 1, { weekNumber: 2 })])
    await parent.call(cancelOrder, { params: { id: cancelled!.id } })
    minute(3)
    await canteen.superadminClient.call(deactivateCycle, { params: { id: canteen.cycle.id } })
    await canteen.superadminClient.call(createCycle, {
      body: { startDate: '2026-09-21', cycleLength: 4, blockedDays: [] },
    })
    const [next] = await place(parent, [canteen.porridgeFor(b!, 2)])
    placed = { first: first!, later: later!, stew: stew!, cancelled: cancelled!, next: next! }
  })
  afterAll(() => canteen.close())

  test('orders of every cycle and status, the newest first, meals of one checkout by their day', async () => {
    expect(await names()).toEqual(['next', 'cancelled', 'stew', 'first', 'later'])
    expect((await read()).metadata).toEqual({
      total: 5,
      page: 1,
      pageSize: 10,
      totalPages: 1,
      hasNextPage: false,
      hasPreviousPage: false,
      next: null,
    })
  })

  const ascending: Record<CycleOrderSort, string[]> = {
    date: ['later', 'first', 'stew', 'cancelled', 'next'],
    student: ['first', 'later', 'cancelled', 'next', 'stew'],
    item: ['first', 'later', 'cancelled', 'next', 'stew'],
    day: ['first', 'stew', 'next', 'later', 'cancelled'],
    price: ['first', 'later', 'stew', 'cancelled', 'next'],
    status: ['cancelled', 'first', 'later', 'stew', 'next'],
  }

  test.each(cycleOrderSorts)('sorted by %s both ways, equal ones as they were placed', async (sort) => {
    expect(await names({ sort, direction: 'asc' })).toEqual(ascending[sort])
    expect(await names({ sort, direction: 'desc' })).toEqual(ascending[sort].toReversed())
    expect(await names({ sort, direction: 'asc', limit: 2, page: 2 })).toEqual(ascending[sort].slice(2, 4))
  })

  test('reading on is newest first, whatever is asked; a list in another order has no place to read on from', async () => {
    const { next } = (await read({ limit: 2 })).metadata
    expect(await names({ limit: 2, after: next!, sort: 'day', direction: 'asc' })).toEqual(['stew', 'first'])
    expect((await read({ limit: 2, sort: 'date', direction: 'desc' })).metadata.next).toBe(next)
    expect((await read({ limit: 2, sort: 'date', direction: 'asc' })).metadata.next).toBeNull()
    expect((await read({ limit: 2, sort: 'price' })).metadata.next).toBeNull()
  })

  test.each([{ sort: 'id' }, { direction: 'up' }, { limit: 101 }])(
    'an order of %j is refused',
    async (query) => {
      expect(await refused(read(query as never))).toMatchObject({ status: 422, code: 'validation_failed' })
    },
  )

  test('an order says whose, what, which day of which cycle, how much and what may be done', async () => {
    const { data } = await read()
    expect(data[3]).toEqual({
      id: placed.first.id,
      orderDate: '2026-09-14T05:00:00.000Z',
      student: { name: 'mwila 1', grade: '1' },
      menuItem: { id: canteen.items.porridge.id, name: 'School porridge' },
      cartItems: [{ menuItem: { name: 'School porridge' }, category: 'chicken', sideDish: 'Banana' }],
      cycleId: canteen.cycle.id,
      cycle: { startDate: '2026-09-14' },
      weekNumber: 1,
      dayOfWeek: 2,
      category: 'chicken',
      sideDish: 'Banana',
      comments: 'warm',
      originalPrice: 0,
      discountedPrice: 0,
      discountPercentage: 0,
      status: 'pending',
      paymentStatus: 'confirmed',
      allowed: { completed: true, pending: false, cancelled: true },
      owedIfCancelled: 0,
    })
    expect(data[0]).toMatchObject({ cycle: { startDate: '2026-09-21' } })
    expect(data[2]).toMatchObject({ originalPrice: 45.5, discountedPrice: 0, discountPercentage: 100 })
  })

  test('each filter alone, and all together', async () => {
    const { porridge, stew } = canteen.items
    const cycleId = canteen.cycle.id
    expect(await names({ cycleId })).toEqual(['cancelled', 'stew', 'first', 'later'])
    expect(await names({ weekNumber: 2 })).toEqual(['cancelled'])
    expect(await names({ dayOfWeek: 2 })).toEqual(['next', 'stew', 'first'])
    expect(await names({ status: 'cancelled' })).toEqual(['cancelled'])
    expect(await names({ status: 'refunded' })).toEqual([])
    expect(await names({ menuItemId: stew.id })).toEqual(['stew'])
    expect(await names({ grade: '9' })).toEqual(['stew'])
    expect(await names({ grade: '2' })).toEqual(['next', 'cancelled'])
    const all = { cycleId, weekNumber: 1, dayOfWeek: 2, status: 'pending', menuItemId: porridge.id } as const
    expect(await names(all)).toEqual(['first'])
    expect((await read(all)).metadata.total).toBe(1)
  })

  test('a class is that of the child at present', async () => {
    const office = canteen.superadminClient
    const { data } = await read({ menuItemId: canteen.items.stew.id })
    const { name } = data[0]!.student
    const found = (await office.call(roll, { query: { text: name } })).data[0]!
    const move = (to: string) =>
      office.call(updateStudent, { params: { id: found.id }, body: { name, grade: '9', class: to } })
    expect(await names({ class: '9A' })).toEqual([])
    await move('9A')
    expect(await names({ class: '9a', status: 'pending' })).toEqual(['stew'])
    expect(await historian.call(listClasses)).toEqual({ data: ['9A'] })
    await move('9B')
    expect(await names({ class: '9A' })).toEqual([])
  })

  test('numbers of what is not there find nothing', async () => {
    const none = { weekNumber: 999_999_999, dayOfWeek: 999_999_999 }
    for (const query of [none, { cycleId: 999_999_999 }, { menuItemId: 999_999_999 }])
      expect(await read(query)).toMatchObject({ data: [], metadata: { total: 0, totalPages: 1 } })
  })

  test('every order is on exactly one page, also where several were placed at once', async () => {
    const seen = []
    for (const page of [1, 2, 3]) {
      const { data, metadata } = await read({ page, pageSize: 2 })
      expect(metadata).toMatchObject({
        total: 5,
        page,
        pageSize: 2,
        totalPages: 3,
        hasNextPage: page < 3,
        hasPreviousPage: page > 1,
      })
      seen.push(...data.map(({ id }) => id))
    }
    expect(seen).toEqual((await read()).data.map(({ id }) => id))
    expect(new Set(seen).size).toBe(5)
  })

  test('reading on from a place goes past what came, changed or went meanwhile', async () => {
    const status = 'pending'
    const start = await read({ status, pageSize: 2 })
    expect(start.data.map(({ id }) => id)).toEqual([placed.next.id, placed.stew.id])
    const change = (to: 'completed' | 'pending') =>
      historian.call(setOrderStatus, { body: { orderIds: [placed.next.id, placed.stew.id], status: to } })
    await change('completed')
    // On a busy machine an answer may go out before the views show its write.
    const readTotal = (total: number, after: string) =>
      eventually(async () => {
        const page = await read({ status, pageSize: 2, after })
        return page.metadata.total === total && page
      })
    const rest = await readTotal(2, start.metadata.next!)
    expect(rest.data.map(({ id }) => id)).toEqual([placed.first.id, placed.later.id])
    await change('pending')
    const end = await readTotal(4, rest.metadata.next!)
    expect(end).toMatchObject({ data: [], metadata: { next: null } })
  })

  test('a page has at most 100 orders, at least one, and none behind the last', async () => {
    expect((await read({ pageSize: 5000 })).metadata.pageSize).toBe(100)
    expect((await read({ pageSize: 0, page: 0 })).metadata).toMatchObject({ pageSize: 1, page: 1 })
    expect(await read({ page: 999_999_999, pageSize: 100 })).toMatchObject({
      data: [],
      metadata: { total: 5 },
    })
  })

  const asked = (query: string) => historian.fetch(`/api/cycle-orders?${query}`)

  test('a filter that is none is refused by name', async () => {
    const withoutCycle = await asked('cycleId=')
    expect(withoutCycle.status).toBe(422)
    expect(await withoutCycle.json()).toMatchObject({ fields: { cycleId: 'Cycle ID is required' } })
    for (const query of [
      'status=lost',
      'weekNumber=x',
      'dayOfWeek=1.5',
      'menuItemId=-1',
      'after=now',
      'after=2026-13-01T00:00:00.000Z~1~1~1.2026-09-14.1',
    ])
      expect((await asked(query)).status).toBe(422)
  })

  test('a status set from the history shows at once', async () => {
    await historian.call(setOrderStatus, { body: { orderIds: [placed.later.id], status: 'completed' } })
    const { data } = await read({ status: 'completed' })
    expect(data).toMatchObject([
      {
        id: placed.later.id,
        status: 'completed',
        allowed: { completed: false, pending: true, cancelled: true },
      },
    ])
    await historian.call(setOrderStatus, { body: { orderIds: [placed.later.id], status: 'pending' } })
  })

  test('the history is for administrators with that feature', async () => {
    const { parent } = await canteen.family('kelvin')
    const planner = await canteen.administrator('planner', 'cycles', 'kitchen', 'revenue')
    for (const client of [parent, planner]) expect((await refused(read({}, client))).status).toBe(403)
    expect((await refused(read({}, canteen.visitor()))).status).toBe(401)
    expect((await read({}, canteen.superadminClient)).data).toHaveLength(5)
  })
})

describe('order table', () => {
  let school: TestDatabase
  beforeAll(async () => {
    school = await testDatabase()
  })
  afterAll(() => school.close())
  beforeEach(() => school.database.pool.query('truncate ordering.orders, platform.checkpoints'))

  const at = monday7.toISOString()
  const first = '118.2026-09-15.1'
  const tuesdayOnly = { from: '2026-09-15', to: '2026-09-15' }
  const firstWeek = { from: '2026-09-14', to: '2026-09-18' }

  /** The table after these batches, in the order of the orders' ids. */
  const tableAfter = async (...batches: DomainEvent[][]) => {
    const project = batchProjector(viewTables(school.database.pool), {
      name: 'ordering',
      views: [ordersView],
    })
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
    const { knex, pool } = school.database
    const activeOf = (studentIds: number[]) => orderIdsWhere(pool, { studentIds, state: 'active' })
    expect(await itemsWithOrders(knex)([3, 9, 4])).toEqual(new Set([3, 9]))
    expect(await itemsWithOrders(knex)([])).toEqual(new Set())
    expect(await activeOf([118, 119, 120])).toHaveLength(3)
    expect(await activeOf([120])).toEqual([])
  })
})

describe('overlapping cycles', () => {
  let canteen: Canteen
  let active: number
  beforeAll(async () => {
    canteen = await openCanteen()
    active = canteen.cycle.id
  })
  afterAll(() => canteen.close())

  /** Ends the cycle and makes another from this day on; each test has four weeks of its own. */
  const begin = async (startDate: string) => {
    const office = canteen.superadminClient
    await office.call(deactivateCycle, { params: { id: active } })
    const begun = await office.call(createCycle, { body: { startDate, cycleLength: 4, blockedDays: [] } })
    active = begun.id
    return begun
  }

  test('a date that is ordered in one cycle is ordered in another over it too, and cooked once', async () => {
    await begin('2026-09-14')
    const { parent, children } = await canteen.family('mwila', '3')
    const child = children[0]!
    await place(parent, [canteen.porridgeFor(child, 2)])
    const { overlap } = await begin('2026-09-14')
    expect(overlap).toEqual({ orders: 1, dates: ['2026-09-15'] })
    expect(await refused(parent.call(placeOrders, { body: [canteen.porridgeFor(child, 2)] }))).toMatchObject({
      status: 409,
      lines: [{ index: 0, code: 'already_ordered' }],
    })
    const { totals } = await canteen.superadminClient.call(kitchenWeek, { params: { week: 1 } })
    expect(totals.map(({ mealDate, total }) => [mealDate, total])).toEqual([['2026-09-15', 1]])
  })

  test('by card too, before a payment is started', async () => {
    await begin('2026-10-12')
    const { parent, userId, children } = await canteen.payingFamily('natasha', '9')
    const child = children[0]!
    const discount = await canteen.discount(userId, 100)
    await place(parent, [canteen.stewFor(child, 2)])
    await canteen.superadminClient.call(deleteDiscountCode, { params: { id: discount.id } })
    await begin('2026-10-12')
    const cartItems = [canteen.stewFor(child, 3), canteen.stewFor(child, 2)]
    const answer = await refused(parent.call(createPayment, { body: { amount: 91, cartItems } }))
    expect(answer).toMatchObject({ status: 409, lines: [{ index: 1, code: 'already_ordered' }] })
  })

  test('a cycle made active again tells what was ordered for its dates meanwhile', async () => {
    const first = await begin('2026-11-09')
    const again = await begin('2026-11-09')
    const { parent, children } = await canteen.family('grace', '3')
    await place(parent, [canteen.porridgeFor(children[0]!, 4)])
    const office = canteen.superadminClient
    await office.call(deactivateCycle, { params: { id: again.id } })
    const { overlap } = await office.call(reactivateCycle, { params: { id: first.id } })
    active = first.id
    expect(overlap).toEqual({ orders: 1, dates: ['2026-11-12'] })
    const cycles = await parent.call(listCycles)
    expect(cycles.filter(({ isActive }) => isActive).map(({ id }) => id)).toEqual([first.id])
  })
})
