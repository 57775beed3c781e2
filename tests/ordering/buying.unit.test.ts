import type { Ingredient } from '#contracts/dish-fields'
import { allergenCell, dietCell } from '#contracts/papers'
import { buyingList, schoolDaysIn, type OrderedDish } from '#modules/ordering/kitchen/buying.decide'

const monday = '2026-09-14'
const tuesday = '2026-09-15'
const of = (name: string, unit: Ingredient['unit'], primary: number, secondary = primary): Ingredient => ({
  name,
  unit,
  primary,
  secondary,
})
const dishes = new Map([
  [1, [of('Rice', 'g', 120, 150), of('Chicken', 'g', 100, 130)]],
  [2, [of('rice', 'g', 100), of('Egg', 'piece', 0.5)]],
  [3, [of('Rice', 'piece', 1)]],
])
const orders = (itemId: number, date: string, meals: number, type: OrderedDish['type'] = 'primary') => ({
  date,
  itemId,
  name: `Dish ${itemId}`,
  type,
  meals,
})
const bought = (ordered: OrderedDish[], margin = 0) =>
  buyingList({ from: monday, to: tuesday, margin }, [monday, tuesday], ordered, (id) => dishes.get(id) ?? [])

test('orders times amounts, by the type of the dish, a day at a time', () => {
  expect(bought([orders(1, monday, 10), orders(1, tuesday, 4, 'secondary')]).ingredients).toEqual([
    { name: 'Chicken', unit: 'g', amount: 1520, perDay: [1000, 520], dishes: ['Dish 1'] },
    { name: 'Rice', unit: 'g', amount: 1800, perDay: [1200, 600], dishes: ['Dish 1'] },
  ])
})

test('names are one without case, units of one name are two lines', () => {
  const { ingredients } = bought([orders(1, monday, 1), orders(2, monday, 1), orders(3, tuesday, 2)])
  expect(ingredients.filter(({ name }) => name === 'Rice')).toEqual([
    { name: 'Rice', unit: 'g', amount: 220, perDay: [220, 0], dishes: ['Dish 1', 'Dish 2'] },
    { name: 'Rice', unit: 'piece', amount: 2, perDay: [0, 2], dishes: ['Dish 3'] },
  ])
})

test('the margin is in the amount and in each day, pieces are rounded up', () => {
  const { ingredients, margin } = bought([orders(2, monday, 3), orders(2, tuesday, 20)], 5)
  expect(margin).toBe(5)
  expect(ingredients).toEqual([
    { name: 'Egg', unit: 'piece', amount: 13, perDay: [2, 11], dishes: ['Dish 2'] },
    { name: 'rice', unit: 'g', amount: 2415, perDay: [315, 2100], dishes: ['Dish 2'] },
  ])
})

test('a rest of the arithmetic buys no piece more', () => {
  dishes.set(4, [of('Roll', 'piece', 0.1)])
  expect(bought([orders(4, monday, 30)]).ingredients[0]).toMatchObject({ amount: 3 })
})

test('dishes without ingredients are named', () => {
  expect(bought([orders(9, monday, 1), orders(8, tuesday, 1)])).toMatchObject({
    ingredients: [],
    withoutIngredients: ['Dish 8', 'Dish 9'],
  })
})

test('the days are those of school, and any with orders', () => {
  const cycle = { id: 1, startDate: monday, cycleLength: 4, blockedDays: [{ week: 1, day: 3 }] }
  const days = { from: monday, to: '2026-09-21' }
  const week = [monday, tuesday, '2026-09-17', '2026-09-18', '2026-09-21']
  expect(schoolDaysIn(days, cycle, [])).toEqual(week)
  expect(schoolDaysIn(days, null, [])).toEqual(week.toSpliced(2, 0, '2026-09-16'))
  expect(schoolDaysIn(days, cycle, [orders(1, '2026-09-16', 1), orders(1, '2026-09-19', 1)])).toEqual(
    [...week, '2026-09-16', '2026-09-19'].toSorted(),
  )
})

test('a cell of the allergen table says what is stated', () => {
  expect(allergenCell({ allergens: ['Milk'] }, 'Milk')).toBe('Contains')
  expect(allergenCell({ allergens: ['Milk'] }, 'Eggs')).toBe('–')
  expect(allergenCell({ allergens: [] }, 'Milk')).toBe('–')
  expect(allergenCell({ allergens: null }, 'Milk')).toBe('not stated')
  const diets = { halal: 'yes', vegetarian: 'no', noPork: 'unknown', noBeef: 'unknown' } as const
  expect(dietCell({ diets }, 'halal')).toBe('–')
  expect(dietCell({ diets }, 'vegetarian')).toBe('Contains')
  expect(dietCell({ diets }, 'noPork')).toBe('not stated')
})
