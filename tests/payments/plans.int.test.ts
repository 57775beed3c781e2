import { getFamily } from '#contracts/find'
import { kitchenWeek } from '#contracts/kitchen'
import { placeOrders, cancelOrder, moveOrder } from '#contracts/ordering'
import { endPlan, getPlan, orderPlanWeek, pausePlan, pausePlanOfFamily, skipPlanDay } from '#contracts/plan'
import { refused } from '../ordering/canteen'
import { hours, nextMonday, openPlanSchool, ordersOf, set, weekOf, type PlanSchool } from './plan-school'

describe('the plan of a family', () => {
  let school: PlanSchool
  beforeAll(async () => {
    school = await openPlanSchool()
  })
  afterAll(() => school.close())
  beforeEach(() => school.setClock(hours.friday))
  afterEach(() => school.endPlans())

  describe('is set', () => {
    test('and read, paused, gone on with and ended', async () => {
      const { parent, child } = await school.planner('setter', '0977 500 001')
      const none = { offered: true, plan: null, next: null, weeks: [], version: expect.any(String) }
      expect(await parent.call(getPlan)).toEqual(none)
      const plan = school.planFor(child, [1, 2])
      const shown = await set(parent, plan)
      expect(shown.plan).toEqual({ ...plan, paused: false, version: expect.any(String) })
      expect(shown.next).toMatchObject({
        week: nextMonday,
        at: '2026-09-20T15:00:00.000Z',
        state: null,
        total: 91,
        credit: 0,
        toPay: 91,
        orders: [
          { orderId: null, studentId: child.id, date: nextMonday, menuItem: 'Stew', price: 45.5 },
          { date: '2026-09-22' },
        ],
        left: [],
      })
      expect(await set(parent, plan)).toEqual(shown)
      expect(await parent.call(pausePlan, { body: { paused: true } })).toMatchObject({
        plan: { paused: true },
        next: null,
      })
      expect(await parent.call(pausePlan, { body: { paused: false } })).toMatchObject({
        plan: { paused: false },
      })
      expect(await parent.call(endPlan)).toEqual(none)
      expect(await parent.call(endPlan)).toMatchObject({ plan: null })
    })

    test('only as it can be carried out', async () => {
      const { parent, child } = await school.planner('refused', null)
      const plan = school.planFor(child, [1])
      const bad = (more: object) => refused(set(parent, { ...plan, ...more } as never))
      expect(await bad({})).toMatchObject({ status: 409, code: 'phone_not_verified' })
      expect(await bad({ pay: { by: 'airtel' } })).toMatchObject({ status: 409, code: 'way_not_offered' })
      const early = await bad({ at: { day: 4, hour: 11, minute: 59 } })
      expect(early).toMatchObject({
        status: 422,
        fields: { at: 'Please choose a time before orders for Monday close.' },
      })
      expect(await bad({ at: { day: 1, hour: 7, minute: 31 } })).toMatchObject({
        fields: { at: expect.any(String) },
      })
      const stranger = { ...plan, children: [{ ...plan.children[0]!, studentId: 99_999 }] }
      expect(await bad(stranger)).toMatchObject({ status: 404, code: 'student_not_found' })
      const porridge = {
        menuItemId: school.items.porridge.id,
        category: 'chicken',
        sideDish: 'Banana',
        price: 0,
      }
      const misfit = [{ studentId: child.id, days: [{ day: 1, dishes: [porridge] }] }]
      expect(await bad({ children: misfit })).toMatchObject({
        status: 422,
        fields: { 'children.0.days.0.dishes.0.menuItemId': expect.any(String) },
      })
      for (const call of [
        parent.call(pausePlan, { body: { paused: true } }),
        parent.call(skipPlanDay, { body: { studentId: child.id, date: nextMonday, skip: true } }),
        parent.call(orderPlanWeek, { body: { week: nextMonday } }),
      ].map(refused))
        expect(await call).toMatchObject({ status: 404, code: 'no_plan' })
    })

    test('with the version that was seen, or not at all', async () => {
      const { parent, child } = await school.planner('versions', '0977 500 002')
      const first = await set(parent, school.planFor(child, [1]))
      await set(parent, school.planFor(child, [2]))
      const { version } = first.plan!
      expect(await refused(set(parent, { ...school.planFor(child, [4]), version }))).toMatchObject({
        status: 409,
        code: 'changed_meanwhile',
      })
    })

    test('not where the school offers none, though it is read and ended', async () => {
      const { parent, child } = await school.planner('off', '0977 500 003')
      await set(parent, school.planFor(child, [1]))
      await school.offer(false)
      expect(await refused(set(parent, school.planFor(child, [2])))).toMatchObject({ code: 'plans_off' })
      expect(await refused(parent.call(pausePlan, { body: { paused: true } }))).toMatchObject({
        code: 'plans_off',
      })
      expect(await parent.call(getPlan)).toMatchObject({ offered: false, plan: {}, next: null })
      await school.at(hours.sunday17)
      await school.at('2026-09-20T17:10:00+02:00')
      expect(await parent.call(endPlan)).toMatchObject({ plan: null, weeks: [] })
      await school.offer(true)
    })
  })

  describe('by a prompt', () => {
    test('is announced, asked for once at its hour, and ordered when it is approved', async () => {
      const { parent, child, userId } = await school.planner('prompted', '0977 500 010')
      await set(parent, school.planFor(child, [1, 2, 3]))
      await school.at('2026-09-20T16:49:00+02:00')
      expect(await school.told(userId)).not.toContainEqual(expect.stringContaining('lunches'))
      await school.at(hours.announced)
      expect(await school.told(userId)).toContainEqual("Next week's lunches for prompted: 2 meals, K91.00")
      expect(await weekOf(parent)).toMatchObject({ state: 'announced', toPay: 91 })
      expect(await school.onPhone('0977500010', null)).toBe(0)
      await school.at(hours.sunday17)
      expect(await weekOf(parent)).toMatchObject({
        state: 'waiting',
        left: [{ date: '2026-09-23', code: 'day_blocked', message: expect.any(String) }],
      })
      expect(await school.onPhone('0977500010', null)).toBe(1)
      await school.sweep()
      expect(await school.onPhone('0977500010', 'approve')).toBe(1)
      await school.at('2026-09-20T17:02:00+02:00')
      await school.sweep()
      const orders = await ordersOf(parent)
      expect(orders).toMatchObject([
        { paymentStatus: 'confirmed', payBy: 'airtel' },
        { paymentStatus: 'confirmed' },
      ])
      expect(await weekOf(parent)).toMatchObject({
        state: 'ordered',
        orders: [{ orderId: expect.any(String) }, { orderId: expect.any(String) }],
      })
      await school.at('2026-09-20T17:30:00+02:00')
      expect(await school.told(userId)).toHaveLength(2 + 1)
    })

    test('that is declined frees the days, tells once and asks no second time', async () => {
      const { parent, child, userId } = await school.planner('declined', '0977 500 011')
      await set(parent, school.planFor(child, [1]))
      await school.at(hours.announced)
      await school.at('2026-09-20T17:10:00+02:00')
      expect(await school.onPhone('0977500011', 'wrong-pin')).toBe(1)
      await school.at('2026-09-20T17:12:00+02:00')
      await school.sweep()
      await school.at('2026-09-20T18:00:00+02:00')
      await school.sweep()
      expect(await weekOf(parent)).toMatchObject({ state: 'not_paid', orders: [{ orderId: null }] })
      const unpaid = (await school.told(userId)).filter((subject) => subject.startsWith('Not ordered'))
      expect(unpaid).toHaveLength(1)
      expect(await school.onPhone('0977500011', null)).toBe(0)
    })

    test('asks nobody once the phone is not proved any more', async () => {
      const { parent, child, userId } = await school.planner('unproved', '0977 500 012')
      await set(parent, school.planFor(child, [1]))
      await school.infrastructure.database.pool.query(
        `update identity.users set "phoneVerifiedAt" = null where id = $1`,
        [userId],
      )
      await school.at(hours.announced)
      expect(await weekOf(parent)).toBeUndefined()
      await school.at('2026-09-20T17:10:00+02:00')
      await school.sweep()
      expect(await weekOf(parent)).toMatchObject({ state: 'failed' })
      expect(await school.told(userId)).toContainEqual(
        'Your plan could not order lunch: week of 21 September',
      )
    })
  })

  test('by credit orders what the balance covers, in order of date', async () => {
    const { parent, child, userId } = await school.planner('creditor', null)
    await school.gift(userId, 100)
    await set(parent, school.planFor(child, [1, 2, 4], { pay: { by: 'credit' } }))
    await school.at(hours.sunday17)
    expect(await weekOf(parent)).toMatchObject({
      state: 'ordered',
      total: 91,
      credit: 91,
      toPay: 0,
      left: [{ date: '2026-09-24', code: 'credit_short' }],
    })
    expect(await ordersOf(parent)).toHaveLength(2)
    await school.sweep()
    expect(await ordersOf(parent)).toHaveLength(2)
  })

  test('by transfer waits for its money', async () => {
    await school.ways({ prompt: false })
    const { parent, child } = await school.planner('banker', null)
    await set(parent, school.planFor(child, [1], { pay: { by: 'bank' } }))
    await school.at(hours.sunday17)
    await school.sweep()
    expect(await weekOf(parent)).toMatchObject({
      state: 'waiting',
      orders: [{ orderId: expect.any(String) }],
    })
    expect(await ordersOf(parent)).toMatchObject([{ paymentStatus: 'pending', payBy: 'bank' }])
    await school.ways({})
  })

  test('never brings back what a person took away, and skips what the family asks', async () => {
    const { parent, child, userId } = await school.planner('taken', null)
    await school.gift(userId, 500)
    const line = school.stewFor(child, 1, { weekNumber: 2 })
    const { orders } = await parent.call(placeOrders, { body: { cartItems: [line], useCredit: true } })
    await parent.call(cancelOrder, { params: { id: orders[0]!.id } })
    await set(parent, school.planFor(child, [1, 2, 4], { pay: { by: 'credit' } }))
    const skip = { studentId: child.id, date: '2026-09-22', skip: true }
    expect((await parent.call(skipPlanDay, { body: skip })).next).toMatchObject({
      orders: [{ date: '2026-09-24' }],
      left: [
        { date: nextMonday, code: 'cancelled_before' },
        { date: '2026-09-22', code: 'skipped' },
      ],
    })
    expect((await parent.call(skipPlanDay, { body: { ...skip, skip: false } })).next?.orders).toHaveLength(2)
    const yesterday = { ...skip, date: '2026-09-17' }
    expect(await refused(parent.call(skipPlanDay, { body: yesterday }))).toMatchObject({
      fields: { date: expect.any(String) },
    })
  })

  test('never fills the day that a lunch was moved away from', async () => {
    const { parent, child, userId } = await school.planner('mover', null)
    await school.gift(userId, 500)
    const line = school.stewFor(child, 1, { weekNumber: 2 })
    const { orders } = await parent.call(placeOrders, { body: { cartItems: [line], useCredit: true } })
    const params = { id: orders[0]!.id }
    await parent.call(moveOrder, { params, body: { date: '2026-09-22' } })
    await parent.call(moveOrder, { params, body: { date: '2026-09-24' } })
    expect(
      (await set(parent, school.planFor(child, [1, 2, 4, 5], { pay: { by: 'credit' } }))).next,
    ).toMatchObject({
      orders: [{ date: '2026-09-25' }],
      left: [
        { date: nextMonday, code: 'cancelled_before' },
        { date: '2026-09-22', code: 'cancelled_before' },
        { date: '2026-09-24', code: 'already_ordered' },
      ],
    })
  })

  test('orders now by a press, once', async () => {
    const { parent, child, userId } = await school.planner('presser', null)
    await school.gift(userId, 500)
    await set(parent, school.planFor(child, [1, 2], { pay: { by: 'credit' } }))
    const press = (week: string) => parent.call(orderPlanWeek, { body: { week } })
    expect(await refused(press('2026-09-07'))).toMatchObject({
      status: 422,
      fields: { week: expect.any(String) },
    })
    expect((await press(nextMonday)).weeks).toMatchObject([
      { state: 'ordered', orders: [{ orderId: expect.any(String) }, {}] },
    ])
    await press(nextMonday)
    await school.at(hours.sunday17)
    expect(await ordersOf(parent)).toHaveLength(2)
  })

  test('is seen and paused by the office, and counted in the kitchen', async () => {
    const { parent, child, userId } = await school.planner('seen', null)
    await set(parent, school.planFor(child, [4], { pay: { by: 'credit' } }))
    const planned = async () =>
      (await school.superadminClient.call(kitchenWeek, { params: { week: 2 }, query: { day: 4 } })).planned
    const before = (await planned())[0]!.meals
    const family = await school.superadminClient.call(getFamily, { params: { id: userId } })
    expect(family).toMatchObject({ plan: { paused: false, pay: { by: 'credit' } }, weeks: [] })
    const paused = await school.superadminClient.call(pausePlanOfFamily, {
      params: { id: userId },
      body: { paused: true },
    })
    expect(paused).toMatchObject({ plan: { paused: true }, next: null })
    expect((await planned()).reduce((sum, { meals }) => sum + meals, 0)).toBe(before - 1)
    await school.at(hours.sunday17)
    expect(await weekOf(parent)).toBeUndefined()
  })
})
