import { planCycle, readStartDate } from '#modules/cycles/calendar.decide'

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
