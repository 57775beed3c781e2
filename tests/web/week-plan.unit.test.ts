import { unknownDiets, type DishDiets, type MenuItem } from '#contracts/catalogue'
import { type Diet, type MealMarks, markOf } from '#contracts/health'
import type { Grade } from '#contracts/identity'
import {
  type DayOrder,
  type Eater,
  type MenuDay,
  dayContent,
  ordersOf,
  sidesFor,
} from '../../web/features/menu/menu-week'
import {
  type PlanChild,
  type EarlierMeal,
  type PlanDay,
  missingProteins,
  needsProtein,
  needsSide,
  totalOf,
  withProtein,
  withSides,
  asLastWeek,
  dishesOf,
  dishForAllDays,
  suggestWeek as suggestFor,
  withMeal,
} from '../../web/features/week-plan/suggest-week'
import { pizza, stew, burger } from './sample-family'

const soup: MenuItem = { ...stew, id: 9, name: 'Soup', categories: ['vegetarian'], sideDishes: [] }
const dayOf = (day: number, ...items: MenuItem[]): PlanDay => ({
  day,
  date: `2026-09-${20 + day}`,
  meals: items.map((item) => ({ item, sides: item.sideDishes })),
  soldOut: [],
})
const childWith = (days: readonly PlanDay[], earlier: readonly EarlierMeal[] = []): PlanChild => ({
  id: 1,
  name: 'Chanda',
  unstatedOf: () => null,
  avoided: [],
  days,
  told: [],
  earlier,
})
const suggestWeek = (days: readonly PlanDay[], earlier: readonly EarlierMeal[]) =>
  suggestFor(childWith(days, earlier))
const had = (item: MenuItem, mealDate: string, more: Partial<EarlierMeal> = {}): EarlierMeal => ({
  menuItem: { id: item.id, name: item.name },
  dayOfWeek: 1,
  mealDate,
  category: 'beef',
  sideDish: 'rice',
  ...more,
})
const suggested = (days: PlanDay[], earlier: EarlierMeal[] = []) =>
  suggestWeek(days, earlier).map(({ meal, protein, side, lastOrderedOn }) => [
    meal.item.name,
    protein,
    side,
    lastOrderedOn,
  ])

describe('what is suggested for a day', () => {
  test('the first meal, with nothing guessed, for a child that never ate here', () => {
    expect(suggested([dayOf(1, stew, pizza)])).toEqual([['Stew', '', '', null]])
  })
  test('a protein that is the only one is not asked for', () => {
    expect(suggested([dayOf(1, soup)])).toEqual([['Soup', 'vegetarian', '', null]])
  })
  test('what the child had most recently of what is offered, as it was', () => {
    const earlier = [
      had(stew, '2026-09-07', { category: 'chicken' }),
      had(stew, '2026-09-14', { sideDish: 'nshima' }),
      had({ ...stew, id: 50 }, '2026-09-15'),
    ]
    expect(suggested([dayOf(1, pizza, stew)], earlier)).toEqual([['Stew', 'beef', 'nshima', '2026-09-14']])
  })
  test('the meal of the same weekday before one that is more recent', () => {
    const earlier = [
      had(pizza, '2026-09-15', { dayOfWeek: 2, category: null, sideDish: null }),
      had(stew, '2026-09-14'),
    ]
    const days = [dayOf(1, stew, pizza), dayOf(2, stew, pizza), dayOf(3, stew, pizza)]
    expect(suggested(days, earlier)).toEqual([
      ['Stew', 'beef', 'rice', '2026-09-14'],
      ['Pizza', '', '', '2026-09-15'],
      ['Pizza', '', '', '2026-09-15'],
    ])
  })
  test('a meal once a week, as long as the child knows another one', () => {
    const earlier = [had(stew, '2026-09-14'), had(pizza, '2026-09-07', { category: null, sideDish: null })]
    const days = [dayOf(3, stew, pizza), dayOf(4, stew, pizza), dayOf(5, stew, pizza)]
    expect(suggested(days, earlier).map(([name]) => name)).toEqual(['Stew', 'Pizza', 'Stew'])
    expect(suggested([dayOf(3, stew, pizza), dayOf(1, stew, pizza)], [earlier[0]!])).toEqual([
      ['Stew', 'beef', 'rice', '2026-09-14'],
      ['Stew', 'beef', 'rice', '2026-09-14'],
    ])
  })
  test('a protein or a side that is not offered any more is to be chosen anew', () => {
    const earlier = [had(stew, '2026-09-14', { category: 'fish', sideDish: 'chips' })]
    expect(suggested([dayOf(1, stew)], earlier)).toEqual([['Stew', '', '', '2026-09-14']])
  })
  test('nothing where nothing is offered', () => {
    expect(suggested([dayOf(1), dayOf(2, pizza)])).toHaveLength(1)
  })
})

test('another meal comes as the child had it before', () => {
  const [row] = suggestWeek([dayOf(1, pizza, stew)], [])
  expect(withMeal(row!, stew.id, [had(stew, '2026-09-07')])).toMatchObject({
    meal: { item: stew },
    protein: 'beef',
    side: 'rice',
    lastOrderedOn: '2026-09-07',
  })
})

describe('as last week', () => {
  const days = [
    dayOf(1, stew, pizza),
    dayOf(2, pizza),
    { ...dayOf(3, pizza), soldOut: [stew.id] },
    dayOf(4, stew),
  ]
  const lastWeek = [
    had(stew, '2026-09-14'),
    had(soup, '2026-09-15', { dayOfWeek: 2 }),
    had(stew, '2026-09-16', { dayOfWeek: 3 }),
  ]
  const rows = (earlier: EarlierMeal[]) =>
    asLastWeek(childWith(days, earlier))?.map(({ meal, skipped, missing }) =>
      skipped ? missing : meal.item.name,
    ) ?? null

  test('a meal that the child must not have is left out with the reason, and nothing else is put in its place', () => {
    const why = 'Chanda is allergic'
    const child = {
      ...childWith([dayOf(1, pizza)], [had(stew, '2026-09-14')]),
      avoided: [{ id: stew.id, name: 'Stew', contains: 'contains peanuts', why }],
    }
    expect(asLastWeek(child)).toMatchObject([
      { skipped: true, missing: 'Stew contains peanuts – Chanda is allergic' },
    ])
    expect(suggestFor(child)).toMatchObject([{ skipped: false, meal: { item: { name: 'Pizza' } } }])
  })
  test('what is offered again is taken, what is not is named and why', () => {
    expect(rows(lastWeek)).toEqual(['Stew', 'Soup is not offered', 'Stew is sold out', 'No lunch last week'])
  })
  test('as it was in that week, not as it was later or before', () => {
    const older = had(pizza, '2026-09-07')
    const sameWeek = had(stew, '2026-09-21', { category: 'chicken' })
    expect(rows([older, ...lastWeek, sameWeek])?.[0]).toBe('Stew')
    const [monday] = asLastWeek(childWith(days, [older, ...lastWeek, sameWeek]))!
    expect([monday!.protein, monday!.side, monday!.lastOrderedOn]).toEqual(['beef', 'rice', '2026-09-14'])
  })
  test('the last week that had a lunch, where the one before this had none', () => {
    expect(rows([had(pizza, '2026-08-31')])?.[0]).toBe('Pizza')
  })
  test('nothing where no earlier week is known', () => {
    expect(rows([])).toBeNull()
    expect(rows([had(stew, '2026-09-21')])).toBeNull()
  })
  test('a protein that is not offered any more is to be chosen, with its fields in sight', () => {
    const [monday] = asLastWeek(childWith(days, [had(stew, '2026-09-14', { category: 'goat' })]))!
    expect([monday!.protein, monday!.isShort]).toEqual(['', false])
  })
})

describe('a dish for all days', () => {
  const child = childWith([dayOf(1, stew, pizza), dayOf(2, pizza), dayOf(3, stew)])

  test('is taken where it is offered; the other days say that it is not', () => {
    expect(
      dishForAllDays(child, stew.id).map(({ skipped, meal, missing }) =>
        skipped ? missing : meal.item.name,
      ),
    ).toEqual(['Stew', 'Not offered on this day', 'Stew'])
  })
  test('those of most days first', () => {
    const more = childWith([...child.days, dayOf(4, pizza)])
    expect(dishesOf(more, 8).map(({ name, on }) => [name, on])).toEqual([
      ['Pizza', 3],
      ['Stew', 2],
    ])
    expect(dishesOf(more, 1)).toHaveLength(1)
  })
})

describe('what is still to choose', () => {
  const fish: MenuItem = { ...stew, id: 10, categories: ['fish', 'chicken'], sideDishes: ['chips'] }
  const rows = suggestWeek([dayOf(1, stew), dayOf(2, fish), dayOf(3, pizza)], [])

  test('the proteins, the one that most days offer first', () => {
    expect(missingProteins(rows)).toEqual(['chicken', 'beef', 'fish'])
  })
  test('a skipped day and a meal without choices wait for nothing', () => {
    const skipped = rows.map((row) => ({ ...row, skipped: true }))
    expect(rows.map(needsProtein)).toEqual([true, true, false])
    expect(rows.map(needsSide)).toEqual([true, false, false])
    expect(skipped.some((row) => needsProtein(row) || needsSide(row))).toBe(false)
  })
  test('one protein for all days that offer it, and have none yet', () => {
    const half = [{ ...rows[0]!, protein: 'beef' }, ...rows.slice(1)]
    expect(withProtein(half, 'chicken').map(({ protein }) => protein)).toEqual(['beef', 'chicken', ''])
    expect(withProtein(rows, 'fish').map(({ protein }) => protein)).toEqual(['', 'fish', ''])
  })
  test('the first side for all days that have none yet', () => {
    const half = [{ ...rows[0]!, side: 'nshima' }, ...rows.slice(1)]
    expect(withSides(half).map(({ side }) => side)).toEqual(['nshima', 'chips', ''])
    expect(withSides(rows).map(({ side }) => side)).toEqual(['rice', 'chips', ''])
  })
})

test('the total is of the days not skipped, at the price to pay, to the ngwee', () => {
  const odd = { ...stew, price: '0.1' }
  const reduced = { ...pizza, discountPrice: '0.2' }
  const rows = suggestWeek([dayOf(1, odd), dayOf(2, reduced), dayOf(3, stew)], [])
  expect(totalOf(rows.map((row, at) => ({ ...row, skipped: at === 2 })))).toBe(0.3)
})

const day: MenuDay = {
  cycleId: 7,
  week: 2,
  day: 1,
  date: '2026-09-14',
  state: 'open',
  cutoffAt: '2026-09-14T06:00:00.000Z',
}
const eater = (grade: Grade): Eater => ({ id: 1, name: 'Chanda', grade })
const ordered = (more: Partial<DayOrder> = {}): DayOrder => ({
  id: '1.2026-09-14.1',
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

test('a day closed for the child is closed with its reason, unless it has passed', () => {
  const closed = { ...day, closed: 'Trip of class 9A' }
  expect(dayContent(closed, eater('3'), menu, [])).toEqual({ kind: 'closed', why: 'Trip of class 9A' })
  expect(dayContent({ ...closed, state: 'past' }, eater('3'), menu, [])).toMatchObject({
    why: 'This day has passed',
  })
  expect(dayContent(closed, eater('3'), menu, [ordered()]).kind).toBe('ordered')
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

describe('meal marks', () => {
  const chipo = { id: 1, name: 'Chipo', grade: '3' }
  const dish = (allergens: string[], diets: Partial<DishDiets> = {}) => ({
    allergens,
    diets: { ...unknownDiets, ...diets },
  })
  const nuts = ['Milk', 'Tree Nuts', 'Peanuts']
  const marks = (diet: Diet, rule: MealMarks['rule'] = 'warn'): MealMarks => ({
    rule,
    students: [{ studentId: 1, allergies: ['peanuts', 'TREE NUTS'], diet }],
  })
  const nothing = { conflict: null, unstated: null, rule: null }

  test('an allergy is named with whose it is, and what the rule says of it', () => {
    expect(markOf(marks('vegetarian'), chipo, dish(nuts, { vegetarian: 'yes' }))).toEqual({
      conflict: 'Contains tree nuts, peanuts – Chipo is allergic',
      unstated: null,
      rule: 'warn',
    })
  })

  test.each([
    ['halal', { halal: 'no' }, 'Not halal – Chipo eats halal'],
    ['vegetarian', { vegetarian: 'no' }, 'Not vegetarian – Chipo eats vegetarian'],
    ['no_pork', { noPork: 'no' }, 'Has pork – Chipo eats no pork'],
    ['no_beef', { noBeef: 'no' }, 'Has beef – Chipo eats no beef'],
  ] as const)('a meal against a diet of %s is in conflict as with an allergy', (diet, diets, words) => {
    const mark = { conflict: words, unstated: null, rule: 'block' }
    expect(markOf(marks(diet, 'block'), chipo, dish([], diets))).toEqual(mark)
  })

  test('both at once', () => {
    const mark = markOf(marks('halal'), chipo, dish(['Peanuts'], { halal: 'no' }))
    expect(mark.conflict).toBe('Contains peanuts, not halal – Chipo is allergic and eats halal')
    const teacher = { id: 1, name: 'Mrs Phiri', grade: 'teacher' }
    expect(markOf(marks('halal'), teacher, dish(['Peanuts'], { halal: 'no' })).conflict).toBe(
      'Contains peanuts, not halal – you are allergic and eat halal',
    )
  })

  test.each([
    ['halal', 'halal'],
    ['vegetarian', 'vegetarian'],
    ['no_pork', 'no pork'],
    ['no_beef', 'no beef'],
  ] as const)(
    'what the kitchen has not said of %s is to be asked, and what it says is not shown',
    (diet, words) => {
      const unstated = `Ask the kitchen: ${words} not stated`
      expect(markOf(marks(diet), chipo, dish([]))).toEqual({ ...nothing, unstated })
      const all = { halal: 'yes', vegetarian: 'yes', noPork: 'yes', noBeef: 'yes' } as const
      expect(markOf(marks(diet), chipo, dish([], all))).toEqual(nothing)
    },
  )

  test('nothing is marked for somebody else, without a diet, or while nothing is known', () => {
    expect(markOf(marks('halal'), { ...chipo, id: 2 }, dish(nuts, { halal: 'no' }))).toEqual(nothing)
    expect(markOf(marks('none'), chipo, dish([], { halal: 'no' }))).toEqual(nothing)
    expect(markOf(undefined, chipo, dish(nuts, { halal: 'no' }))).toEqual(nothing)
  })
})
