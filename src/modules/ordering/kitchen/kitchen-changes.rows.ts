import type { Knex } from 'knex'
import type { Grade } from '#contracts/identity'
import type { KitchenChange } from '#contracts/kitchen'
import type { SchoolDate } from '#kernel/school-time'
import type { KitchenChangesRow } from './kitchen-changes.view'

const mostChanges = 5_000

type Row = Pick<KitchenChangesRow, 'order_id' | 'changes'> & {
  student_name: string
  student_grade: Grade | 'teacher'
}
type Cooked = KitchenChangesRow['meal']

const changesOn = (knex: Knex, date: SchoolDate) => knex('ordering.kitchen_changes').where('date', date)

/** What changed on a day since then, oldest first, at most 5,000. */
export const kitchenChangesSince = async (
  knex: Knex,
  date: SchoolDate,
  since: Date,
): Promise<Omit<KitchenChange, 'class'>[]> => {
  const rows: Row[] = await changesOn(knex, date)
    .where('changed_at', '>=', since)
    .join('ordering.orders', 'ordering.orders.id', 'order_id')
    .select('order_id', 'changes', 'student_name', 'student_grade')
    .limit(mostChanges)
  return rows
    .flatMap(({ order_id: orderId, changes, student_name: student, student_grade: grade }) =>
      changes
        .filter(({ at }) => new Date(at) >= since)
        .map(({ at, kind, from, to }) => ({
          at,
          kind,
          orderId,
          student,
          grade,
          from: from && mealInWords(from),
          to: to && mealInWords(to),
        })),
    )
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .slice(0, mostChanges)
}

const mealInWords = ({ name, category, sideDish }: Cooked): string =>
  [name, category, sideDish].filter((word) => word !== null).join(', ')

/** When the first order for a day was placed; null when there is none. */
export const firstOrderOn = async (knex: Knex, date: SchoolDate): Promise<Date | null> => {
  const row = await knex('ordering.orders').where('meal_date', date).min({ at: 'placed_at' }).first()
  return row?.at ?? null
}

/** When the list of a day was last printed, by whomever; null when it was not. */
export const lastPrintOf = async (knex: Knex, date: SchoolDate): Promise<Date | null> => {
  const row = await knex('ordering.kitchen_prints').where({ date }).max({ at: 'at' }).first()
  return row?.at ?? null
}

export const insertPrint = async (
  knex: Knex,
  print: { date: SchoolDate; at: Date; by: number },
): Promise<void> => {
  await knex('ordering.kitchen_prints').insert(print)
}
