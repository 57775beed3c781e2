import type { Knex } from 'knex'
import { allergenNames } from '#contracts/allergens'
import { dietNames } from '#contracts/catalogue'
import { allergenTable, kitchenBuying, type BuyingList } from '#contracts/papers'
import { userIdOf } from '#kernel/event'
import { addDays, cyclePlace, mondayOf, type SchoolDate } from '#kernel/school-time'
import { route, withFeature, type Route } from '#platform/http/route'
import type { OrderNeeds } from '../portions/portions.view'
import { buyingList, schoolDaysIn, type OrderedDish } from './buying.decide'
import type { KitchenDays } from './kitchen.decide'

/** What the kitchen prints beside the cooking list (plans-and-sponsors.md section 4). */
export const papersRoutes = (needs: OrderNeeds, buyingMargin: () => Promise<number>): Route[] => [
  route(kitchenBuying, withFeature('kitchen'), async ({ query: days }) => {
    const [ordered, { cycle }, margin, planned] = await Promise.all([
      orderedDishes(needs.database.knex, days),
      needs.cycles.orderingCalendar(),
      buyingMargin(),
      plannedIn(needs, days),
    ])
    const items = await needs.catalogue.itemsByIds([...new Set(ordered.map(({ itemId }) => itemId))])
    const ingredientsOf = (id: number) => items.get(id)?.ingredients ?? []
    const asked = { ...days, margin }
    return { ...buyingList(asked, schoolDaysIn(days, cycle, ordered), ordered, ingredientsOf), planned }
  }),

  route(allergenTable, withFeature('kitchen', 'menu'), async ({ query }) => {
    const from = mondayOf(query.from)
    const to = addDays(from, 4)
    const [cycle, ordered, items, allergens] = await Promise.all([
      needs.cycles.activeCycle(),
      orderedDishes(needs.database.knex, { from, to }),
      needs.catalogue.declaredItems(),
      needs.catalogue.allergens(),
    ])
    const week = cycle && cyclePlace(cycle.startDate, from).weekNumber
    const cooked = new Set(ordered.map(({ itemId }) => itemId))
    const isInCycle = cycle && week && week >= 1 && week <= cycle.cycleLength
    const shown = items.filter(
      (item) =>
        cooked.has(item.id) ||
        (isInCycle && !item.isArchived && item.isAvailable && item.weekNumbers.includes(week)),
    )
    const people = shown.flatMap(({ declaredBy }) => userIdOf(declaredBy ?? '') ?? [])
    const names = await needs.identity.usernamesOf([...new Set(people)])
    const dishes = shown
      .map(({ id, name, type, diets, declaredBy, declaredAt, ...item }) => ({
        id,
        name,
        type,
        allergens: item.allergens && allergenNames(item.allergens),
        diets,
        declared: declaredAt && {
          by: names.get(userIdOf(declaredBy ?? '') ?? 0) ?? 'System',
          at: declaredAt.toISOString(),
        },
      }))
      .toSorted((one, other) => one.type.localeCompare(other.type) || one.name.localeCompare(other.name))
    return { from, to, allergens, diets: [...dietNames], dishes }
  }),
]

/** Plans are asked week by week. */
const plannedIn = async (
  { plannedMeals }: OrderNeeds,
  { from, to }: KitchenDays,
): Promise<BuyingList['planned']> => {
  const found: BuyingList['planned'] = []
  for (let monday = mondayOf(from); monday <= to; monday = addDays(monday, 7)) {
    const last = addDays(monday, 6)
    found.push(...(await plannedMeals({ from: from > monday ? from : monday, to: to < last ? to : last })))
  }
  return found
}

type DishRow = {
  meal_date: SchoolDate
  item_id: number
  item_name: string
  item_type: OrderedDish['type']
  meals: string
}

const orderedDishes = async (knex: Knex, { from, to }: KitchenDays): Promise<OrderedDish[]> => {
  const rows: DishRow[] = await knex('ordering.orders')
    .whereBetween('meal_date', [from, to])
    .whereIn('status', ['pending', 'completed'])
    .where('absent', false)
    .groupBy('meal_date', 'item_id', 'item_name', 'item_type')
    .orderBy(['meal_date', 'item_name', 'item_id'])
    .select('meal_date', 'item_id', 'item_name', 'item_type')
    .count({ meals: '*' })
  return rows.map(({ meal_date: date, item_id: itemId, item_name: name, item_type: type, meals }) => {
    return { date, itemId, name, type, meals: Number(meals) }
  })
}
