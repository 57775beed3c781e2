import { orderPlanWeek } from '#contracts/plan'
import type { Ordering } from '#modules/ordering/index'
import { hours, nextMonday, openPlanSchool, ordersOf, set, weekOf, type PlanSchool } from './plan-school'

describe('a week of a plan, once whatever happens', () => {
  let school: PlanSchool
  beforeAll(async () => {
    school = await openPlanSchool()
  })
  afterAll(() => school.close())
  beforeEach(() => school.setClock(hours.friday))
  afterEach(() => school.endPlans())

  const sweepsAtOnce = (runners: number) =>
    Promise.all(Array.from({ length: runners }, () => school.sweepNamed('carry-out-plans', 'follow-plans')))
  const door = () => school.modules.find(({ name }) => name === 'ordering') as unknown as Ordering
  const by = { actor: 'job:test', correlationId: 'test' }

  test('by several runners at once is announced, asked for and ordered once', async () => {
    const { parent, child, userId } = await school.planner('raced', '0977 510 001')
    await set(parent, school.planFor(child, [1, 2]))
    school.setClock(hours.announced)
    await sweepsAtOnce(3)
    school.setClock(hours.sunday17)
    await sweepsAtOnce(3)
    await sweepsAtOnce(2)
    expect(await school.onPhone('0977510001', 'approve')).toBe(1)
    await school.at('2026-09-20T17:02:00+02:00')
    await sweepsAtOnce(2)
    expect(await ordersOf(parent)).toHaveLength(2)
    expect(await weekOf(parent)).toMatchObject({ state: 'ordered' })
    expect((await school.told(userId)).filter((subject) => subject.includes('lunches'))).toHaveLength(1)
  })

  test('is placed by the sweep where the program ended right after it was begun', async () => {
    const { parent, child, userId } = await school.planner('cut-off', '0977 510 002')
    await set(parent, school.planFor(child, [1]))
    const { plans, planWeek } = door()
    school.setClock(hours.sunday17)
    await plans.change(userId, by, async (state, at) => ({
      kind: 'begin',
      why: 'hour',
      planned: await planWeek(
        { plan: state.plan!, skipped: [] },
        { userId, week: nextMonday, attemptId: 'none', closeMs: 0, at },
      ),
    }))
    await school.sweep()
    expect(await school.onPhone('0977510002', null)).toBe(0)
    await school.at('2026-09-20T17:01:00+02:00')
    await school.at('2026-09-20T17:02:00+02:00')
    expect(await school.onPhone('0977510002', null)).toBe(1)
    expect(await weekOf(parent)).toMatchObject({ state: 'waiting', toPay: 45.5 })
  })

  test('is not ordered again when the clock is set back', async () => {
    const { parent, child, userId } = await school.planner('set-back', null)
    await school.gift(userId, 100)
    await set(parent, school.planFor(child, [1], { pay: { by: 'credit' } }))
    await school.at(hours.sunday17)
    await school.at(hours.announced)
    await school.at(hours.sunday17)
    expect(await ordersOf(parent)).toHaveLength(1)
  })

  test('is one plan or the other where it is changed in the same second', async () => {
    const { parent, child, userId } = await school.planner('changing', null)
    await school.gift(userId, 500)
    const by: { pay: { by: 'credit' } } = { pay: { by: 'credit' } }
    await set(parent, school.planFor(child, [1, 2], by))
    school.setClock(hours.sunday17)
    await Promise.all([sweepsAtOnce(2), set(parent, school.planFor(child, [4], by))])
    await sweepsAtOnce(1)
    const days = (await ordersOf(parent)).map(({ dayOfWeek }) => dayOfWeek).toSorted()
    expect([[1, 2], [4]]).toContainEqual(days)
  })

  test('missed while the program was down is announced, and asked for ten minutes later', async () => {
    const { parent, child } = await school.planner('missed', '0977 510 003')
    await set(parent, school.planFor(child, [1, 2, 4]))
    await school.at('2026-09-22T09:00:00+02:00')
    expect(await weekOf(parent)).toMatchObject({
      state: 'announced',
      orders: [{ date: '2026-09-24' }],
      left: [
        { date: nextMonday, code: 'cutoff_passed' },
        { date: '2026-09-22', code: 'cutoff_passed' },
      ],
    })
    await school.at('2026-09-22T09:09:00+02:00')
    expect(await school.onPhone('0977510003', null)).toBe(0)
    await school.at('2026-09-22T09:10:00+02:00')
    expect(await school.onPhone('0977510003', null)).toBe(1)
  })

  test('first set after its hour waits for the next week', async () => {
    school.setClock(hours.sunday18)
    const { parent, child, userId } = await school.planner('late', null)
    await school.gift(userId, 500)
    await set(parent, school.planFor(child, [1], { pay: { by: 'credit' } }))
    await school.sweep()
    expect(await weekOf(parent)).toBeUndefined()
    await school.at('2026-09-27T17:00:00+02:00')
    expect(await weekOf(parent, '2026-09-28')).toMatchObject({ state: 'ordered' })
  })

  test('leaves a portion to one of two plans of the same hour', async () => {
    const dish = await school.cooked('Last stew', '40.00', 1)
    const planners = await Promise.all(
      ['portion-one', 'portion-two'].map(async (name) => school.planner(name, null)),
    )
    for (const { parent, child, userId } of planners) {
      await school.gift(userId, 500)
      const plan = school.planFor(child, [1], { pay: { by: 'credit' } })
      plan.children[0]!.days[0]!.dishes[0] = { menuItemId: dish, category: 'beef', sideDish: null, price: 40 }
      await set(parent, plan)
    }
    school.setClock(hours.sunday17)
    await sweepsAtOnce(2)
    const weeks = await Promise.all(planners.map(({ parent }) => weekOf(parent)))
    expect(weeks.map((week) => week?.state).toSorted()).toEqual(['nothing', 'ordered'])
    expect(weeks.flatMap((week) => week!.left.map(({ code }) => code))).toEqual(['sold_out'])
  })

  test('not paid three times in a row pauses the plan and says so; a press tries again', async () => {
    const { parent, child, userId } = await school.planner('unpaid', '0977 510 004')
    await set(parent, school.planFor(child, [1, 2]))
    for (const [sunday, monday] of [
      ['2026-09-20', '2026-09-21'],
      ['2026-09-27', '2026-09-28'],
      ['2026-10-04', '2026-10-05'],
    ] as const) {
      await school.at(`${sunday}T16:50:00+02:00`)
      await school.at(`${sunday}T17:00:00+02:00`)
      expect(await school.onPhone('0977510004', 'not-enough')).toBe(1)
      await school.at(`${sunday}T17:02:00+02:00`)
      await school.at(`${sunday}T18:00:00+02:00`)
      expect(await weekOf(parent, monday)).toMatchObject({ state: 'not_paid' })
    }
    expect(await school.told(userId)).toContainEqual('Your plan is paused')
    const pressed = await parent.call(orderPlanWeek, { body: { week: '2026-10-05' } })
    expect(pressed).toMatchObject({ plan: { paused: true }, weeks: [{ state: 'waiting' }, {}, {}] })
    expect(await school.onPhone('0977510004', 'approve')).toBe(1)
    await school.at('2026-10-04T18:02:00+02:00')
    await school.sweep()
    expect(await weekOf(parent, '2026-10-05')).toMatchObject({ state: 'ordered' })
  })
})
