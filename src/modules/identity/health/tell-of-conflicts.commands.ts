import type { Knex } from 'knex'
import { allergenKeys, type Needs } from '#contracts/allergens'
import type { MealConflict } from '#contracts/health'
import { mealMessage, type UserMessage } from '#kernel/meal-line'
import type { SchoolDate } from '#kernel/school-time'
import type { Database } from '#platform/database'
import type { Ports } from '#platform/ports'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import type { IdentityNeeds } from '../ports'
import { guardiansOf } from '../students/guardians.rows'
import { userRows } from '../users/users.rows'

type MealInConflict = ConflictOfMeal & { orderId: string; student: string; item: string }

const atOnce = 500

/** One message per guardian, once per order and allergen or diet; sent and recorded in one transaction. */
export const tellOfConflicts =
  (needs: IdentityNeeds) =>
  async (meals: readonly MealInConflict[]): Promise<void> => {
    for (let from = 0; from < meals.length; from += atOnce)
      await tellOf(needs, meals.slice(from, from + atOnce))
  }

const tellOf = (needs: IdentityNeeds, meals: readonly MealInConflict[]) =>
  needs.messaging.withMail(async (transaction, post) => {
    const untold = await takeUntold(transaction, meals)
    if (untold.length === 0) return
    const guardians = await guardiansOf(
      transaction,
      untold.map(({ studentId }) => studentId),
    )
    const mealsOf = new Map<number, MealInConflict[]>()
    for (const meal of untold)
      for (const userId of guardians.get(meal.studentId) ?? [])
        mealsOf.set(userId, [...(mealsOf.get(userId) ?? []), meal])
    for (const [userId, own] of mealsOf) {
      const recipient = await userRows(transaction).byId(userId)
      if (recipient) await needs.messaging.postMessage(transaction, post)(recipient, lookMail(own))
    }
  })

/** The mail has no details: the family reads them on its page. */
export const lookMail = (meals: readonly MealInConflict[]): UserMessage => {
  const [it, needs] = meals.length === 1 ? ['A meal', 'needs'] : [`${meals.length} meals`, 'need']
  return mealMessage({
    what: 'Please look at the lunch',
    meals: meals.map(({ item, student, date: mealDate }) => ({
      item: { name: item },
      student: { name: student },
      mealDate,
    })),
    start: 'Please look at what is ordered:',
    end: ['Please log in: your home page says what to look at.'],
    short: () => `${it} of yours ${needs} a look.`,
  })
}

type ConflictOfMeal = MealConflict & { studentId: number; date: SchoolDate; itemId: number }

type AcknowledgedBy = 'family' | 'office'

/** families.md section 3 keeps all of it in these tables. */
export const mealConflictRows = ({ knex, pool }: Pick<Database, 'knex' | 'pool'>) => ({
  /** Under every alias. Prepared: a sweep asks it every few seconds. */
  studentsWithNeeds: async (): Promise<Map<number, Needs>> => {
    const { rows } = await pool.query<Needs & { studentId: number }>({
      name: 'identity-students-with-needs',
      text: `select child.id as "studentId", allergies, diet from identity.student_health
        join identity.students child on "studentId" = coalesce(child."mergedInto", child.id)
        where allergies <> '{}' or diet <> 'none'`,
    })
    return new Map(rows.map(({ studentId, allergies, diet }) => [studentId, { allergies, diet }]))
  },

  /** Replaces an earlier acceptance of the meal. */
  acknowledge: async (meals: readonly ConflictOfMeal[], by: AcknowledgedBy): Promise<void> => {
    const rows = meals.map((meal) => ({ ...meal, by }))
    await knex('identity.acknowledged_meals')
      .insert(rows)
      .onConflict(['studentId', 'date', 'itemId'])
      .merge(['allergens', 'diets', 'by'])
  },

  acknowledgedOf: async (
    studentIds: readonly number[],
    from: SchoolDate,
  ): Promise<(ConflictOfMeal & { by: AcknowledgedBy })[]> => {
    const { rows } = await pool.query<ConflictOfMeal & { by: AcknowledgedBy }>({
      name: 'identity-acknowledged-meals',
      text: `select "studentId", date::text as date, "itemId", allergens, diets, by
        from identity.acknowledged_meals where "studentId" = any($1::int[]) and date >= $2`,
      values: [studentIds, from],
    })
    return rows
  },
})

type ToldRow = Omit<ConflictOfMeal, keyof MealConflict> & { orderId: string; reason: string }

/** Returns the meals with a warning that the family has not received, and marks them as notified. */
const takeUntold = async <Meal extends ConflictOfMeal & { orderId: string }>(
  transaction: Knex.Transaction,
  meals: readonly Meal[],
): Promise<Meal[]> => {
  const told = () => transaction<ToldRow>('identity.conflicts_told')
  const ids = meals.map(({ orderId }) => orderId)
  const known = new Set((await told().whereRaw('"orderId" = any(?::text[])', [ids])).map(toldKey))
  const rows = meals.flatMap(({ orderId, studentId, date, itemId, allergens, diets }) =>
    [...allergens.flatMap(allergenKeys), ...diets.map((diet) => `diet:${diet}`)]
      .map((reason) => ({ orderId, studentId, date, itemId, reason }))
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

const toldKey = ({ orderId, itemId, reason }: Pick<ToldRow, 'orderId' | 'itemId' | 'reason'>) =>
  `${orderId} ${itemId} ${reason}`

const mealsKeptDays = 2

export const conflictRetentions = ({ database: { pool }, now }: Ports): Retention[] =>
  (
    [
      ['identity.acknowledged_meals', 'Meals that you chose in spite of an allergy'],
      ['identity.conflicts_told', 'Warnings of meals that your child may not eat'],
    ] as const
  ).map(([name, about]) => ({
    name,
    about,
    kept: `until ${mealsKeptDays} days after the meal`,
    remove: deleteUntil(pool, name, 'date < $1', () => new Date(now().getTime() - mealsKeptDays * dayMs)),
  }))
