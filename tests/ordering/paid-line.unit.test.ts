import { type PaidLineFacts, paidLineUnavailableReason } from '#modules/ordering/cart/line-policies.decide'
import { chanda, cycle, nshima, tuesdayMeal } from './lunches'

const facts = {
  studentIds: new Set([chanda.id]),
  activeCycle: cycle,
  items: new Map([[nshima.id, nshima]]),
  today: '2026-09-15',
}
const unavailableReason = (change: Partial<PaidLineFacts>) =>
  paidLineUnavailableReason(tuesdayMeal, { ...facts, ...change })

test('a paid line becomes an order', () => expect(unavailableReason({})).toBeNull())
test('the student is gone', () =>
  expect(unavailableReason({ studentIds: new Set() })).toBe('unknown_student'))
test('no cycle is active, or another', () => {
  expect(unavailableReason({ activeCycle: null })).toBe('cycle_inactive')
  expect(unavailableReason({ activeCycle: { ...cycle, id: 8 } })).toBe('cycle_inactive')
})
test('the day was blocked', () =>
  expect(unavailableReason({ activeCycle: { ...cycle, blockedDays: [{ week: 1, day: 2 }] } })).toBe(
    'day_blocked',
  ))
test('the day has passed', () => expect(unavailableReason({ today: '2026-09-16' })).toBe('day_past'))
test('the item is gone', () => expect(unavailableReason({ items: new Map() })).toBe('missing_item'))
test.each([{ isAvailable: false }, { isArchived: true }])('the item was withdrawn: %j', (change) =>
  expect(unavailableReason({ items: new Map([[nshima.id, { ...nshima, ...change }]]) })).toBe(
    'item_withdrawn',
  ),
)
test('a day that cannot be had comes before an item that was withdrawn', () => {
  const items = new Map([[nshima.id, { ...nshima, isArchived: true }]])
  expect(unavailableReason({ items, activeCycle: null })).toBe('cycle_inactive')
})
