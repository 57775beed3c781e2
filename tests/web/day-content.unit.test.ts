import type { Grade } from '#contracts/identity'
import {
  type DayOrder,
  type Eater,
  type MenuDay,
  dayContent,
  ordersOf,
  sidesFor,
} from '../../web/features/menu/menu-week'
import { burger, pizza, stew } from './sample-family'

const day: MenuDay = { cycleId: 7, week: 2, day: 1, date: '2026-09-14', state: 'open' }
const eater = (grade: Grade): Eater => ({ id: 1, name: 'Chanda', grade })
const ordered = (more: Partial<DayOrder> = {}): DayOrder => ({
  mealDate: '2026-09-14',
  studentId: 1,
  student: { grade: '3' },
  menuItem: { name: 'Stew' },
  category: 'beef',
  sideDish: 'rice',
  status: 'pending',
  ...more,
})
const menu = [stew, pizza, burger]
const offered = (grade: Grade, items = menu, at = day) => {
  const content = dayContent(at, eater(grade), items, [])
  return content.kind === 'meals' ? content.items.map(({ name }) => name) : content.kind
}

test.each<[Grade]>([['ELC'], ['K'], ['1'], ['5']])('grade %s gets the primary menu', (grade) => {
  expect(offered(grade)).toEqual(['Stew', 'Pizza'])
})
test.each<[Grade]>([['6'], ['12'], ['teacher']])('grade %s gets the secondary menu', (grade) => {
  expect(offered(grade)).toEqual(['Burger'])
})
test('a teacher chooses no side', () => {
  expect(sidesFor(burger, eater('teacher'))).toEqual([])
  expect(sidesFor(burger, eater('12'))).toEqual(['rice', 'nshima'])
})
test.each([
  ['another week', { weekNumbers: [1] }],
  ['another day', { daysOfWeek: [2, 3, 4, 5] }],
  ['not available', { isAvailable: false }],
  ['archived', { isArchived: true }],
])('what is for %s is not offered', (_why, change) => {
  expect(offered('3', [{ ...stew, ...change }])).toBe('empty')
})

test.each([
  ['blocked', 'No school lunch on this day'],
  ['past', 'This day has passed'],
  ['cutoff', "Today's orders have closed"],
] as const)('a day that is %s is closed, and why', (state, why) => {
  expect(dayContent({ ...day, state }, eater('3'), menu, [])).toEqual({ kind: 'closed', why })
})

test('an order shows also on a day that takes no more', () => {
  const content = dayContent({ ...day, state: 'past' }, eater('3'), menu, [ordered()])
  expect(content).toEqual({ kind: 'ordered', title: 'Order Pending', order: ordered() })
})
test('a completed order is confirmed', () => {
  const content = dayContent(day, eater('3'), menu, [ordered({ status: 'completed' })])
  expect(content).toMatchObject({ kind: 'ordered', title: 'Order Confirmed' })
})
test.each<[string, Partial<DayOrder>]>([
  ['cancelled', { status: 'cancelled' }],
  ['refunded', { status: 'refunded' }],
  ['of another child', { studentId: 2 }],
  ['of another date', { mealDate: '2026-09-15' }],
])('an order that is %s leaves the day free', (_what, change) => {
  expect(dayContent(day, eater('3'), menu, [ordered(change)]).kind).toBe('meals')
})
test('for staff any order of a teacher takes the day', () => {
  const theirs = ordered({ studentId: 99, student: { grade: 'teacher' } })
  expect(dayContent(day, eater('teacher'), menu, [theirs]).kind).toBe('ordered')
  expect(dayContent(day, eater('teacher'), menu, [ordered()]).kind).toBe('meals')
})

test('the orders of a child are those that stand, of whatever cycle', () => {
  const own = [ordered(), ordered({ mealDate: '2026-08-31', status: 'completed' })]
  const others = [ordered({ status: 'cancelled' }), ordered({ studentId: 2 })]
  expect(ordersOf(eater('3'), [...own, ...others])).toEqual(own)
})
test('the orders of staff are those of every teacher', () => {
  const theirs = ordered({ studentId: 99, student: { grade: 'teacher' } })
  expect(ordersOf(eater('teacher'), [theirs, ordered()])).toEqual([theirs])
})
