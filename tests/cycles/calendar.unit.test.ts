import * as fc from 'fast-check'
import { addDays, mondayOf, schoolMoment, weekdayOf } from '#kernel/school-time'
import {
  type CyclePlan,
  blockedDates,
  calendar,
  nextChangeAt,
  type Cutoff,
  cutoffRule,
  dayState,
  endDate,
  todayAt,
  planCycle,
  readStartDate,
} from '#modules/cycles/calendar.decide'
import { tries } from '../support/tries'

fc.configureGlobal({ seed: 20260914, numRuns: tries(100) })

const lusaka = 'Africa/Lusaka'
const atTime = (hour: number, minute: number, more: Partial<Cutoff> = {}): Cutoff => ({
  hour,
  minute,
  daysBefore: 0,
  schoolDaysOnly: true,
  ...more,
})
const rule = (cutoff: Cutoff, closed: string[] = [], zone = lusaka) =>
  cutoffRule(cutoff, new Set(closed), zone)
const eight = rule(atTime(8, 0))
const cycle: CyclePlan = {
  startDate: '2026-09-14',
  cycleLength: 4,
  blockedDays: [
    { week: 1, day: 1 },
    { week: 1, day: 3 },
    { week: 2, day: 5 },
  ],
}

const at = (instant: string) => todayAt(new Date(instant), eight, lusaka)
const stateAt = (instant: string, week: number, day: number) => dayState(cycle, { week, day }, at(instant))

describe('a day of the cycle', () => {
  test('is open before its date and on its date until the cutoff', () => {
    expect(stateAt('2026-09-14T10:00:00+02:00', 1, 2)).toBe('open')
    expect(stateAt('2026-09-15T00:00:00+02:00', 1, 2)).toBe('open')
    expect(stateAt('2026-09-15T07:59:59.999+02:00', 1, 2)).toBe('open')
  })

  test('is closed by the cutoff at the cutoff itself and for the rest of the day', () => {
    expect(stateAt('2026-09-15T08:00:00+02:00', 1, 2)).toBe('cutoff')
    expect(stateAt('2026-09-15T23:59:59.999+02:00', 1, 2)).toBe('cutoff')
  })

  test('is past from midnight at the school, not in London', () => {
    expect(stateAt('2026-09-15T21:59:59Z', 1, 2)).toBe('cutoff')
    expect(stateAt('2026-09-15T22:00:00Z', 1, 2)).toBe('past')
  })

  test('is blocked before the day and on it, before and after the cutoff', () => {
    expect(stateAt('2026-09-14T10:00:00+02:00', 2, 5)).toBe('blocked')
    expect(stateAt('2026-09-16T07:00:00+02:00', 1, 3)).toBe('blocked')
    expect(stateAt('2026-09-16T09:00:00+02:00', 1, 3)).toBe('blocked')
  })

  test('is past even if it was blocked', () => {
    expect(stateAt('2026-09-17T07:00:00+02:00', 1, 3)).toBe('past')
  })

  test('of another week is not blocked with it', () => {
    expect(stateAt('2026-09-14T07:00:00+02:00', 2, 3)).toBe('open')
    expect(stateAt('2026-09-14T07:00:00+02:00', 1, 5)).toBe('open')
  })
})

describe('a cutoff', () => {
  test('is an instant of the school’s clock', () => {
    expect(rule(atTime(13, 45))('2026-09-15')).toEqual(new Date('2026-09-15T11:45:00Z'))
  })

  test('at midnight closes the whole day', () => {
    const midnight = rule(atTime(0, 0))
    const today = todayAt(new Date('2026-09-15T00:00:00+02:00'), midnight, lusaka)
    expect(dayState(cycle, { week: 1, day: 2 }, today)).toBe('cutoff')
  })

  test('stays passed when the clock is set back over it', () => {
    const zone = 'America/New_York'
    const half = rule(atTime(1, 30), [], zone)
    const autumn = { startDate: '2026-10-26', cycleLength: 4, blockedDays: [] }
    const sundayStates = ['2026-11-01T05:30:00Z', '2026-11-01T06:10:00Z'].map((instant) =>
      dayState(autumn, { week: 1, day: 7 }, todayAt(new Date(instant), half, zone)),
    )
    expect(sundayStates).toEqual(['cutoff', 'cutoff'])
  })

  const friday = '2026-09-18'
  const monday = '2026-09-21'
  const tuesday = '2026-09-22'
  test.each<[string, string, Partial<Cutoff>, string[], string]>([
    ['of the same day', monday, {}, [], monday],
    ['of the school day before', monday, { daysBefore: 1 }, [], friday],
    ['of calendar days before', monday, { daysBefore: 1, schoolDaysOnly: false }, [], '2026-09-20'],
    ['of five school days before', friday, { daysBefore: 5 }, [], '2026-09-11'],
    ['over a closed day', tuesday, { daysBefore: 1 }, [monday], friday],
    ['over several closed days', tuesday, { daysBefore: 2 }, [monday, friday], '2026-09-16'],
    [
      'of a closed day, counted in calendar days',
      tuesday,
      { daysBefore: 1, schoolDaysOnly: false },
      [monday],
      monday,
    ],
    ['of a day that is closed itself', monday, { daysBefore: 1 }, [monday], friday],
    ['of the same day, though it is closed', monday, {}, [monday], monday],
  ])('%s', (_name, date, more, closed, closing) => {
    const cutoff = rule(atTime(8, 0, more), closed)(date)
    expect(cutoff).toEqual(new Date(`${closing}T08:00:00+02:00`))
  })

  test.each<[string, string, Partial<Cutoff>, number, string[], string]>([
    ['a school day earlier', tuesday, {}, 1, [], monday],
    ['over a weekend', monday, {}, 1, [], friday],
    ['from the cutoff of its day', monday, { daysBefore: 1 }, 2, [], '2026-09-16'],
    ['from a calendar day, by school days', monday, { daysBefore: 1, schoolDaysOnly: false }, 1, [], friday],
    ['over a closed day', tuesday, {}, 2, [monday], '2026-09-17'],
    ['five school days', friday, {}, 5, [], '2026-09-11'],
  ])('of a dish with lead days: %s', (_name, date, more, leadDays, closed, closing) => {
    const cutoff = rule(atTime(8, 0, more), closed)(date, leadDays)
    expect(cutoff).toEqual(new Date(`${closing}T08:00:00+02:00`))
  })

  test('is told for dishes with lead days, for open days alone', () => {
    const dayOf = (instant: string) => calendar(cycle, at(instant))[0]!.days[3]!
    expect(dayOf('2026-09-16T08:00:00+02:00')).toMatchObject({
      date: '2026-09-17',
      cutoffAt: '2026-09-17T06:00:00.000Z',
      earlierCutoffs: ['2026-09-16', '2026-09-15', '2026-09-14', '2026-09-11', '2026-09-10'].map(
        (date) => `${date}T06:00:00.000Z`,
      ),
      openLeadDays: 0,
    })
    expect(dayOf('2026-09-16T07:59:59.999+02:00').openLeadDays).toBe(1)
    expect(dayOf('2026-09-10T07:00:00+02:00').openLeadDays).toBe(5)
    expect(dayOf('2026-09-17T08:00:00+02:00')).not.toHaveProperty('earlierCutoffs')
  })

  test('of a dish with lead days changes the days too', () => {
    const next = (instant: string) => nextChangeAt(cycle, at(instant), lusaka)
    // Before the cycle: the Tuesday of its first week with a lead of two days.
    expect(next('2026-09-11T07:00:00+02:00')).toEqual(new Date('2026-09-11T08:00:00+02:00'))
  })

  test('changes the days at each cutoff of the cycle and at midnight', () => {
    const dayBefore = rule(atTime(8, 0, { daysBefore: 1 }))
    const next = (instant: string) =>
      nextChangeAt(cycle, todayAt(new Date(instant), dayBefore, lusaka), lusaka)
    // Friday: Monday closes at eight.
    expect(next('2026-09-18T07:00:00+02:00')).toEqual(new Date('2026-09-18T08:00:00+02:00'))
    expect(next('2026-09-18T08:00:00+02:00')).toEqual(new Date('2026-09-19T00:00:00+02:00'))
    expect(next('2026-09-19T12:00:00+02:00')).toEqual(new Date('2026-09-20T00:00:00+02:00'))
  })

  test('of Friday completes the week', () => {
    const dayBefore = rule(atTime(8, 0, { daysBefore: 1 }))
    const completedAt = (instant: string) =>
      calendar(cycle, todayAt(new Date(instant), dayBefore, lusaka))[0]!.completed
    expect(completedAt('2026-09-17T07:59:59+02:00')).toBe(false)
    expect(completedAt('2026-09-17T08:00:00+02:00')).toBe(true)
  })
})

const earlier = (...days: string[]) => ({
  earlierCutoffs: days.map((day) => `2026-09-${day}T06:00:00.000Z`),
})

describe('the calendar', () => {
  test('has the weeks of the cycle with Monday to Friday and their states', () => {
    const weeks = calendar(cycle, at('2026-09-15T09:00:00+02:00'))
    expect(weeks).toHaveLength(4)
    expect(weeks[0]).toEqual({
      week: 1,
      startDate: '2026-09-14',
      endDate: '2026-09-18',
      completed: false,
      days: [
        { day: 1, date: '2026-09-14', state: 'past', cutoffAt: '2026-09-14T06:00:00.000Z' },
        { day: 2, date: '2026-09-15', state: 'cutoff', cutoffAt: '2026-09-15T06:00:00.000Z' },
        { day: 3, date: '2026-09-16', state: 'blocked', cutoffAt: '2026-09-16T06:00:00.000Z' },
        {
          day: 4,
          date: '2026-09-17',
          state: 'open',
          cutoffAt: '2026-09-17T06:00:00.000Z',
          ...earlier('16', '15', '14', '11', '10'),
          openLeadDays: 1,
        },
        {
          day: 5,
          date: '2026-09-18',
          state: 'open',
          cutoffAt: '2026-09-18T06:00:00.000Z',
          ...earlier('17', '16', '15', '14', '11'),
          openLeadDays: 2,
        },
      ],
    })
    expect(weeks[3]).toMatchObject({ week: 4, startDate: '2026-10-05', endDate: '2026-10-09' })
    expect(endDate(cycle)).toBe('2026-10-09')
  })

  test.each([
    ['2026-09-18T07:59:59+02:00', false],
    ['2026-09-18T08:00:00+02:00', true],
    ['2026-09-19T00:00:00+02:00', true],
    ['2026-09-17T23:00:00+02:00', false],
  ])('at %s week 1 is completed: %s', (instant, completed) => {
    const [first, second] = calendar(cycle, at(instant))
    expect(first?.completed).toBe(completed)
    expect(second?.completed).toBe(false)
  })

  test('crosses the end of a year and a leap day', () => {
    const winter = calendar({ ...cycle, startDate: '2026-12-14' }, at('2026-12-01T09:00:00+02:00'))
    expect(winter[2]?.days.map(({ date }) => date)).toEqual([
      '2026-12-28',
      '2026-12-29',
      '2026-12-30',
      '2026-12-31',
      '2027-01-01',
    ])
    const leap = calendar({ ...cycle, startDate: '2028-02-28' }, at('2028-02-01T09:00:00+02:00'))
    expect(leap[0]?.days.map(({ date }) => date).slice(0, 3)).toEqual([
      '2028-02-28',
      '2028-02-29',
      '2028-03-01',
    ])
  })
})

const instantNear = (start: string, { days, minutes }: { days: number; minutes: number }) =>
  new Date(Date.parse(`${addDays(start, days)}T00:00:00Z`) + minutes * 60_000)

describe('whatever the cycle, the cutoff, the zone and the time', () => {
  const zone = fc.constantFrom(lusaka, 'America/New_York', 'Europe/London', 'Pacific/Auckland')
  const date = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('2020-01-01', days))
  const cutoff = fc.record({
    hour: fc.integer({ min: 0, max: 23 }),
    minute: fc.integer({ min: 0, max: 59 }),
    daysBefore: fc.integer({ min: 0, max: 5 }),
    schoolDaysOnly: fc.boolean(),
  })
  const place = fc.record({ week: fc.integer({ min: 1, max: 6 }), day: fc.integer({ min: 1, max: 5 }) })
  const plan = fc.record({
    startDate: date.map(mondayOf),
    cycleLength: fc.constantFrom(4, 6),
    blockedDays: fc.array(place, { maxLength: 5 }),
  })
  const moment = fc.record({
    days: fc.integer({ min: -10, max: 50 }),
    minutes: fc.integer({ min: 0, max: 1439 }),
  })

  test('the days run Monday to Friday without a gap but the weekends', () => {
    fc.assert(
      fc.property(plan, cutoff, zone, moment, (plan, cutoff, zone, moment) => {
        const weeks = calendar(
          plan,
          todayAt(instantNear(plan.startDate, moment), rule(cutoff, blockedDates(plan), zone), zone),
        )
        const days = weeks.flatMap((week) => week.days)
        expect(weeks.map(({ week }) => week)).toEqual(
          Array.from({ length: plan.cycleLength }, (_, i) => i + 1),
        )
        expect(days.map(({ date }) => weekdayOf(date))).toEqual(days.map(({ day }) => day))
        expect(days.map(({ date }) => date)).toEqual(
          days.map((_, index) => addDays(plan.startDate, Math.floor(index / 5) * 7 + (index % 5))),
        )
        expect(weeks.at(-1)?.endDate).toBe(endDate(plan))
      }),
    )
  })

  test('a day is open exactly when it is not blocked and its cutoff instant lies ahead', () => {
    fc.assert(
      fc.property(plan, cutoff, zone, moment, (plan, cutoff, zone, moment) => {
        const now = instantNear(plan.startDate, moment)
        const cutoffOf = rule(cutoff, blockedDates(plan), zone)
        const blocked = new Set(plan.blockedDays.map(({ week, day }) => `${week}.${day}`))
        for (const { week, days } of calendar(plan, todayAt(now, cutoffOf, zone)))
          for (const { day, date, state } of days) {
            const ahead = now < cutoffOf(date) && date >= schoolMoment(now, zone).date
            expect(state === 'open').toBe(!blocked.has(`${week}.${day}`) && ahead)
            expect(state === 'past').toBe(date < schoolMoment(now, zone).date)
          }
      }),
    )
  })

  test('a completed week has no open day, and a later week is never completed before an earlier one', () => {
    fc.assert(
      fc.property(plan, cutoff, zone, moment, (plan, cutoff, zone, moment) => {
        const weeks = calendar(
          plan,
          todayAt(instantNear(plan.startDate, moment), rule(cutoff, blockedDates(plan), zone), zone),
        )
        for (const { completed, days } of weeks)
          expect(completed && days.some(({ state }) => state === 'open')).toBe(false)
        const flags = weeks.map(({ completed }) => Number(completed))
        expect(flags).toEqual(flags.toSorted((one, other) => other - one))
      }),
    )
  })
})

const facts = { today: '2026-09-16', zone: 'Africa/Lusaka' }
const wish = { startDate: '2026-09-21', cycleLength: 4, blockedDays: [] }
const refusal = (code: string, field: string, message: string) =>
  expect.objectContaining({ name: 'Refusal', code, message, fields: { [field]: message } })

test('a cycle starts on a coming Monday', () => {
  expect(planCycle(wish, facts)).toEqual(wish)
  expect(planCycle({ ...wish, cycleLength: 6 }, facts).cycleLength).toBe(6)
})

test('the Monday of the current week is accepted, the one before is not', () => {
  expect(planCycle({ ...wish, startDate: '2026-09-14' }, facts).startDate).toBe('2026-09-14')
  expect(() => planCycle({ ...wish, startDate: '2026-09-07' }, facts)).toThrow(
    refusal('start_in_past', 'startDate', 'Cycle cannot start before the current week'),
  )
})

test('on a Sunday the current week still began on Monday', () => {
  const sunday = { ...facts, today: '2026-09-20' }
  expect(planCycle({ ...wish, startDate: '2026-09-14' }, sunday).startDate).toBe('2026-09-14')
})

test.each(['2026-09-15', '2026-09-20', '2026-10-01'])('%s is refused: not a Monday', (startDate) => {
  expect(() => planCycle({ ...wish, startDate }, facts)).toThrow(
    refusal('start_not_monday', 'startDate', 'Cycle must start on a Monday'),
  )
})

test('an instant is the day it is at the school', () => {
  expect(readStartDate('2026-09-20T22:00:00.000Z', facts.zone)).toBe('2026-09-21')
  expect(readStartDate('2026-09-20T21:59:59Z', facts.zone)).toBe('2026-09-20')
  expect(readStartDate('2026-09-21T00:00:00+02:00', facts.zone)).toBe('2026-09-21')
  expect(readStartDate('2026-09-20T22:00:00.000Z', 'America/New_York')).toBe('2026-09-20')
})

test.each([
  '',
  'Monday',
  '2026-02-30',
  '2026-02-30T10:00:00Z',
  '0026-09-21',
  '9999-12-27T00:00:00Z',
  '2026-09-21 or so',
  '2026-9-21',
  '2026-09-21T25:00:00Z',
  '2026-09-21T00:00:00',
  '1',
  '21/09/2026',
])('%j is no start date', (startDate) => {
  expect(() => planCycle({ ...wish, startDate }, facts)).toThrow(
    refusal('start_date_invalid', 'startDate', 'Start date must be a date'),
  )
})

test('a day blocked twice is blocked once, and blocked days stand in order', () => {
  const blockedDays = [
    { week: 3, day: 2 },
    { week: 1, day: 5 },
    { week: 3, day: 2 },
    { week: 3, day: 1 },
  ]
  expect(planCycle({ ...wish, blockedDays }, facts).blockedDays).toEqual([
    { week: 1, day: 5 },
    { week: 3, day: 1 },
    { week: 3, day: 2 },
  ])
})

test('a blocked day outside the weeks of the cycle is refused, inside the longer cycle it is not', () => {
  const blockedDays = [{ week: 5, day: 1 }]
  expect(() => planCycle({ ...wish, blockedDays }, facts)).toThrow(
    refusal('blocked_day_outside_cycle', 'blockedDays', 'Blocked day 1 of week 5 lies outside the cycle'),
  )
  expect(planCycle({ ...wish, cycleLength: 6, blockedDays }, facts).blockedDays).toEqual(blockedDays)
})
