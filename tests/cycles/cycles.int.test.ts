import {
  createCycle,
  deactivateCycle,
  listCycles,
  previewCycle,
  reactivateCycle,
  previewCutoff,
  saveCutoff,
  type CycleSort,
  getCutoff,
  getCycleLength,
  cycleHistory,
  cycleSorts,
} from '#contracts/cycles'
import type { Principal } from '#platform/http/route'
import { administrator, parent, teacher } from '../support/module-server'
import { fourWeeks, planner, settler, startCyclesOnly, historian, wednesdayMorning } from './cycles-only'

let school: Awaited<ReturnType<typeof startCyclesOnly>>
beforeAll(async () => {
  school = await startCyclesOnly()
})
afterAll(() => school.close())

describe('cycles', () => {
  beforeEach(() => school.reset())

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
})

describe('cycle history and settings', () => {
  beforeEach(() => school.reset())

  describe('the history', () => {
    test.each([undefined, 'page=0'])('without a page (%s) is its first', async (query) => {
      await school.create()
      const { data, metadata } = await school.server.call(planner, cycleHistory, { query })
      expect(data).toHaveLength(1)
      expect(metadata).toMatchObject({ page: 1, totalPages: 1 })
    })

    test('of a school without cycles is one empty page', async () => {
      expect(await school.server.call(planner, cycleHistory)).toEqual({
        data: [],
        metadata: {
          total: 0,
          page: 1,
          pageSize: 10,
          totalPages: 1,
          hasNextPage: false,
          hasPreviousPage: false,
        },
      })
    })
  })

  test('the cycle length is that of the active cycle, else four weeks', async () => {
    expect(await school.server.call(parent, getCycleLength)).toEqual({ cycleLength: 4 })
    await school.create({ ...fourWeeks, cycleLength: 6 })
    expect(await school.server.call(parent, getCycleLength)).toEqual({ cycleLength: 6 })
    await school.server.call(planner, deactivateCycle, { params: { id: 1 } })
    expect(await school.server.call(parent, getCycleLength)).toEqual({ cycleLength: 4 })
  })

  const cutoffOf = async (date: string) => (await school.cycles.orderingCalendar()).cutoffOf(date)

  test('the cutoff is eight o’clock until it is set', async () => {
    const sameDay = { daysBefore: 0, schoolDaysOnly: true, version: expect.any(String) }
    const eight = { cutoffHour: 8, cutoffMinute: 0, ...sameDay }
    const halfPastNine = { cutoffHour: 9, cutoffMinute: 30, ...sameDay }
    expect(await school.server.call(parent, getCutoff)).toEqual(eight)
    expect(await school.server.call(settler, saveCutoff, { body: { hour: 9, minute: 30 } })).toEqual(
      halfPastNine,
    )
    expect(await school.server.call(parent, getCutoff)).toEqual(halfPastNine)
    expect(await cutoffOf('2026-09-17')).toEqual(new Date('2026-09-17T09:30:00+02:00'))
  })

  test('a look at another cutoff names the open days that it would close at once, and changes nothing', async () => {
    const closedBy = async (body: { hour: number; minute: number; daysBefore?: number }) =>
      (await school.server.call(settler, previewCutoff, { body })).closes
    const tomorrowToo = { hour: 7, minute: 0, daysBefore: 1 }
    expect(await closedBy(tomorrowToo)).toEqual([])
    await school.create()
    expect(await closedBy({ hour: 7, minute: 1 })).toEqual([])
    expect(await closedBy({ hour: 7, minute: 0 })).toEqual(['2026-09-16'])
    expect(await closedBy(tomorrowToo)).toEqual(['2026-09-16', '2026-09-17'])
    expect(await school.server.call(parent, getCutoff)).toMatchObject({ cutoffHour: 8, daysBefore: 0 })
    await school.server.call(settler, saveCutoff, { body: tomorrowToo })
    expect(await closedBy({ hour: 6, minute: 0 })).toEqual([])
  })

  test('days before stay when only the time is saved', async () => {
    const twoBefore = { hour: 8, minute: 0, daysBefore: 2, schoolDaysOnly: false }
    await school.server.call(settler, saveCutoff, { body: twoBefore })
    const body = { hour: 7, minute: 15 }
    const kept = {
      cutoffHour: 7,
      cutoffMinute: 15,
      daysBefore: 2,
      schoolDaysOnly: false,
      version: expect.any(String),
    }
    expect(await school.server.call(settler, saveCutoff, { body })).toEqual(kept)
    expect(await school.server.call(parent, getCutoff)).toEqual(kept)
    expect(await cutoffOf('2026-09-22')).toEqual(new Date('2026-09-20T07:15:00+02:00'))
  })

  test('with days before, the calendar closes days ahead, and closing a day moves later cutoffs earlier', async () => {
    await school.create()
    const body = { hour: 8, minute: 0, daysBefore: 1 }
    await school.server.call(settler, saveCutoff, { body })
    // Wednesday 16 September, at eight: Thursday has just closed.
    school.clock.now = new Date('2026-09-16T08:00:00+02:00')
    const daysNow = async () => {
      const [cycle] = await school.server.call(parent, listCycles)
      const [first] = cycle!.weeks!
      return Object.fromEntries(first!.days.map(({ date, state, cutoffAt }) => [date, [state, cutoffAt]]))
    }
    expect(await daysNow()).toMatchObject({
      '2026-09-17': ['cutoff', '2026-09-16T06:00:00.000Z'],
      '2026-09-18': ['open', '2026-09-17T06:00:00.000Z'],
    })
    await school.closeDates('2026-09-17')
    school.cycles.closedDatesChanged()
    expect(await daysNow()).toMatchObject({
      '2026-09-17': ['blocked', '2026-09-16T06:00:00.000Z'],
      '2026-09-18': ['cutoff', '2026-09-16T06:00:00.000Z'],
    })
    expect(await cutoffOf('2026-09-18')).toEqual(new Date('2026-09-16T08:00:00+02:00'))
  })

  test.each([
    { hour: 24, minute: 0 },
    { hour: 8, minute: 60 },
    { hour: -1, minute: 0 },
    { hour: 8.5, minute: 0 },
    { hour: 8, minute: 0, daysBefore: 6 },
    { hour: 8, minute: 0, daysBefore: -1 },
    { hour: 8, minute: 0, daysBefore: 0.5 },
    { hour: 8, minute: 0, schoolDaysOnly: 'yes' },
  ])('a cutoff of %j is refused', async (body) => {
    expect(await school.server.refused(settler, saveCutoff, { body })).toMatchObject({ status: 422 })
    expect(await cutoffOf('2026-09-17')).toEqual(new Date('2026-09-17T08:00:00+02:00'))
  })

  describe('rights', () => {
    const changes = [
      [createCycle, planner],
      [deactivateCycle, planner],
      [reactivateCycle, planner],
      [cycleHistory, planner],
      [cycleHistory, historian],
      [saveCutoff, settler],
      [previewCutoff, settler],
    ] as const
    const input = { params: { id: 1 }, body: {} }

    test.each(changes)('%s is for its feature only', async (endpoint, allowed) => {
      const statusFor = async (who: Principal | null) =>
        (
          await school.server.ask(who, endpoint.path.replace(':id', '1'), {
            method: endpoint.method,
            body: endpoint.method === 'GET' ? undefined : input.body,
          })
        ).status
      expect(await statusFor(null)).toBe(401)
      for (const who of [parent, teacher, administrator(14, 'menu', 'kitchen')])
        expect(await statusFor(who)).toBe(403)
      expect([200, 404, 422]).toContain(await statusFor(allowed))
    })

    test.each([listCycles, getCycleLength, getCutoff])('%s is for everybody signed in', async (endpoint) => {
      expect((await school.server.refused(null, endpoint)).status).toBe(401)
      await school.server.call(parent, endpoint)
    })
  })

  describe('for siblings', () => {
    test('cycles are found by their ids, the active one without', async () => {
      await school.create()
      const cycle = {
        id: 1,
        startDate: '2026-09-14',
        cycleLength: 4,
        isActive: true,
        createdAt: new Date(wednesdayMorning),
        blockedDays: [],
      }
      expect(await school.cycles.activeCycle()).toEqual(cycle)
      expect(await school.cycles.cyclesByIds([1, 2])).toEqual(new Map([[1, cycle]]))
    })
  })
})

describe('cycle history list', () => {
  const past = async (startDate: string, cycleLength: 4 | 6) => {
    const { id } = await school.create({ startDate, cycleLength })
    await school.server.call(planner, deactivateCycle, { params: { id } })
  }

  // Ids 1 to 5; the first three are made at the same moment.
  beforeAll(async () => {
    await school.reset()
    await past('2026-10-05', 4)
    await past('2027-01-11', 6)
    await past('2026-10-05', 6)
    school.clock.now = new Date(school.clock.now.getTime() + 60_000)
    await past('2026-09-21', 4)
    await past('2027-02-15', 4)
    school.totals.set(1, { orders: 8, revenue: 900, completed: 900 })
    school.totals.set(3, { orders: 8, revenue: 100, completed: 100 })
    school.totals.set(5, { orders: 2, revenue: 5000, completed: 5000 })
  })

  const list = (query: string) => school.server.call(planner, cycleHistory, { query })
  const ids = async (query: string) => (await list(query)).data.map(({ id }) => id)

  const ascending: Record<CycleSort, number[]> = {
    created: [1, 2, 3, 4, 5],
    start: [4, 1, 3, 2, 5],
    length: [1, 4, 5, 2, 3],
    orders: [2, 4, 5, 1, 3],
    revenue: [2, 4, 3, 1, 5],
  }

  test.each(cycleSorts)(
    'the history is sorted by %s both ways, equal ones as they were made',
    async (sort) => {
      expect(await ids(`sort=${sort}&direction=asc`)).toEqual(ascending[sort])
      expect(await ids(`sort=${sort}&direction=desc`)).toEqual(ascending[sort].toReversed())
      expect(await ids(`sort=${sort}`)).toEqual(ascending[sort].toReversed())
    },
  )

  test('carries the totals it is sorted by', async () => {
    const { data } = await list('sort=orders&direction=desc')
    expect(data.map(({ totalOrders, totalRevenue }) => [totalOrders, totalRevenue])).toEqual([
      [8, 1],
      [8, 9],
      [2, 50],
      [0, 0],
      [0, 0],
    ])
  })

  test.each([
    ['year=2027', [5, 2]],
    ['cycleLength=6', [3, 2]],
    ['year=2026&cycleLength=4&sort=revenue', [1, 4]],
    ['year=2025', []],
  ])('finds by %s', async (query, expected) => {
    const { data, metadata } = await list(query)
    expect(data.map(({ id }) => id)).toEqual(expected)
    expect(metadata).toMatchObject({ total: expected.length, totalPages: 1 })
  })

  test.each(['sort=id', 'direction=down', 'year=26', 'cycleLength=5', 'sort=start&sort=length'])(
    'a query of %s is refused',
    async (query) => {
      const { status, code } = await school.server.refused(planner, cycleHistory, { query })
      expect([status, code]).toEqual([422, 'validation_failed'])
    },
  )

  describe('of more than a page', () => {
    // Ids 6 to 12, a minute apart.
    beforeAll(async () => {
      for (let made = 0; made < 7; made += 1) {
        school.clock.now = new Date(school.clock.now.getTime() + 60_000)
        await past('2027-03-15', 4)
      }
      school.totals.set(12, { orders: 3, revenue: 13_650, completed: 13_650 })
    })

    test('is told in pages of ten, newest first, with what was ordered', async () => {
      const first = await school.server.call(historian, cycleHistory, { query: 'page=1' })
      expect(first.data.map(({ cycleId }) => cycleId)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
      expect(first.data[0]).toMatchObject({
        id: 12,
        totalOrders: 3,
        totalRevenue: 136.5,
        endDate: '2027-04-09',
      })
      expect(first.data[1]).toMatchObject({ totalOrders: 0, totalRevenue: 0 })
      expect(first.metadata).toEqual({
        total: 12,
        page: 1,
        pageSize: 10,
        totalPages: 2,
        hasNextPage: true,
        hasPreviousPage: false,
      })
      const second = await list('page=2')
      expect(second.data.map(({ cycleId }) => cycleId)).toEqual([2, 1])
      expect(second.metadata).toMatchObject({ page: 2, hasNextPage: false, hasPreviousPage: true })
      expect((await list('page=99')).data).toEqual([])
    })

    test.each(['created', 'revenue'])('sorted by %s it is paged after that', async (sort) => {
      const first = await list(`sort=${sort}&direction=asc`)
      const second = await list(`sort=${sort}&direction=asc&page=2`)
      expect(first.data).toHaveLength(10)
      expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(first.metadata.total)
    })
  })
})
