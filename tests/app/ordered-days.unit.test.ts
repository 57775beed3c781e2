import { daysOf, firstKitchenDay } from '../../src/app/demo/ordering'

const opens = (at: string) => firstKitchenDay(new Date(at), 'Africa/Lusaka')

test.each([
  ['Wednesday', '2026-09-16T10:00:00+02:00', { week: 1, day: 3 }],
  ['Friday before midnight', '2026-09-18T23:59:00+02:00', { week: 1, day: 5 }],
  ['Saturday', '2026-09-19T00:00:00+02:00', { week: 2, day: 1 }],
  ['Sunday before midnight', '2026-09-20T23:59:00+02:00', { week: 2, day: 1 }],
])('opened on a %s the kitchen sees its next school day', (_, at, day) => {
  expect(opens(at)).toEqual(day)
})

const lunchesOn = (day: { week: number; day: number }, kitchenWeek: number) =>
  Array.from({ length: 30 }, (_, index) => daysOf(index, kitchenWeek)).filter((days) =>
    days.some((one) => one.week === day.week && one.day === day.day),
  ).length

test('that day is ordered by most families, a week further on by some', () => {
  expect(lunchesOn({ week: 1, day: 3 }, 1)).toBe(24)
  expect(lunchesOn({ week: 2, day: 1 }, 1)).toBe(10)
  expect(lunchesOn({ week: 2, day: 1 }, 2)).toBe(24)
})
