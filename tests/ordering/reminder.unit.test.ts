import { smsText } from '#modules/messaging/letters'
import { openDaysOf, reminder, weekToRemindOf } from '#modules/ordering/reminders/reminder.decide'

const zone = 'Africa/Lusaka'

test.each([
  ['2026-09-16T17:00:00+02:00', null],
  ['2026-09-17T16:59:59+02:00', null],
  ['2026-09-17T17:00:00+02:00', '2026-09-21'],
  ['2026-09-18T16:59:59+02:00', '2026-09-21'],
  ['2026-09-18T17:00:00+02:00', null],
  ['2026-09-20T17:00:00+02:00', null],
])('at %s families are reminded of the week of %s', (at, week) =>
  expect(weekToRemindOf(new Date(at), zone)).toBe(week),
)

describe('the open days of next week', () => {
  const now = new Date('2026-09-17T17:00:00+02:00')
  const cutoff = { hour: 8, minute: 0 }
  const cycle = { id: 1, startDate: '2026-09-14', cycleLength: 2, blockedDays: [{ week: 2, day: 1 }] }
  const open = (more: object) => openDaysOf('2026-09-21', { cycle: { ...cycle, ...more }, cutoff }, now, zone)

  test('are those of the cycle that are not closed', () =>
    expect(open({})).toEqual(['2026-09-22', '2026-09-23', '2026-09-24', '2026-09-25']))

  test('are none after the cycle, before it, and without one', () => {
    expect(open({ cycleLength: 1 })).toEqual([])
    expect(open({ startDate: '2026-09-28' })).toEqual([])
    expect(openDaysOf('2026-09-21', { cycle: null, cutoff }, now, zone)).toEqual([])
  })
})

test('a reminder fits one SMS with its link', () => {
  const stopLink = 'https://lunch.school.example/stop/1a.0123456789abcdef'
  const { subject, short = '' } = reminder('2026-09-21', stopLink)
  expect(subject).toBe('No lunch ordered for next week')
  const text = smsText({ schoolName: 'Baobab School', short, publicUrl: 'https://lunch.school.example' })
  expect(text).toMatch(/stop\/1a\.0123456789abcdef/)
})
