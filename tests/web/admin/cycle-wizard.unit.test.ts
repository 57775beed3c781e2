import * as fc from 'fast-check'
import {
  addDays,
  comingMondays,
  cycleDate,
  isDate,
  lastDay,
  mondayOf,
  weekdayOf,
} from '../../../web/features/cycles-admin/cycle-calendar'
import {
  newWizard,
  stepComplete,
  type WizardAct,
  wizardReducer,
} from '../../../web/features/cycles-admin/wizard/wizard'

const after = (...acts: WizardAct[]) => acts.reduce(wizardReducer, newWizard)
const four: WizardAct = { type: 'length', weeks: 4 }
const monday: WizardAct = { type: 'date', date: '2026-09-14' }
const next: WizardAct = { type: 'next' }
const blocked: WizardAct = { type: 'day', day: { week: 2, day: 3 } }

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
  test('goes through its four steps in order and back', () => {
    const review = after(four, next, monday, next, next)
    expect(review.step).toBe('review')
    expect(wizardReducer(review, { type: 'back' }).step).toBe('blocked-days')
    expect(wizardReducer(newWizard, { type: 'back' }).step).toBe('cycle-length')
  })

  test('does not leave a step that lacks its answer', () => {
    expect(after(next).step).toBe('cycle-length')
    expect(after(four, next, next).step).toBe('start-date')
    expect(after(four, next, { type: 'date', date: '2026-02-30' }, next).step).toBe('start-date')
  })

  test('a pick that is no Monday becomes the Monday of its week and is remembered', () => {
    expect(after(four, { type: 'date', date: '2026-09-16' })).toMatchObject({
      startDate: '2026-09-14',
      snappedFrom: '2026-09-16',
    })
    expect(after(four, { type: 'date', date: '2026-09-16' }, monday).snappedFrom).toBeNull()
  })

  test('a year that is half typed is no date yet and stays as typed', () => {
    const typing = after(four, { type: 'date', date: '0202-09-16' })
    expect(typing).toMatchObject({ startDate: '', typed: '0202-09-16', snappedFrom: null })
    expect(wizardReducer(typing, { type: 'date', date: '2026-09-16' }).typed).toBe('2026-09-14')
  })

  test('going on without an answer is remembered until there is one', () => {
    expect(after(next).asked).toBe(true)
    expect(after(next, four, next).asked).toBe(false)
  })

  test('another start date clears the blocked days, the same one keeps them', () => {
    expect(after(four, monday, blocked, { type: 'date', date: '2026-09-21' }).blockedDays).toEqual([])
    expect(after(four, monday, blocked, { type: 'date', date: '2026-09-17' }).blockedDays).toHaveLength(1)
  })

  test('a day is blocked and freed again, in calendar order', () => {
    const first: WizardAct = { type: 'day', day: { week: 1, day: 5 } }
    expect(after(four, monday, blocked, first).blockedDays).toEqual([
      { week: 1, day: 5 },
      { week: 2, day: 3 },
    ])
    expect(after(four, monday, blocked, blocked).blockedDays).toEqual([])
  })

  test('a shorter cycle keeps no blocked day outside it', () => {
    const six: WizardAct = { type: 'length', weeks: 6 }
    expect(after(six, monday, { type: 'day', day: { week: 6, day: 1 } }, blocked, four).blockedDays).toEqual([
      { week: 2, day: 3 },
    ])
  })

  test('a review without a date is not complete', () => {
    expect(stepComplete({ ...newWizard, step: 'review', cycleLength: 4 })).toBe(false)
    expect(stepComplete(after(four, monday), 'review')).toBe(true)
  })
})
