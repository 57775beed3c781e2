import type { CycleWeek, DayState } from '#contracts/cycles'
import type { Order } from '#contracts/ordering'
import { familyWeek, weekAtFirst, weekName } from '../../web/features/menu/family-week'
import { bwalya, chanda, cycle, order, pizza, stew, burger } from './sample-family'

const items = [{ ...stew, daysOfWeek: [1, 2, 3, 4, 5] }, pizza, burger]
const week = (states: DayState[]): CycleWeek => ({
  ...cycle.weeks![1]!,
  days: cycle.weeks![1]!.days.map((day, at) => ({ ...day, state: states[at] ?? 'open' })),
})

type Given = {
  states?: DayState[]
  orders?: Order[]
  cart?: { studentId: number; menuItemId: number; dayOfWeek: number }[]
  today?: string
  closedFor?: typeof cycle.closedFor
  reason?: string
}

/** Monday's line of Chanda: dish and word. */
const mondayOf = ({
  states = [],
  orders = [],
  cart = [],
  today = '2026-09-14',
  closedFor,
  reason,
}: Given) => {
  const shown = week(states)
  if (reason !== undefined) shown.days[0]!.reason = reason
  const rows = familyWeek({
    cycle: { ...cycle, today, closedFor },
    week: shown,
    eaters: [chanda, bwalya],
    items,
    orders,
    cart: cart.map((line) => ({ ...line, weekNumber: 2, category: 'beef', sideDish: 'rice' })),
  })
  const { dish, word, state, needsLook } = rows[0]!.lines[0]!
  return { rows, said: [dish, word], state, needsLook }
}

const unpaid = { paymentStatus: 'pending', payBy: 'airtel', discountedPrice: 42 } as const
const past: DayState[] = ['past', 'past', 'past', 'past', 'past']

test.each<[string, Given, [dish: string, word: string]]>([
  ['nothing ordered', {}, ['', '+ Choose']],
  ['chosen', { cart: [{ studentId: 1, menuItemId: 1, dayOfWeek: 1 }] }, ['Stew', 'In the cart']],
  ['ordered and paid', { orders: [order()] }, ['Stew', 'Paid']],
  ['for nothing', { orders: [order({ discountedPrice: 0 })] }, ['Stew', 'Free']],
  ['unpaid', { orders: [order(unpaid)] }, ['Stew', 'K42 to pay']],
  ['unpaid with ngwee', { orders: [order({ ...unpaid, discountedPrice: 38.5 })] }, ['Stew', 'K38.50 to pay']],
  [
    'unpaid, of another guardian',
    { orders: [order({ ...unpaid, orderedBy: 'Mutinta Mwila' })] },
    ['Stew', 'Ordered by Mutinta Mwila'],
  ],
  ['paid, of another guardian', { orders: [order({ orderedBy: 'Mutinta Mwila' })] }, ['Stew', 'Paid']],
  ['ill', { orders: [order({ absent: true })] }, ['Stew', 'Ill today']],
  ['ill on another day', { orders: [order({ absent: true })], today: '2026-09-15' }, ['Stew', 'Ill']],
  [
    'given',
    { orders: [order({ given: { at: '2026-09-14T10:14:00.000Z', state: 'given' } })] },
    ['Stew', 'Given 12:14'],
  ],
  [
    'not collected',
    { orders: [order({ given: { at: '2026-09-14T10:14:00.000Z', state: 'absent' } })] },
    ['Stew', 'Not collected'],
  ],
  ['cancelled, still open', { orders: [order({ status: 'cancelled' })] }, ['', '+ Choose']],
  [
    'cancelled, after the cutoff',
    { orders: [order({ status: 'cancelled' })], states: ['cutoff'] },
    ['Stew', 'Cancelled'],
  ],
  [
    'cancelled, refunded, past',
    { orders: [order({ status: 'refunded' })], states: past },
    ['Stew', 'Cancelled'],
  ],
  ['after the cutoff', { states: ['cutoff'] }, ["Today's orders have closed", 'Closed']],
  ['past', { states: past }, ['No lunch', 'Closed']],
  ['closed for all', { states: ['blocked'], reason: 'Heroes’ Day' }, ['Heroes’ Day', 'Closed']],
  [
    'closed for one',
    { closedFor: [{ date: '2026-09-14', grades: ['3'], classes: [], reason: 'Grade 3 trip' }] },
    ['Grade 3 trip', 'Closed'],
  ],
])('a line says what is so: %s', (_state, given, said) => {
  expect(mondayOf(given).said).toEqual(said)
})

test('the other child keeps its own words on a day closed for one', () => {
  const { rows } = mondayOf({
    closedFor: [{ date: '2026-09-14', grades: ['3'], classes: [], reason: 'Grade 3 trip' }],
  })
  expect(rows[0]!.lines.map(({ word }) => word)).toEqual(['Closed', '+ Choose'])
})

test('an allergy found since is to be looked at', () => {
  expect(mondayOf({ orders: [order({ allergens: ['Milk'] })] }).needsLook).toBe(true)
  expect(mondayOf({ orders: [order()] }).needsLook).toBe(false)
})

test('children are named by their first name, unless two share it', () => {
  const names = (eaters: string[]) =>
    familyWeek({
      cycle,
      week: week([]),
      eaters: eaters.map((name, at) => ({ ...chanda, id: at, name })),
      items,
      orders: [],
      cart: [],
    })[0]!.lines.map(({ name }) => name)
  expect(names(['Chanda Mwila', 'Bwalya Mwila'])).toEqual(['Chanda', 'Bwalya'])
  expect(names(['Chanda Mwila', 'Chanda Phiri'])).toEqual(['Chanda Mwila', 'Chanda Phiri'])
})

describe('the week that is shown first', () => {
  const first = (today: string, orders: Order[] = [], over = 1) =>
    weekAtFirst(
      { ...cycle, today, weeks: cycle.weeks!.map((one, at) => ({ ...one, completed: at < over })) },
      orders,
    )?.week

  test('is this week while something of it can be ordered', () => expect(first('2026-09-16')).toBe(2))
  test('is this week while a lunch of it is to come', () => {
    const friday = order({ weekNumber: 1, mealDate: '2026-09-11' })
    expect(first('2026-09-11', [friday])).toBe(1)
    expect(first('2026-09-12', [friday])).toBe(2)
  })
  test('is the next one at the weekend', () => expect(first('2026-09-12')).toBe(2))
  test('is the last one past the calendar', () => expect(first('2026-09-25', [], 2)).toBe(2))
})

test.each([
  ['2026-09-16', 'This week'],
  ['2026-09-20', 'This week'],
  ['2026-09-12', 'Next week'],
  ['2026-09-21', 'Last week'],
  ['2026-08-31', 'Week 2'],
])('on %s the week of 14 September is called %s', (today, name) => {
  expect(weekName(cycle.weeks![1]!, today)).toBe(name)
})
