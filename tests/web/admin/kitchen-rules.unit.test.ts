import { schoolDate, schoolNow } from '../../../web/lib/school-moment'
import type { KitchenTotal } from '#contracts/kitchen'
import {
  completable,
  avoidsPageBreak,
  kitchenDays,
  ordersToComplete,
  plateText,
  rowKey,
} from '../../../web/features/kitchen/cooking/kitchen-groups'
import {
  addressWithDay,
  addressWithView,
  dayFromAddress,
  emptyLabel,
  viewFromAddress,
  viewLabel,
  viewsOf,
} from '../../../web/features/kitchen/kitchen-view'

const row = (more: Partial<KitchenTotal>): KitchenTotal => ({
  weekNumber: 1,
  dayOfWeek: 1,
  mealDate: '2026-09-14',
  menuItemId: 1,
  menuItem: 'Stew',
  type: 'primary',
  total: 3,
  unpaid: 0,
  completed: 0,
  cancelledLate: 0,
  proteins: [],
  sides: [],
  plates: [],
  pendingOrderIds: ['1.2026-09-14.1'],
  ...more,
})

describe('the kitchen by day', () => {
  const stew = row({ total: 3, unpaid: 1 })
  const soup = row({ menuItemId: 2, menuItem: 'Soup', total: 5, completed: 5, pendingOrderIds: [] })
  const wrap = row({ menuItemId: 3, menuItem: 'Wrap', type: 'secondary', total: 2, cancelledLate: 1 })
  const friday = row({ mealDate: '2026-09-18', dayOfWeek: 5, pendingOrderIds: ['1.2026-09-18.1'] })
  const days = kitchenDays([friday, stew, wrap, soup])

  test('days are in calendar order', () => expect(days.map((day) => day.dayOfWeek)).toEqual([1, 5]))

  test('each day has its primary and secondary rows, largest first', () => {
    expect(days[0]?.primary.map((r) => r.menuItem)).toEqual(['Soup', 'Stew'])
    expect(days[0]?.secondary.map((r) => r.menuItem)).toEqual(['Wrap'])
  })

  test('a day adds up its rows', () =>
    expect(days[0]).toMatchObject({ total: 10, unpaid: 1, completed: 5, cancelledLate: 1 }))

  test('the chosen rows give their open orders, each once', () => {
    const chosen = new Set([rowKey(stew), rowKey(friday), rowKey(soup)])
    expect(ordersToComplete([stew, wrap, soup, friday], chosen)).toEqual(['1.2026-09-14.1', '1.2026-09-18.1'])
  })

  test('a row with nothing open cannot be chosen', () => {
    expect(completable(soup)).toBe(false)
    expect(completable(stew)).toBe(true)
  })
})

test('a plate is what is on it, and the meal where there is nothing to choose', () => {
  const plates = [
    { category: 'beef', sideDish: 'Nshima' },
    { category: 'beef', sideDish: null },
    { category: null, sideDish: 'rape' },
    { category: null, sideDish: null },
  ]
  expect(plates.map((one) => plateText(one, 'Stew'))).toEqual(['Beef with Nshima', 'Beef', 'Rape', 'Stew'])
})

const plate = (remarks: number) => ({
  category: 'chicken',
  sideDish: null,
  count: 99,
  comments: Array.from({ length: remarks }, (_, index) => ({
    text: `Table ${index}`,
    count: 1,
    students: ['Chipo Banda'],
  })),
})

test('on paper an item stays in one piece unless its plates have more than twelve lines', () => {
  expect(avoidsPageBreak(row({ plates: [plate(10), plate(0), plate(1)] }))).toBe(true)
  expect(avoidsPageBreak(row({ plates: [plate(10), plate(3)] }))).toBe(false)
})

describe('the view selector', () => {
  test('offers today and every week of the cycle', () => {
    expect(viewsOf(4).map(viewLabel)).toEqual(["Today's Orders", 'Week 1', 'Week 2', 'Week 3', 'Week 4'])
    expect(viewsOf(6)).toHaveLength(7)
  })

  test.each([
    ['', 'today'],
    ['week=3', 3],
    ['week=5', 'today'],
    ['week=two', 'today'],
  ] as const)('the address "%s" shows %s of a four-week cycle', (search, view) => {
    expect(viewFromAddress(new URLSearchParams(search), 4)).toBe(view)
  })

  test('the choice is written to the address beside the section', () => {
    expect(addressWithView(new URLSearchParams('section=kitchen'), 2).toString()).toBe(
      'section=kitchen&week=2',
    )
    expect(addressWithView(new URLSearchParams('section=kitchen&week=2'), 'today').toString()).toBe(
      'section=kitchen',
    )
  })

  test.each([
    ['day=3', 2, 3],
    ['day=6', 2, null],
    ['day=friday', 2, null],
    ['', 2, null],
    ['day=3', 'today', null],
  ] as const)('the address "%s" shows of %s the day %s', (search, view, day) => {
    expect(dayFromAddress(new URLSearchParams(search), view)).toBe(day)
  })

  test('a day is written beside its week and goes with it', () => {
    const friday = addressWithDay(new URLSearchParams('week=2'), 5)
    expect(friday.toString()).toBe('week=2&day=5')
    expect(addressWithDay(friday, null).toString()).toBe('week=2')
    expect(addressWithView(friday, 3).toString()).toBe('week=3&day=5')
    expect(addressWithView(friday, 'today').toString()).toBe('')
  })

  test('empty views say which', () => {
    expect(emptyLabel('today', schoolDate(schoolNow()))).toBe('No orders for today')
    expect(emptyLabel('today', null)).toBe('No orders for today')
    expect(emptyLabel('today', '2031-05-05')).toBe('No orders for Monday, 5 May 2031')
    expect(emptyLabel(3, null)).toBe('No orders for week 3')
  })
})
