import * as z from 'zod/mini'
import { dietNames, itemType, type DietName } from './catalogue'
import { ingredientUnits } from './dish-fields'
import { calendarDay, dayRange, endpoint } from './endpoint'

const boughtIngredient = z.object({
  name: z.string(),
  unit: z.enum(ingredientUnits),
  amount: z.number(),
  perDay: z.array(z.number()),
  dishes: z.array(z.string()),
})
export type BoughtIngredient = z.infer<typeof boughtIngredient>

/** `days` are school days, in order, as `perDay` is. Amounts in g, ml or pieces include `margin` percent. `planned`: meals that plans would still order. */
const buyingList = z.object({
  from: z.string(),
  to: z.string(),
  days: z.array(z.string()),
  margin: z.number(),
  ingredients: z.array(boughtIngredient),
  withoutIngredients: z.array(z.string()),
  planned: z.array(z.object({ date: z.string(), meals: z.number() })),
})
export type BuyingList = z.infer<typeof buyingList>

export const kitchenBuying = endpoint('GET', '/api/kitchen/buying', {
  query: z.object({ from: calendarDay, to: calendarDay }).check(dayRange(14)),
  reply: buyingList,
})

const dietAnswer = z.enum(['yes', 'no', 'unknown'])

const tableDish = z.object({
  id: z.number(),
  name: z.string(),
  type: itemType,
  /** Null: not stated. */
  allergens: z.nullable(z.array(z.string())),
  diets: z.object({ halal: dietAnswer, vegetarian: dietAnswer, noPork: dietAnswer, noBeef: dietAnswer }),
  /** Who stated allergens and diets last, and when; null where nobody did. */
  declared: z.nullable(z.object({ by: z.string(), at: z.string() })),
})
export type TableDish = z.infer<typeof tableDish>

/** Dishes of the week of `from`, Monday to Friday, with the school's list of allergens. */
export const allergenTable = endpoint('GET', '/api/papers/allergens', {
  query: z.object({ from: calendarDay }),
  reply: z.object({
    from: z.string(),
    to: z.string(),
    allergens: z.array(z.string()),
    diets: z.array(z.enum(dietNames)),
    dishes: z.array(tableDish),
  }),
})

type Cell = 'Contains' | '–' | 'not stated'

export const allergenCell = ({ allergens }: Pick<TableDish, 'allergens'>, name: string): Cell => {
  if (allergens === null) return 'not stated'
  return allergens.includes(name) ? 'Contains' : '–'
}

/** What a dish contains against a diet. */
export const dietCell = ({ diets }: Pick<TableDish, 'diets'>, name: DietName): Cell => {
  if (diets[name] === 'unknown') return 'not stated'
  return diets[name] === 'no' ? 'Contains' : '–'
}
