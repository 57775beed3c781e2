import { placeAmong, totalsOf, type AlikeOrders } from '#modules/ordering/kitchen/kitchen.decide'
import { cycle } from './lunches'

const porridge: AlikeOrders = {
  meal_date: '2026-09-15',
  item_id: 3,
  item_name: 'Porridge',
  item_type: 'primary',
  category: 'beef',
  side_dish: null,
  status: 'pending',
  payment_status: 'confirmed',
  count: 1,
  absent: 0,
  ids: null,
  comments: null,
}

const placeOf = placeAmong(cycle, '2026-09-15')
const totals = (groups: AlikeOrders[]) => totalsOf(groups, placeOf)

test('portions of one item are added up over all that differs between its orders', () => {
  const [total, ...others] = totals([
    { ...porridge, count: 3, ids: ['c', 'a', 'b'] },
    { ...porridge, count: 2, payment_status: 'pending', ids: ['e', 'd'], side_dish: 'Bread' },
    { ...porridge, count: 4, status: 'completed', category: 'chicken', side_dish: 'Apple' },
  ])
  expect(others).toEqual([])
  expect(total).toMatchObject({ total: 9, unpaid: 2, completed: 4, cancelledLate: 0 })
  expect(total!.pendingOrderIds).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(total!.proteins).toEqual([
    { name: 'beef', count: 5 },
    { name: 'chicken', count: 4 },
  ])
  expect(total!.sides.map(({ name, count }) => [name, count])).toEqual([
    ['Apple', 4],
    ['Bread', 2],
  ])
  expect(total!.plates.map(({ category, sideDish, count }) => [category, sideDish, count])).toEqual([
    ['chicken', 'Apple', 4],
    ['beef', null, 3],
    ['beef', 'Bread', 2],
  ])
})

test('what was called off late is counted apart and has no portions', () => {
  const [total] = totals([
    porridge,
    { ...porridge, status: 'cancelled', count: 2, category: 'chicken' },
    { ...porridge, status: 'refunded', count: 1, category: 'chicken' },
  ])
  expect(total).toMatchObject({ total: 1, cancelledLate: 3 })
  expect(total!.proteins.map(({ name }) => name)).toEqual(['beef'])
  expect(total!.plates.map(({ category, count }) => [category, count])).toEqual([['beef', 1]])
})

test('of what is cooked, the meals of absent children are counted; without any, nothing is said of it', () => {
  const [total] = totals([
    { ...porridge, count: 3, absent: 1 },
    { ...porridge, count: 2, absent: 2, status: 'completed' },
    { ...porridge, count: 1, absent: 1, status: 'cancelled' },
  ])
  expect(total).toMatchObject({ total: 5, absent: 3 })
  expect(totals([porridge])[0]).not.toHaveProperty('absent')
})

test('a remark stands once with its plate and whose it is, the most frequent first, then by name', () => {
  const [total] = totals([
    {
      ...porridge,
      count: 3,
      comments: [
        ['no onions', 'Wezi Zulu'],
        ['Small', 'Chipo Banda'],
        ['Cut small', 'Bupe Phiri'],
      ],
    },
    { ...porridge, status: 'completed', count: 1, comments: [['No onions', 'Luse Mwale']] },
    { ...porridge, side_dish: 'Bread', comments: [['No onions', 'Tandi Lungu']] },
    { ...porridge, status: 'cancelled', comments: [['Warm', 'Yande Soko']] },
  ])
  expect(total!.plates).toEqual([
    {
      category: 'beef',
      sideDish: null,
      count: 4,
      comments: [
        { text: 'No onions', count: 2, students: ['Luse Mwale', 'Wezi Zulu'] },
        { text: 'Cut small', count: 1, students: ['Bupe Phiri'] },
        { text: 'Small', count: 1, students: ['Chipo Banda'] },
      ],
    },
    {
      category: 'beef',
      sideDish: 'Bread',
      count: 1,
      comments: [{ text: 'No onions', count: 1, students: ['Tandi Lungu'] }],
    },
  ])
})

test('plates of the same number stand by protein and side', () => {
  const plates = [
    { ...porridge, category: 'fish', side_dish: 'Rape' },
    { ...porridge, category: null, side_dish: null },
    { ...porridge, category: 'fish', side_dish: 'Apple' },
  ]
  for (const groups of [plates, plates.toReversed()])
    expect(totals(groups)[0]!.plates.map(({ category, sideDish }) => [category, sideDish])).toEqual([
      [null, null],
      ['fish', 'Apple'],
      ['fish', 'Rape'],
    ])
})

test('one total per day and item, in the order given', () => {
  const placed = totals([
    porridge,
    { ...porridge, item_id: 4, item_name: 'Stew' },
    { ...porridge, meal_date: '2026-09-16' },
  ])
  expect(placed.map(({ dayOfWeek, menuItem }) => [dayOfWeek, menuItem])).toEqual([
    [2, 'Porridge'],
    [2, 'Stew'],
    [3, 'Porridge'],
  ])
})
