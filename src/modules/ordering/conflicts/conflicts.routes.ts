import type { MealConflict } from '#contracts/health'
import { listConflicts, type ConflictRow } from '#contracts/order-reports'
import { schoolMoment, type SchoolDate } from '#kernel/school-time'
import type { Reader } from '#platform/database'
import { holdsOneOf, route, withFeature, type Route } from '#platform/http/route'
import type { Sweep } from '#platform/module'
import type { OrderingNeeds } from '../ports'
import type { OrderRow } from '../slot/order'
import {
  conflictsAmong,
  pairsInConflict,
  type Conflict,
  type UpcomingMeal,
  healthFeatures,
} from './conflicts.decide'

export const conflictRoutes = (needs: Parameters<typeof conflictsForOffice>[0]): Route[] => [
  route(listConflicts, withFeature('kitchen', 'menu', 'parents_students'), async ({ user }) => {
    const conflicts = await conflictsForOffice(needs)
    return { data: holdsOneOf(user, ...healthFeatures) ? conflicts.map(ofChild) : countedByDish(conflicts) }
  }),
]

const ofChild = ({ orderId, student, date, item, allergens, diets }: Conflict): ConflictRow => ({
  orderId,
  student,
  date,
  menuItem: item,
  allergens: [...allergens],
  diets: [...diets],
})

const countedByDish = (conflicts: readonly Conflict[]): ConflictRow[] => {
  const dishes = new Map<string, { menuItem: string; date: SchoolDate; conflicts: number }>()
  for (const { itemId, item, date } of conflicts) {
    const key = `${date} ${itemId}`
    const known = dishes.get(key) ?? { menuItem: item, date, conflicts: 0 }
    dishes.set(key, { ...known, conflicts: known.conflicts + 1 })
  }
  return [...dishes.values()]
}

const todayOf = ({ now, zone }: OrderingNeeds) => schoolMoment(now(), zone).date

const conflictsNow = async (needs: OrderingNeeds): Promise<Conflict[]> => {
  const { database, catalogue, identity } = needs
  const needsOf = await identity.studentsWithNeeds()
  if (needsOf.size === 0) return []
  const contents = await catalogue.contentsOfItems()
  const pairs = pairsInConflict({ needs: needsOf, contents })
  if (pairs.length === 0) return []
  const today = todayOf(needs)
  const meals = await upcomingMeals(database.pool)(pairs, today)
  if (meals.length === 0) return []
  const accepted = await identity.acknowledgedOf([...new Set(meals.map(({ studentId }) => studentId))], today)
  return conflictsAmong(meals, { needs: needsOf, contents, accepted })
}

/** Conflicts that nobody accepted (families.md section 3). */
const conflictsForOffice = async (needs: OrderingNeeds): Promise<Conflict[]> =>
  (await conflictsNow(needs)).filter(({ acceptedByOffice }) => !acceptedByOffice)

/** By order id, of meals to come; orders with nothing against them are absent. */
export const conflictsOfOrders = async (
  needs: OrderingNeeds,
  orders: readonly OrderRow[],
): Promise<ReadonlyMap<string, MealConflict>> => {
  const today = todayOf(needs)
  const upcoming = orders.filter(
    ({ status, meal_date, absent }) => status === 'pending' && meal_date >= today && !absent,
  )
  if (upcoming.length === 0) return new Map()
  const studentIds = [...new Set(upcoming.map(({ student_id }) => student_id))]
  const health = await needs.identity.healthOf(studentIds)
  if ([...health.values()].every(({ allergies, diet }) => !allergies?.length && diet === 'none'))
    return new Map()
  const [contents, accepted] = await Promise.all([
    needs.catalogue.itemsByIds([...new Set(upcoming.map(({ item_id }) => item_id))]),
    needs.identity.acknowledgedOf(studentIds, today),
  ])
  const conflicts = conflictsAmong(upcoming.map(mealOf), { needs: health, contents, accepted })
  return new Map(conflicts.map(({ orderId, allergens, diets }) => [orderId, { allergens, diets }]))
}

const mealOf = (row: OrderRow) => ({
  orderId: row.id,
  studentId: row.student_id,
  student: row.student_name,
  date: row.meal_date,
  itemId: row.item_id,
  item: row.item_name,
  acknowledged: row.acknowledged,
})

/** Compares state, so that no cause is missed and a crash loses nothing. */
export const tellOfConflicts = (needs: OrderingNeeds): Sweep => ({
  name: 'tell-of-conflicts',
  run: async () => {
    const conflicts = await conflictsNow(needs)
    if (conflicts.length > 0)
      await needs.identity.tellOfConflicts(conflicts.map(({ acceptedByOffice: _by, ...meal }) => meal))
  },
})

const maxConflicts = 5000

/** Pending orders of these pairs, nearest first, at most 5,000; absent children left out. */
const upcomingMeals =
  (pool: Reader) =>
  async (
    pairs: readonly { studentId: number; itemId: number }[],
    from: SchoolDate,
  ): Promise<UpcomingMeal[]> => {
    const { rows } = await pool.query<UpcomingMeal>({
      name: 'ordering-upcoming-meals-of-pairs',
      text: `select o.id as "orderId", o.student_id as "studentId", o.student_name as student,
          o.meal_date::text as date, o.item_id as "itemId", o.item_name as item, o.acknowledged
        from ordering.orders o
        join unnest($1::int[], $2::int[]) as pair (student_id, item_id) using (student_id, item_id)
        where o.status = 'pending' and o.meal_date >= $3 and not o.absent
        order by o.meal_date, o.student_name, o.id limit ${maxConflicts}`,
      values: [pairs.map(({ studentId }) => studentId), pairs.map(({ itemId }) => itemId), from],
    })
    return rows
  }
