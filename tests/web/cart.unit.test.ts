import {
  type CartItem,
  isSameDay,
  pricedAs,
  priceOf,
  totalOf,
  withoutOrdered,
  closedText,
  dayKey,
  dayText,
  groupByStudent,
  unavailableItems,
} from '../../web/features/cart/cart'
import { contactProblem, lineMessages, orderLines } from '../../web/features/cart/checkout/checkout'
import { CallError } from '../../web/lib/call'
import { cycle, order, parent, stew } from './sample-family'

const item = (more: Partial<CartItem> = {}): CartItem => ({
  ...pricedAs(stew),
  weekNumber: 2,
  dayOfWeek: 1,
  studentId: 1,
  student: { id: 1, name: 'Chanda', grade: '3' },
  category: 'beef',
  sideDish: 'rice',
  comments: '',
  ...more,
})

describe('prices', () => {
  test('have two decimals, as the menu has them', () => {
    expect(pricedAs({ id: 1, name: 'Stew', price: '45.5' }).menuItem.price).toBe('45.50')
  })
  test('a discount is the price to pay, also when it is nothing', () => {
    const free = item(pricedAs({ ...stew, discountPrice: '0', discountPercentage: 100 }))
    expect(priceOf(free)).toBe(0)
    expect(totalOf([free, free])).toBe(0)
  })
  test('sum in whole ngwee', () => {
    const cheap = item(pricedAs({ id: 1, name: 'Stew', price: '0.10' }))
    expect(totalOf([cheap, cheap, cheap])).toBe(0.3)
  })
})

test('grouped by child, in the order of their days', () => {
  const other = { studentId: 2, student: { id: 2, name: 'Bwalya', grade: '8' as const } }
  const groups = groupByStudent([
    item({ dayOfWeek: 3 }),
    item(other),
    item({ weekNumber: 1, dayOfWeek: 5 }),
    item({ dayOfWeek: 1 }),
  ])
  expect(groups.map(({ name, items }) => [name, ...items.map(dayKey)])).toEqual([
    ['Chanda', '1.1.5', '1.2.1', '1.2.3'],
    ['Bwalya', '2.2.1'],
  ])
})

describe('what can no longer be ordered', () => {
  const said = { valid: false, unavailable: [], archived: [], missing: [] }
  test.each([
    ['unavailable', { ...said, unavailable: ['Stew'] }],
    ['archived', { ...said, archived: ['Stew'] }],
    ['missing, by its id', { ...said, missing: ['1'] }],
  ])('is named as %s', (_how, validation) => {
    const pizza = item(pricedAs({ id: 2, name: 'Pizza', price: '40' }))
    expect(unavailableItems([item(), pizza], validation)).toEqual([item()])
  })
  test('is nothing while nobody has answered', () => {
    expect(unavailableItems([item()], undefined)).toEqual([])
  })
})

describe('a meal stays on the date it was chosen for', () => {
  const dated = item({ date: '2026-09-14', cycleId: 7 })
  const laterWeeks = cycle.weeks!.map((one) => ({
    ...one,
    days: one.days.map((day) => ({ ...day, date: day.date.replace('-09-', '-10-') })),
  }))
  const next = [{ ...cycle, id: 8, startDate: '2026-10-07', weeks: laterWeeks }]

  test('in its own cycle it is open', () => {
    expect(closedText([cycle], dated)).toBeUndefined()
    expect(dayText([cycle], dated)).toBe('Monday, 14 September')
  })
  test('it cannot be ordered where the day is closed for its child', () => {
    const closedFor = (classes: string[]) => [
      { ...cycle, closedFor: [{ date: '2026-09-14', grades: [], classes, reason: 'Trip' }] },
    ]
    const inClass = { ...dated, student: { ...dated.student, class: '9A' } }
    expect(closedText(closedFor(['9a']), inClass)).toBe('School Closed: Trip')
    expect(closedText(closedFor(['9B']), inClass)).toBeUndefined()
    expect(closedText(closedFor(['9A']), dated)).toBeUndefined()
  })
  test('in another cycle, where week and day are another date, it says so', () => {
    expect(closedText(next, dated)).toBe('This day is no longer on the calendar')
    expect(dayText(next, dated)).toBe('Monday, 14 September')
  })
  test('beside a meal of the new date it is another day', () => {
    expect(isSameDay(dated, item({ date: '2026-10-12' }))).toBe(false)
    expect(isSameDay(dated, item())).toBe(true)
  })
  test('it leaves the cart when its date is ordered, in whichever cycle', () => {
    const ordered = order({ cycleId: 6, weekNumber: 2, dayOfWeek: 1 })
    expect(withoutOrdered([dated, item({ dayOfWeek: 2, date: '2026-09-15' })], [ordered], 7)).toHaveLength(1)
    expect(withoutOrdered([item()], [ordered], 7)).toHaveLength(1)
  })
})

describe('who checks out', () => {
  const nobody = { ...parent, email: null }
  test('needs an email address', () => {
    expect(contactProblem({ ...nobody, contactNeeded: 'email' })).toEqual({
      title: 'Email Required',
      text: 'Please add an email address to your profile before placing orders. Contact the school office for assistance.',
    })
    expect(contactProblem({ ...parent, email: 'nope' })).toMatchObject({
      text: 'Please enter a valid email address',
    })
    expect(contactProblem(parent)).toBeNull()
  })
  test('needs none where the server says that a verified phone will do, or does', () => {
    expect(contactProblem({ ...nobody, contactNeeded: 'email_or_phone' })).toEqual({
      title: 'Email or Phone Required',
      text: 'Please add an email address to your profile, or verify your phone there, before placing orders.',
      toDo: 'Verify your phone instead',
    })
    expect(contactProblem(nobody)).toBeNull()
  })
  test('is named on every line', () => {
    const [line] = orderLines([item({ comments: ' no onions ' })], { ...parent, name: '' })
    expect(line).toEqual({
      menuItemId: 1,
      studentId: 1,
      weekNumber: 2,
      dayOfWeek: 1,
      category: 'beef',
      sideDish: 'rice',
      comments: 'no onions',
      originalPrice: 45,
      discountedPrice: 45,
      discountPercentage: 0,
      customerName: 'mwila',
      customerEmail: 'mwila@example.com',
    })
  })
})

test('a refused line finds its meal; any other error has none', () => {
  const lines = [{ index: 1, code: 'already_ordered', message: 'Taken' }]
  const reply = { message: 'No', error: 'No', code: 'lines_refused', lines }
  const error = new CallError(409, '', JSON.stringify(reply))
  const second = item({ dayOfWeek: 2 })
  expect(lineMessages(error, [item(), second])).toEqual({
    '1.2.2': { code: 'already_ordered', message: 'Taken' },
  })
  expect(lineMessages(new Error('no network'), [item()])).toEqual({})
})
