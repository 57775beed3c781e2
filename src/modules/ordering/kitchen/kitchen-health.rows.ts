import type { Knex } from 'knex'
import type { Grade } from '#contracts/identity'
import type { OrderingNeeds } from '../needs'
import { byGrade, mostLunches } from '../orders/lunches.rows'
import { withEaters, type EaterNeeds } from '../orders/eaters.rows'
import type { KitchenDays } from './kitchen-days.decide'
import type { EatenMeal } from './kitchen-health'

type Lunch = {
  id: string
  studentId: number
  mealDate: string
  student: string
  grade: Grade
  itemId: number
  menuItem: string
}

type HealthNeeds = EaterNeeds & { catalogue: Pick<OrderingNeeds['catalogue'], 'allergensOfItems'> }

/** The lunches of these days whose children are there, by date, grade and name; at most 10,000 a day. */
export const eatenMeals = async (
  needs: HealthNeeds,
  knex: Knex,
  { from, to }: KitchenDays,
): Promise<EatenMeal[]> => {
  const lunches: Lunch[] = await knex('ordering.orders')
    .whereBetween('meal_date', [from, to])
    .whereIn('status', ['pending', 'completed'])
    .where('absent', false)
    .select({
      id: 'id',
      studentId: 'student_id',
      mealDate: 'meal_date',
      student: 'student_name',
      grade: 'student_grade',
      itemId: 'item_id',
      menuItem: 'item_name',
    })
    .orderBy('meal_date')
    .orderByRaw(`${byGrade.sql}, lower(student_name), id`, byGrade.bindings)
    .limit(5 * mostLunches)
  const [allergens, eaters] = await Promise.all([
    needs.catalogue.allergensOfItems(),
    withEaters(needs, lunches, ({ id }) => id),
  ])
  return eaters.map((lunch) => ({ ...lunch, allergens: allergens.get(lunch.itemId) ?? [] }))
}
