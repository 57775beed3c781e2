import { paidLineHindrance } from '#modules/ordering/paid-line.decide'
import { chanda, cycle, nshima, tuesdayMeal } from './lunches'

const facts = {
  studentIds: new Set([chanda.id]),
  activeCycle: cycle,
  itemIds: new Set([nshima.id]),
  today: '2026-09-15',
}
const hindrance = (change: Partial<typeof facts> | { activeCycle: null }) =>
  paidLineHindrance(tuesdayMeal, { ...facts, ...change })

test('a paid line becomes an order', () => expect(hindrance({})).toBeNull())
test('the student is gone', () => expect(hindrance({ studentIds: new Set() })).toBe('unknown_student'))
test('no cycle is active, or another', () => {
  expect(hindrance({ activeCycle: null })).toBe('cycle_inactive')
  expect(hindrance({ activeCycle: { ...cycle, id: 8 } })).toBe('cycle_inactive')
})
test('the day was blocked', () =>
  expect(hindrance({ activeCycle: { ...cycle, blockedDays: [{ week: 1, day: 2 }] } })).toBe('day_blocked'))
test('the day has passed', () => expect(hindrance({ today: '2026-09-16' })).toBe('day_past'))
test('the item is gone', () => expect(hindrance({ itemIds: new Set() })).toBe('missing_item'))
