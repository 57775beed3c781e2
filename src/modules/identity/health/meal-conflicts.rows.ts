import type { Knex } from 'knex'
import { allergenKey } from '#contracts/eating'
import type { SchoolDate } from '#kernel/school-time'
import type { Database } from '#platform/database'

/** A meal of a student, and what of it the student is allergic to. */
export type AllergensOfMeal = {
  studentId: number
  date: SchoolDate
  itemId: number
  allergens: readonly string[]
}

export type AcknowledgedBy = 'family' | 'office'

/** What ordering asks of allergies beside a child's record; `families.md` section 3 keeps all of it in these tables. */
export const mealConflictRows = ({ knex, pool }: Pick<Database, 'knex' | 'pool'>) => ({
  /** Everybody who is allergic to something, under each id that they ever had, and to what. A prepared query: a sweep asks it every few seconds. */
  allergicStudents: async (): Promise<Map<number, string[]>> => {
    const { rows } = await pool.query<{ studentId: number; allergies: string[] }>({
      name: 'identity-allergic-students',
      text: `select child.id as "studentId", allergies from identity.student_health
        join identity.students child on "studentId" = coalesce(child."mergedInto", child.id)
        where allergies <> '{}'`,
    })
    return new Map(rows.map(({ studentId, allergies }) => [studentId, allergies]))
  },

  /** Keeps which allergens were accepted with meals, instead of what was accepted of the same meal before. */
  acknowledge: async (meals: readonly AllergensOfMeal[], by: AcknowledgedBy): Promise<void> => {
    const rows = meals.map((meal) => ({ ...meal, by }))
    await knex('identity.acknowledged_meals')
      .insert(rows)
      .onConflict(['studentId', 'date', 'itemId'])
      .merge(['allergens', 'by'])
  },

  /** What was accepted with meals of these students from that date on. */
  acknowledgedOf: async (
    studentIds: readonly number[],
    from: SchoolDate,
  ): Promise<(AllergensOfMeal & { by: AcknowledgedBy })[]> => {
    const { rows } = await pool.query<AllergensOfMeal & { by: AcknowledgedBy }>({
      name: 'identity-acknowledged-meals',
      text: `select "studentId", date::text as date, "itemId", allergens, by
        from identity.acknowledged_meals where "studentId" = any($1::int[]) and date >= $2`,
      values: [studentIds, from],
    })
    return rows
  },
})

type ToldRow = Omit<AllergensOfMeal, 'allergens'> & { orderId: string; allergen: string }

/** Of these meals those of which the family was not told yet of some allergen; afterwards it counts as told. */
export const takeUntold = async <Meal extends AllergensOfMeal & { orderId: string }>(
  transaction: Knex.Transaction,
  meals: readonly Meal[],
): Promise<Meal[]> => {
  const told = () => transaction<ToldRow>('identity.conflicts_told')
  const ids = meals.map(({ orderId }) => orderId)
  const known = new Set((await told().whereRaw('"orderId" = any(?::text[])', [ids])).map(toldKey))
  const rows = meals.flatMap(({ orderId, studentId, date, itemId, allergens }) =>
    allergens
      .map((name) => ({ orderId, studentId, date, itemId, allergen: allergenKey(name) }))
      .filter((row) => !known.has(toldKey(row))),
  )
  const made = new Set<string>()
  for (let from = 0; from < rows.length; from += 1000) {
    const inserted = await told()
      .insert(rows.slice(from, from + 1000))
      .onConflict()
      .ignore()
      .returning('orderId')
    for (const { orderId } of inserted) made.add(orderId)
  }
  return meals.filter(({ orderId }) => made.has(orderId))
}

const toldKey = ({ orderId, itemId, allergen }: Pick<ToldRow, 'orderId' | 'itemId' | 'allergen'>) =>
  `${orderId} ${itemId} ${allergen}`
