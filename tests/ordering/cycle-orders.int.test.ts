import { createCycle, deactivateCycle } from '#contracts/cycles'
import { cycleOrders, cycleOrderSorts, type CycleOrderSort } from '#contracts/order-reports'
import type { QueryOf } from '#contracts/endpoint'
import { setOrderStatus } from '#contracts/kitchen'
import { cancelOrder } from '#contracts/ordering'
import type { Client } from '../../src/app/demo/client'
import { eventually } from '../support/eventually'
import { openCanteen, place, refused, type Canteen } from './canteen'

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
  const all = { cycleId, weekNumber: 1, dayOfWeek: 2, status: 'pending', menuItemId: porridge.id } as const
  expect(await names(all)).toEqual(['first'])
  expect((await read(all)).metadata.total).toBe(1)
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
  expect(await read({ page: 999_999_999, pageSize: 100 })).toMatchObject({ data: [], metadata: { total: 5 } })
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
