import { randomUUID } from 'node:crypto'
import { createMenuItem } from '#contracts/catalogue'
import { createCycle, saveCutoff } from '#contracts/cycles'
import { addStudent, createAdmin } from '#contracts/identity'
import { kitchenToday, kitchenWeek, setOrderStatus } from '#contracts/kitchen'
import { createDiscountCode } from '#contracts/order-reports'
import { cancelOrder, listOrders, placeOrders, type CartLine, type Order } from '#contracts/ordering'
import { CallRefused, type Client } from '../../src/app/demo/client'
import { demoMenu } from '../../src/app/demo/sample-data'
import type { School } from '../support/school'

/** Wednesday of week 1, an hour before the cutoff. */
const wednesday = '2026-09-16T07:00:00+02:00'
type Refused = { status: number; code: string; lines?: unknown }
const refusal = async (call: Promise<unknown>): Promise<Refused> => {
  const error: unknown = await call.then(
    () => new Error('The call was accepted'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof CallRefused)) throw error
  return { status: error.status, ...error.body }
}
const ordersOf = async (client: Client) =>
  (await client.call(listOrders, { query: { includeAll: 'true' } })) as Order[]

/**
 * The whole path from a family to the kitchen against the running service, told once for every event store.
 * `open` starts a school on Monday 14 September 2026 at five in the morning.
 */
export const familyOrderSuite = (open: () => Promise<School>): void => {
  let school: School
  let office: Client
  let parent: Client
  let children: { id: number }[]
  const items = new Map<string, number>()

  const itemId = (name: string) => items.get(name)!
  const line = (over: Partial<CartLine> = {}): CartLine => ({
    menuItemId: itemId('Soup & Bread'),
    studentId: children[0]!.id,
    weekNumber: 1,
    dayOfWeek: 3,
    category: 'vegetarian',
    sideDish: null,
    comments: '',
    originalPrice: 0,
    ...over,
  })
  const place = (lines: CartLine[], key?: string, by = parent) =>
    by.call(placeOrders, { body: lines, headers: key ? { 'idempotency-key': key } : {} })

  beforeAll(async () => {
    school = await open()
    office = await school.superadmin()
    for (const fields of demoMenu.filter(({ name }) =>
      ['Soup & Bread', 'Chicken & Rice', 'Bean Stew'].includes(name),
    ))
      items.set(
        fields.name,
        (await office.call(createMenuItem, { body: { ...fields, daysOfWeek: [1, 2, 3, 4, 5] } })).id,
      )
    await office.call(createCycle, {
      body: { startDate: '2026-09-14', cycleLength: 4, blockedDays: [{ week: 1, day: 5 }] },
    })
    await office.call(saveCutoff, { body: { hour: 8, minute: 0 } })
    parent = await school.parent('mother.banda', { name: 'Mother Banda', email: 'mother@example.com' })
    children = [
      await parent.call(addStudent, { body: { name: 'Chipo Banda', grade: '2' } }),
      await parent.call(addStudent, { body: { name: 'Luse Banda', grade: '9' } }),
    ]
    school.setClock(wednesday)
  })
  afterAll(() => school.close())

  describe('a family orders', () => {
    test('both children over several days, and reads the orders back', async () => {
      const placed = await place([
        line({ comments: 'No croutons' }),
        line({ dayOfWeek: 4 }),
        line({ studentId: children[1]!.id, menuItemId: itemId('Bean Stew') }),
      ])
      expect(placed.orders.map(({ id }) => id)).toEqual([
        `${children[0]!.id}.2026-09-16.1`,
        `${children[0]!.id}.2026-09-17.1`,
        `${children[1]!.id}.2026-09-16.1`,
      ])
      expect(placed.payment).toBeNull()
      expect(await ordersOf(parent)).toHaveLength(3)
    })

    test('the kitchen sees the portions, with protein and comment', async () => {
      const { totals } = await office.call(kitchenToday)
      expect(totals).toContainEqual(
        expect.objectContaining({
          menuItem: 'Soup & Bread',
          type: 'primary',
          total: 1,
          unpaid: 0,
          proteins: [{ name: 'vegetarian', count: 1 }],
          plates: [
            expect.objectContaining({
              category: 'vegetarian',
              comments: [{ text: 'No croutons', count: 1, students: ['Chipo Banda'] }],
            }),
          ],
        }),
      )
    })

    test('one line is cancelled within the hour, the boundary included, and not a moment later', async () => {
      const [first, second] = (await ordersOf(parent)).toSorted((a, b) => a.id.localeCompare(b.id))
      school.setClock('2026-09-16T08:00:00+02:00')
      expect(await parent.call(cancelOrder, { params: { id: first!.id } })).toMatchObject({
        status: 'cancelled',
      })
      school.setClock('2026-09-16T08:00:00.001+02:00')
      expect(await refusal(parent.call(cancelOrder, { params: { id: second!.id } }))).toMatchObject({
        status: 409,
        code: 'cancel_window_over',
      })
      school.setClock(wednesday)
    })

    test('the kitchen marks an order complete, which then cannot be cancelled', async () => {
      const order = (await ordersOf(parent)).find(({ status }) => status === 'pending')!
      const done = await office.call(setOrderStatus, { body: { orderIds: [order.id], status: 'completed' } })
      expect(done.updated).toBe(1)
      expect(await refusal(parent.call(cancelOrder, { params: { id: order.id } }))).toMatchObject({
        status: 409,
      })
    })
  })

  const lineRefusal = async (over: Partial<CartLine>) => {
    const answer = await refusal(place([line({ weekNumber: 2, ...over })]))
    expect(answer.code).toBe('lines_refused')
    const [refused] = answer.lines as { index: number; code: string; message: string }[]
    expect(refused!.message.length).toBeGreaterThan(5)
    return { status: answer.status, index: refused!.index, code: refused!.code }
  }

  describe('the server refuses', () => {
    test.each([
      ['a day that is blocked', { weekNumber: 1, dayOfWeek: 5 }, 'day_blocked', 422],
      ['a day that has passed', { weekNumber: 1, dayOfWeek: 1 }, 'day_past', 422],
      ['a week that the cycle has not', { weekNumber: 5 }, 'week_outside_cycle', 422],
      ['an item that is not there', { menuItemId: 999 }, 'item_missing', 422],
      ["somebody else's child", { studentId: 999 }, 'student_not_found', 422],
      ['no protein', { category: null }, 'protein_required', 422],
      ['a protein that is not offered', { category: 'caviar' }, 'protein_not_offered', 422],
      ['a price that is not ours', { originalPrice: 5 }, 'price_changed', 422],
    ])('%s', async (_what, over, code, status) => {
      expect(await lineRefusal(over)).toEqual({ status, index: 0, code })
    })

    test("the other school's menu for the grade", async () => {
      expect(await lineRefusal({ menuItemId: itemId('Bean Stew') })).toMatchObject({
        code: 'wrong_menu_for_grade',
      })
    })

    test('a day that was ordered already', async () => {
      await place([line({ weekNumber: 3 })])
      expect(await lineRefusal({ weekNumber: 3 })).toEqual({ status: 409, index: 0, code: 'already_ordered' })
    })

    test('today at the cutoff, not a moment before', async () => {
      school.setClock('2026-09-17T08:00:00+02:00')
      expect(await lineRefusal({ weekNumber: 1, dayOfWeek: 4 })).toMatchObject({ code: 'cutoff_passed' })
      school.setClock('2026-09-17T07:59:59+02:00')
      expect(await lineRefusal({ weekNumber: 1, dayOfWeek: 4, category: null })).toMatchObject({
        code: 'protein_required',
      })
      school.setClock(wednesday)
    })

    test('one bad line refuses all of them', async () => {
      const before = (await ordersOf(parent)).length
      const answer = await refusal(place([line({ weekNumber: 2 }), line({ weekNumber: 1, dayOfWeek: 1 })]))
      expect(answer.lines).toEqual([expect.objectContaining({ index: 1, code: 'day_past' })])
      expect(await ordersOf(parent)).toHaveLength(before)
    })

    test('a cart that costs money without a payment', async () => {
      const dear = line({ weekNumber: 2, menuItemId: itemId('Chicken & Rice'), originalPrice: 38.5 })
      const answer = await refusal(place([{ ...dear, category: 'chicken', sideDish: 'Coleslaw' }]))
      expect(answer).toMatchObject({ status: 402, code: 'payment_required' })
    })

    test('another body under the same key; the same body answers the same orders', async () => {
      const body = [line({ weekNumber: 4 })]
      const first = await place(body, 'key-of-week-four')
      expect(await place(body, 'key-of-week-four')).toEqual(first)
      expect(await refusal(place([line({ weekNumber: 4, dayOfWeek: 4 })], 'key-of-week-four'))).toMatchObject(
        {
          status: 409,
          code: 'idempotency_key_reused',
        },
      )
    })

    test("somebody else's order as if it were not there", async () => {
      const stranger = await school.parent('stranger')
      const [order] = await ordersOf(parent)
      expect(await refusal(stranger.call(cancelOrder, { params: { id: order!.id } }))).toMatchObject({
        status: 404,
      })
      expect(await ordersOf(stranger)).toEqual([])
    })
  })

  test('a code of 100 percent makes a dear meal free', async () => {
    const { parent_id: userId } = await parent.call(addStudent, { body: { name: 'Third Banda', grade: 'K' } })
    await office.call(createDiscountCode, {
      body: { code: 'BURSARY', userId, discountPercentage: 100, isActive: true },
    })
    const dear = line({
      weekNumber: 2,
      dayOfWeek: 2,
      menuItemId: itemId('Chicken & Rice'),
      originalPrice: 38.5,
    })
    const { orders } = await place([
      { ...dear, discountedPrice: 0, category: 'chicken', sideDish: 'Coleslaw' },
    ])
    expect(orders[0]).toMatchObject({ originalPrice: 38.5, discountedPrice: 0, discountPercentage: 100 })
  })

  test('twenty requests at once for one child and day end in exactly one order', async () => {
    // One that is told to come back (503) asks again with its key, as the application does.
    const asking = async (key: string): Promise<unknown> =>
      place([line({ weekNumber: 2, dayOfWeek: 4 })], key).catch((refused: CallRefused) => {
        if (refused.status !== 503) throw refused
        return asking(key)
      })
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => asking(randomUUID())))
    const refused = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason as CallRefused] : [],
    )
    expect(answers.length - refused.length).toBe(1)
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['409 lines_refused']),
    )
    const { totals } = await office.call(kitchenWeek, { params: { week: 2 } })
    expect(totals.filter(({ dayOfWeek }) => dayOfWeek === 4).map(({ total }) => total)).toEqual([1])
  })

  test('an administrator with few features sees and does only those', async () => {
    await office.call(createAdmin, {
      body: { username: 'menu.only', password: 'menu-password', allowedFeatures: ['menu'] },
    })
    const clerk = await school.signIn('menu.only', 'menu-password')
    expect(await refusal(clerk.call(kitchenToday))).toMatchObject({ status: 403 })
    expect(await refusal(parent.call(kitchenToday))).toMatchObject({ status: 403 })
    expect(await refusal(school.visitor().call(kitchenToday))).toMatchObject({ status: 401 })
  })
}
