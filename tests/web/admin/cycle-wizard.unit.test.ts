import * as fc from 'fast-check'
import {
  addDays,
  comingMondays,
  cycleDate,
  isDate,
  lastDay,
  mondayOf,
  weekdayOf,
} from '../../../web/features/cycles-admin/cycle-text'
import {
  newCycle,
  startOf,
  withDay,
  withinWeeks,
} from '../../../web/features/cycles-admin/wizard/wizard-steps'

const whole = { cycleLength: 4, picked: '2026-09-16', blockedDays: [] }
const messages = (typed: object) =>
  newCycle.safeParse(typed).error?.issues.map(({ message }) => message) ?? []

describe('the calendar', () => {
  test.each([
    ['2026-09-14', '2026-09-14'],
    ['2026-09-16', '2026-09-14'],
    ['2026-09-20', '2026-09-14'],
    ['2027-01-01', '2026-12-28'],
  ])('the Monday of %s is %s', (date, expected) => expect(mondayOf(date)).toBe(expected))

  test('every date snaps to a Monday at most six days before it', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }), (days) => {
        const date = addDays('2020-01-01', days)
        const snapped = mondayOf(date)
        expect(weekdayOf(snapped)).toBe(1)
        expect([0, 1, 2, 3, 4, 5, 6].map((gap) => addDays(snapped, gap))).toContain(date)
      }),
    ))

  test('days of a cycle count from its Monday', () => {
    expect(cycleDate('2026-09-14', 2, 3)).toBe('2026-09-23')
    expect(lastDay('2026-09-14', 6)).toBe('2026-10-23')
    expect(comingMondays('2026-09-16', 3)).toEqual(['2026-09-14', '2026-09-21', '2026-09-28'])
  })

  test.each([
    ['2026-02-30', false],
    ['14/09/2026', false],
    ['', false],
    ['2026-02-28', true],
  ])('"%s" is a date: %s', (text, expected) => expect(isDate(text)).toBe(expected))
})

describe('the wizard', () => {
  test('a pick that is no Monday becomes the Monday of its week', () => {
    expect(startOf('2026-09-16')).toBe('2026-09-14')
    expect(startOf('2026-09-14')).toBe('2026-09-14')
  })

  test.each(['0202-09-16', '2026-02-30', ''])('"%s", half typed or no date, starts no cycle', (picked) => {
    expect(startOf(picked)).toBe('')
    expect(messages({ ...whole, picked })).toEqual(['Please select a Monday as the start date.'])
  })

  test('a cycle has a length of 4 or 6 weeks', () => {
    expect(messages(whole)).toEqual([])
    expect(messages({ ...whole, cycleLength: undefined })).toEqual(['Missing required information'])
    expect(messages({ ...whole, cycleLength: 5 })).toEqual(['Missing required information'])
  })

  test('a day is blocked and freed again, in calendar order', () => {
    const blocked = withDay([{ week: 2, day: 3 }], { week: 1, day: 5 })
    expect(blocked).toEqual([
      { week: 1, day: 5 },
      { week: 2, day: 3 },
    ])
    expect(withDay(blocked, { week: 1, day: 5 })).toEqual([{ week: 2, day: 3 }])
  })

  test('a shorter cycle keeps no blocked day outside it', () => {
    expect(
      withinWeeks(
        [
          { week: 2, day: 3 },
          { week: 6, day: 1 },
        ],
        4,
      ),
    ).toEqual([{ week: 2, day: 3 }])
  })
})
