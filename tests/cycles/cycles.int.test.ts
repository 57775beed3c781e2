import {
  createCycle,
  deactivateCycle,
  listCycles,
  previewCycle,
  reactivateCycle,
  saveCutoff,
} from '#contracts/cycles'
import { administrator, parent, teacher } from '../support/module-server'
import { fourWeeks, planner, settler, startCyclesOnly } from './cycles-only'

let school: Awaited<ReturnType<typeof startCyclesOnly>>
beforeAll(async () => {
  school = await startCyclesOnly()
})
beforeEach(() => school.reset())
afterAll(() => school.close())

describe('a new cycle', () => {
  test('is the active one and carries its calendar', async () => {
    const blockedDays = [{ week: 1, day: 4 }]
    const cycle = await school.create({ ...fourWeeks, blockedDays: [...blockedDays, ...blockedDays] })
    expect(cycle).toMatchObject({
      id: 1,
      isActive: true,
      startDate: '2026-09-14',
      endDate: '2026-10-09',
      cycleLength: 4,
      createdAt: '2026-09-16T05:00:00.000Z',
      blockedDays,
      today: '2026-09-16',
    })
    expect(cycle.weeks).toHaveLength(4)
    expect(cycle.weeks?.[0]?.days.map(({ state }) => state)).toEqual([
      'past',
      'past',
      'open',
      'blocked',
      'open',
    ])
  })

  test('says how many orders of other cycles stand on its dates, and so does its preview, which keeps nothing', async () => {
    school.ordered.push({ date: '2026-09-15', cycleId: 9 }, { date: '2026-09-16', cycleId: 9 })
    const overlap = { orders: 4, dates: ['2026-09-15', '2026-09-16'] }
    const preview = await school.server.call(planner, previewCycle, { body: fourWeeks })
    expect(preview).toMatchObject({ startDate: '2026-09-14', endDate: '2026-10-09', overlap })
    expect(preview.weeks).toHaveLength(4)
    expect(await school.server.call(parent, listCycles)).toEqual([])
    expect(await school.create()).toMatchObject({ id: 1, overlap })
  })

  test('whose plan is refused has no preview, and nobody without the feature sees one', async () => {
    const wrong = { body: { ...fourWeeks, startDate: '2026-09-15' } }
    expect(await school.server.refused(planner, previewCycle, wrong)).toMatchObject({
      code: 'start_not_monday',
    })
    expect((await school.server.refused(settler, previewCycle, { body: fourWeeks })).status).toBe(403)
  })

  test('its own orders are no overlap when it is made the active one again', async () => {
    const { id } = await school.create()
    school.ordered.push({ date: '2026-09-15', cycleId: id }, { date: '2026-09-16', cycleId: 9 })
    await school.server.call(planner, deactivateCycle, { params: { id } })
    const again = await school.server.call(planner, reactivateCycle, { params: { id } })
    expect(again.overlap).toEqual({ orders: 2, dates: ['2026-09-16'] })
  })

  test('says how long its days stay as they are: until the cutoff, then until midnight', async () => {
    const hour = 3_600_000
    expect((await school.create()).nextChangeInMs).toBe(hour)
    school.clock.now = new Date('2026-09-16T06:00:00.000Z')
    const [cycle] = await school.server.call(parent, listCycles)
    expect(cycle?.nextChangeInMs).toBe(16 * hour)
  })

  test('may be given as the instant at which its Monday begins at the school', async () => {
    expect((await school.create({ ...fourWeeks, startDate: '2026-09-20T22:00:00.000Z' })).startDate).toBe(
      '2026-09-21',
    )
  })

  test.each([
    [{ startDate: '2026-09-15' }, 'start_not_monday', { startDate: 'Cycle must start on a Monday' }],
    [
      { startDate: '2026-09-07' },
      'start_in_past',
      { startDate: 'Cycle cannot start before the current week' },
    ],
    [{ startDate: 'soon' }, 'start_date_invalid', { startDate: 'Start date must be a date' }],
    [
      { blockedDays: [{ week: 5, day: 1 }] },
      'blocked_day_outside_cycle',
      { blockedDays: 'Blocked day 1 of week 5 lies outside the cycle' },
    ],
    [{ cycleLength: 5 }, 'validation_failed', { cycleLength: 'Missing required information' }],
    [{ startDate: undefined }, 'validation_failed', { startDate: 'Missing required information' }],
    [{ blockedDays: [{ week: 1, day: 6 }] }, 'validation_failed', expect.anything()],
  ])('with %j is refused: %s', async (wrong, code, fields) => {
    const answer = await school.server.refused(planner, createCycle, { body: { ...fourWeeks, ...wrong } })
    expect(answer).toMatchObject({ status: 422, code, fields })
    expect(await school.server.call(parent, listCycles)).toEqual([])
  })

  test('is refused while one is active, and nothing of it is kept', async () => {
    await school.create()
    const blockedDays = [{ week: 1, day: 1 }]
    expect(
      await school.server.refused(planner, createCycle, { body: { ...fourWeeks, blockedDays } }),
    ).toMatchObject({
      status: 409,
      code: 'cycle_active',
      message: 'An order cycle is already active. Deactivate it first.',
    })
    expect(await school.server.call(planner, listCycles)).toHaveLength(1)
    expect(await school.database.knex('cycles.blocked_days')).toEqual([])
  })

  test('of several asked for at once is exactly one', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => school.create()))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await school.server.call(planner, listCycles)).toHaveLength(1)
    expect(school.server.log.lines.filter(({ level }) => level === 'error')).toEqual([])
  })
})

describe('a cycle and closed dates', () => {
  test('its blocked days are closures while it is active', async () => {
    const { id } = await school.create({ ...fourWeeks, blockedDays: [{ week: 2, day: 3 }] })
    expect(await school.planned()).toEqual([['2026-09-23', id]])
    await school.server.call(planner, deactivateCycle, { params: { id } })
    expect(await school.planned()).toEqual([])
    await school.server.call(planner, reactivateCycle, { params: { id } })
    await school.server.call(planner, reactivateCycle, { params: { id } })
    expect(await school.planned()).toEqual([['2026-09-23', id]])
  })

  test('a date that is closed is a blocked day of every cycle, and its preview names it', async () => {
    await school.closeDates('2026-09-24', '2027-01-01')
    const preview = await school.server.call(planner, previewCycle, { body: fourWeeks })
    expect(preview.closed).toEqual(['2026-09-24'])
    const blockedDays = [{ week: 2, day: 4 }]
    expect(await school.create()).toMatchObject({ blockedDays })
    expect(await school.server.call(parent, listCycles)).toMatchObject([{ blockedDays }])
    expect((await school.cycles.orderingCalendar()).cycle).toMatchObject({ blockedDays })
    expect(await school.cycles.activeCycle()).toMatchObject({ blockedDays })
  })
})

describe('the list of cycles', () => {
  test('has the active one first, then the newest, for everybody signed in', async () => {
    for (const day of [1, 2, 3]) {
      school.clock.now = new Date(`2026-09-1${day + 5}T07:00:00+02:00`)
      const { id } = await school.create()
      if (day < 3) await school.server.call(planner, deactivateCycle, { params: { id } })
    }
    await school.server.call(planner, deactivateCycle, { params: { id: 3 } })
    await school.server.call(planner, reactivateCycle, { params: { id: 1 } })
    for (const who of [parent, teacher, administrator(13)]) {
      const list = await school.server.call(who, listCycles)
      expect(list.map(({ id, isActive }) => [id, isActive])).toEqual([
        [1, true],
        [3, false],
        [2, false],
      ])
      expect(list.map(({ weeks, today }) => [weeks?.length, today])).toEqual([
        [4, '2026-09-18'],
        [undefined, undefined],
        [undefined, undefined],
      ])
    }
  })

  test('shows each day of the weeks of the cycle, and no other, as it is at that instant', async () => {
    await school.create({ ...fourWeeks, blockedDays: [{ week: 2, day: 1 }] })
    school.clock.now = new Date('2026-09-16T08:00:00+02:00')
    const [cycle] = await school.server.call(parent, listCycles)
    const states = cycle?.weeks?.map(({ days }) => days.map(({ state }) => state))
    const open = ['open', 'open', 'open', 'open', 'open']
    expect(states).toEqual([
      ['past', 'past', 'cutoff', 'open', 'open'],
      ['blocked', 'open', 'open', 'open', 'open'],
      open,
      open,
    ])
  })

  test('shows the calendar by the cutoff as it is set now', async () => {
    await school.create()
    const todayState = async () =>
      (await school.server.call(parent, listCycles))[0]?.weeks?.[0]?.days[2]?.state
    expect(await todayState()).toBe('open')
    await school.server.call(settler, saveCutoff, { body: { hour: 7, minute: 0 } })
    expect(await todayState()).toBe('cutoff')
    await school.server.call(settler, saveCutoff, { body: { hour: 7, minute: 1 } })
    expect(await todayState()).toBe('open')
  })
})

describe('deactivating', () => {
  test('ends the active cycle, and asking again answers as if done', async () => {
    await school.create()
    for (const _ of ['first', 'again'])
      expect(await school.server.call(planner, deactivateCycle, { params: { id: 1 } })).toEqual({
        message: 'Order cycle deactivated',
      })
    expect(await school.cycles.activeCycle()).toBeNull()
    expect((await school.create()).id).toBe(2)
  })

  test('an unknown cycle is refused', async () => {
    expect(await school.server.refused(planner, deactivateCycle, { params: { id: 9 } })).toMatchObject({
      status: 404,
      code: 'cycle_not_found',
      message: 'Cycle not found',
    })
  })
})

describe('reactivating', () => {
  test('makes a past cycle the active one again, with its calendar, and again changes nothing', async () => {
    await school.create()
    await school.server.call(planner, deactivateCycle, { params: { id: 1 } })
    for (const _ of ['first', 'again']) {
      const cycle = await school.server.call(planner, reactivateCycle, { params: { id: 1 } })
      expect(cycle).toMatchObject({ id: 1, isActive: true })
      expect(cycle.weeks).toHaveLength(4)
    }
  })

  test('is refused while another is active', async () => {
    await school.create()
    await school.server.call(planner, deactivateCycle, { params: { id: 1 } })
    await school.create()
    expect(await school.server.refused(planner, reactivateCycle, { params: { id: 1 } })).toMatchObject({
      status: 409,
      code: 'cycle_active',
    })
    expect((await school.cycles.activeCycle())?.id).toBe(2)
  })

  test('an unknown cycle is refused', async () => {
    expect(await school.server.refused(planner, reactivateCycle, { params: { id: 9 } })).toMatchObject({
      status: 404,
      code: 'cycle_not_found',
    })
  })
})
