import { cycleHistory } from '#contracts/cycles'
import { myDiscountCode } from '#contracts/discounts'
import type { BodyOf, QueryOf } from '#contracts/endpoint'
import { setOrderStatus } from '#contracts/kitchen'
import {
  type CodeSort,
  createDiscountCode,
  deleteDiscountCode,
  listDiscountCodes,
  updateDiscountCode,
  codeSorts,
  revenueStats,
} from '#contracts/order-reports'
import { cancelOrder } from '#contracts/ordering'
import type { Client } from '../../src/app/demo/client'
import { type AlternativeCanteen, openAlternativeCanteen, order } from '../payments/alternative-canteen'
import { refused } from './canteen'

let canteen: AlternativeCanteen
let office: Client
let cook: Client
beforeAll(async () => {
  canteen = await openAlternativeCanteen({ ROLE: 'web' })
  office = await canteen.administrator('office', 'settings')
  cook = await canteen.administrator('cook', 'kitchen')
})
afterAll(() => canteen.close())

describe('discount codes', () => {
  const create = (body: Partial<BodyOf<typeof createDiscountCode>>) =>
    office.call(createDiscountCode, {
      body: { code: 'CODE', userId: 0, discountPercentage: 10, isActive: true, ...body },
    })

  test('a code is created for a user, listed newest first, switched off and deleted', async () => {
    const { parent, userId } = await canteen.family('mwila')
    const made = await create({ code: 'WELCOME', userId, discountPercentage: 12.5 })
    expect(made).toEqual({
      id: made.id,
      code: 'WELCOME',
      userId,
      user: { username: 'mwila' },
      studentId: null,
      student: null,
      sponsor: null,
      discountPercentage: 12.5,
      isActive: true,
    })
    expect(await parent.call(myDiscountCode)).toEqual({ code: 'WELCOME', discountPercentage: 12.5 })
    const newer = await create({ code: 'NEWER', userId, isActive: false })
    const listed = await office.call(listDiscountCodes)
    expect(listed.data).toEqual([newer, made])
    expect(listed.metadata).toMatchObject({ total: 2, page: 1, pageSize: 50, totalPages: 1 })
    const found = async (search: string) => (await office.call(listDiscountCodes, { query: { search } })).data
    expect(await found('welc')).toEqual([made])
    expect(await found('MWILA')).toEqual([newer, made])
    expect(await found('nobody')).toEqual([])

    const off = await office.call(updateDiscountCode, { params: { id: made.id }, body: { isActive: false } })
    expect(off).toEqual({ ...made, isActive: false })
    expect(await refused(parent.call(myDiscountCode))).toMatchObject({
      status: 404,
      code: 'no_discount_code',
    })

    for (const { id } of [made, newer])
      expect(await office.call(deleteDiscountCode, { params: { id } })).toEqual({
        message: 'Discount code deleted successfully',
      })
    expect((await office.call(listDiscountCodes)).data).toEqual([])
  })

  test('the best active code of a user counts', async () => {
    const { parent, userId } = await canteen.family('grace')
    await create({ code: 'TEN', userId, discountPercentage: 10 })
    const most = await create({ code: 'FORTY', userId, discountPercentage: 40 })
    await create({ code: 'TWENTY', userId, discountPercentage: 20 })
    await create({ code: 'OFF', userId, discountPercentage: 90, isActive: false })
    expect(await parent.call(myDiscountCode)).toEqual({ code: 'FORTY', discountPercentage: 40 })
    await office.call(deleteDiscountCode, { params: { id: most.id } })
    expect(await parent.call(myDiscountCode)).toEqual({ code: 'TWENTY', discountPercentage: 20 })
  })

  test('ten percent and active unless said otherwise', async () => {
    const { userId } = await canteen.family('chola')
    const made = await office.call(createDiscountCode, { body: { code: 'PLAIN', userId } as never })
    expect(made).toMatchObject({ discountPercentage: 10, isActive: true })
  })

  test('a code exists once, in whatever case', async () => {
    const { userId } = await canteen.family('kelvin')
    await create({ code: 'Lunch', userId })
    expect(await refused(create({ code: 'LUNCH', userId }))).toMatchObject({
      status: 409,
      code: 'discount_code_taken',
    })
  })

  test('what a code must be', async () => {
    const { userId } = await canteen.family('natasha')
    expect(await refused(create({ code: 'GHOST', userId: 999_999 }))).toMatchObject({
      status: 422,
      code: 'discount_user_not_found',
      message: 'Please select a user',
    })
    for (const wrong of [
      { code: 'AB' },
      { userId: 0 },
      { userId: 3_000_000_000 },
      { discountPercentage: 101 },
      { discountPercentage: -1 },
      { discountPercentage: 1.234 },
    ])
      expect((await refused(create({ code: 'FINE', userId, ...wrong }))).status).toBe(422)
  })

  test('a code that is not there is not found', async () => {
    const params = { id: 999_999 }
    const gone = { status: 404, code: 'discount_code_not_found' }
    expect(await refused(office.call(deleteDiscountCode, { params }))).toMatchObject(gone)
    expect(
      await refused(office.call(updateDiscountCode, { params, body: { isActive: true } })),
    ).toMatchObject(gone)
  })

  test('codes are kept by administrators with the feature settings', async () => {
    const { parent } = await canteen.family('joseph')
    for (const client of [parent, cook])
      expect((await refused(client.call(listDiscountCodes))).status).toBe(403)
  })
})

describe('discount code list', () => {
  beforeAll(async () => {
    for (const { id } of (await list({})).data) await office.call(deleteDiscountCode, { params: { id } })
    const { userId: zita } = await canteen.family('zita')
    const { userId: abel } = await canteen.family('Abel')
    const made: BodyOf<typeof createDiscountCode>[] = [
      { code: 'summer', userId: zita, discountPercentage: 9.5, isActive: true },
      { code: 'AUTUMN', userId: abel, discountPercentage: 10, isActive: false },
      { code: 'Winter', userId: zita, discountPercentage: 10, isActive: true },
      { code: 'SPRING', userId: abel, discountPercentage: 100, isActive: true },
    ]
    for (const body of made) await office.call(createDiscountCode, { body })
  })

  const list = (query: QueryOf<typeof listDiscountCodes>) => office.call(listDiscountCodes, { query })
  const codes = async (query: QueryOf<typeof listDiscountCodes>) =>
    (await list(query)).data.map(({ code }) => code)

  // All are made at the same moment of the school's clock, so "created" is told by the second key alone.
  const ascending: Record<CodeSort, string[]> = {
    created: ['summer', 'AUTUMN', 'Winter', 'SPRING'],
    code: ['AUTUMN', 'SPRING', 'summer', 'Winter'],
    user: ['AUTUMN', 'SPRING', 'summer', 'Winter'],
    discount: ['summer', 'AUTUMN', 'Winter', 'SPRING'],
    active: ['AUTUMN', 'summer', 'Winter', 'SPRING'],
  }

  test.each(codeSorts)('codes are sorted by %s both ways, equal ones as they were made', async (sort) => {
    expect(await codes({ sort, direction: 'asc' })).toEqual(ascending[sort])
    expect(await codes({ sort, direction: 'desc' })).toEqual(ascending[sort].toReversed())
  })

  test('without an order the newest are first', async () => {
    expect(await codes({})).toEqual(ascending.created.toReversed())
  })

  test('codes that are switched on or off are found, with a search as without', async () => {
    expect(await codes({ active: false })).toEqual(['AUTUMN'])
    expect(await codes({ active: true, sort: 'code', direction: 'asc' })).toEqual([
      'SPRING',
      'summer',
      'Winter',
    ])
    expect(await codes({ active: true, search: 'ABEL' })).toEqual(['SPRING'])
    expect((await list({ active: true, search: 'ABEL' })).metadata.total).toBe(1)
  })

  test.each([{ sort: 'id' }, { direction: 'newest' }, { active: 'on' }])(
    'a query of %j is refused',
    async (query) => {
      expect(await refused(list(query as never))).toMatchObject({ status: 422, code: 'validation_failed' })
    },
  )
})

describe('revenue', () => {
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
      others: { meals: 0, completed: 0, pending: 0 },
      byMethod: [],
      cycle: { id: canteen.cycle.id, byDay: [], days: 0, byClass: [] },
    })
  })

  test('orders count by status, week and item, of all time or of one cycle', async () => {
    const { parent, children } = await canteen.family('tembo', '3', '9')
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
        { week: 1, firstDay: '2026-09-15', meals: 2, completed: 45.5, pending: 0 },
        { week: 2, firstDay: '2026-09-24', meals: 1, completed: 0, pending: 45.5 },
      ],
      byItem: [
        { name: 'Stew', meals: 2, completed: 45.5, pending: 45.5 },
        { name: 'School porridge', meals: 1, completed: 0, pending: 0 },
      ],
      byMethod: [{ amount: 91 }],
      cycle: {
        byDay: [
          { date: '2026-09-15', meals: 2, amount: 45.5, before: null, ill: 0, notCollected: null },
          { date: '2026-09-24', meals: 1, amount: 45.5, before: null, ill: 0, notCollected: null },
        ],
      },
    })
    expect(await stats(canteen.cycle.id)).toEqual(all)
    expect((await stats(canteen.cycle.id + 1)).stats.totalOrders).toBe(0)
  })

  test('the days of a cycle have those of the cycle before beside them, who was ill and what was not collected', async () => {
    const pool = canteen.infrastructure.database.pool
    const columns = (await pool.query(`select * from ordering.orders limit 0`)).fields.map(({ name }) => name)
    const copy = (id: string, values: Record<string, unknown>) =>
      pool.query(
        `insert into ordering.orders select ${columns
          .map((name) => (name in values ? `$${Object.keys(values).indexOf(name) + 2}` : `"${name}"`))
          .join(', ')} from ordering.orders where id = $1`,
        [id, ...Object.values(values)],
      )
    const { rows } = await pool.query<{ id: string }>(
      `select id from ordering.orders where status = 'pending' and meal_date = '2026-09-24'`,
    )
    const source = rows[0]!.id
    // Three children of the cycle before, on its Tuesday: one was given lunch, one was ill, one did not come.
    await pool.query(`insert into cycles.order_cycles (start_date, cycle_length, is_active, created_at)
      values ('2026-08-10', 4, false, '2026-08-01')`)
    const { rows: cycles } = await pool.query<{ id: number }>(
      `select id from cycles.order_cycles where start_date = '2026-08-10'`,
    )
    const own = { cycle_id: cycles[0]!.id, meal_date: '2026-08-11', week: 1, day: 2, status: 'completed' }
    await copy(source, { ...own, id: 'x1', student_id: 9001, given_at: new Date() })
    await copy(source, { ...own, id: 'x2', student_id: 9002, absent: true })
    await copy(source, { ...own, id: 'x3', student_id: 9003 })
    const before = await stats(cycles[0]!.id)
    expect(before.cycle!.byDay).toEqual([
      { date: '2026-08-11', meals: 3, amount: 136.5, before: null, ill: 1, notCollected: 1 },
    ])
    const { cycle } = await stats()
    expect(cycle!.id).toBe(canteen.cycle.id)
    expect(cycle!.byDay[0]).toEqual({
      date: '2026-09-15',
      meals: 2,
      amount: 45.5,
      before: { meals: 3, amount: 136.5 },
      ill: 0,
      notCollected: null,
    })
    await pool.query(`delete from ordering.orders where id in ('x1', 'x2', 'x3')`)
    await pool.query(`delete from cycles.order_cycles where start_date = '2026-08-10'`)
  })

  test('uptake of a class is its meals up to today of its children, each day that had lunch', async () => {
    canteen.setClock('2026-09-15T13:00:00+02:00')
    const { cycle } = await stats()
    expect(cycle!.days).toBe(1)
    expect(cycle!.byClass.find(({ name }) => name === '3')).toMatchObject({
      meals: 1,
      children: 1,
      uptake: 100,
    })
    const nine = cycle!.byClass.find(({ name }) => name === '9')!
    expect(nine.meals).toBe(1)
    expect(nine.uptake).toBe(Math.round(1000 / nine.children) / 10)
    canteen.setClock('2026-09-14T07:00:00+02:00')
    expect((await stats()).cycle!).toMatchObject({ days: 0 })
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
    expect(await refused(cook.call(revenueStats))).toMatchObject({ status: 403, code: 'forbidden' })
  })
})
