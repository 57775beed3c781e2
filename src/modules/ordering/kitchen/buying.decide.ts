import type { Ingredient } from '#contracts/dish-fields'
import type { BoughtIngredient, BuyingList } from '#contracts/papers'
import { addDays, cycleDate, weekdayOf, type SchoolDate } from '#kernel/school-time'
import type { CycleFacts } from '../ports'

/** Ordered meals of one dish on one date that are eaten. */
export type OrderedDish = {
  date: SchoolDate
  itemId: number
  name: string
  type: 'primary' | 'secondary'
  meals: number
}

type Asked = { from: SchoolDate; to: SchoolDate; margin: number }

/** From Monday to Friday; of the cycle without its blocked days; and any date with orders. */
export const schoolDaysIn = (
  { from, to }: Pick<Asked, 'from' | 'to'>,
  cycle: CycleFacts | null,
  ordered: readonly OrderedDish[],
): SchoolDate[] => {
  const blocked = new Set(
    cycle?.blockedDays.map(({ week, day }) => cycleDate(cycle.startDate, week, day)) ?? [],
  )
  const cooked = new Set(ordered.map(({ date }) => date))
  const dates: SchoolDate[] = []
  for (let date = from; date <= to; date = addDays(date, 1))
    if (cooked.has(date) || (weekdayOf(date) <= 5 && !blocked.has(date))) dates.push(date)
  return dates
}

type Bought = Pick<Ingredient, 'name' | 'unit'> & { perDay: number[]; dishes: Set<string> }

/** Orders × amounts + margin. Names without case are one ingredient, two units of it are two lines (plans-and-sponsors.md section 4). */
export const buyingList = (
  { from, to, margin }: Asked,
  days: readonly SchoolDate[],
  ordered: readonly OrderedDish[],
  ingredientsOf: (itemId: number) => readonly Ingredient[],
): Omit<BuyingList, 'planned'> => {
  const bought = new Map<string, Bought>()
  const without = new Set<string>()
  for (const dish of ordered) {
    const ingredients = ingredientsOf(dish.itemId)
    if (ingredients.length === 0) without.add(dish.name)
    for (const { name, unit, [dish.type]: amount } of ingredients) {
      const key = `${name.toLowerCase()}/${unit}`
      const line = bought.get(key) ?? { name, unit, perDay: days.map(() => 0), dishes: new Set() }
      line.perDay[days.indexOf(dish.date)]! += amount * dish.meals
      line.dishes.add(dish.name)
      bought.set(key, line)
    }
  }
  const ingredients = [...bought.values()].map((line) => withMargin(line, margin))
  return {
    from,
    to,
    days: [...days],
    margin,
    ingredients: ingredients.toSorted((one, other) => one.name.localeCompare(other.name)),
    withoutIngredients: [...without].toSorted(),
  }
}

const withMargin = ({ perDay, dishes, ...line }: Bought, margin: number): BoughtIngredient => {
  const amountOf = (sum: number) => rounded((sum * (100 + margin)) / 100, line.unit)
  const amount = amountOf(perDay.reduce((sum, one) => sum + one, 0))
  return { ...line, amount, perDay: perDay.map(amountOf), dishes: [...dishes].toSorted() }
}

/** Pieces up, g and ml to hundredths; a rest of the arithmetic rounds nothing up. */
const rounded = (amount: number, unit: Ingredient['unit']): number =>
  unit === 'piece' ? Math.ceil(Number(amount.toFixed(6))) : Number(amount.toFixed(2))
