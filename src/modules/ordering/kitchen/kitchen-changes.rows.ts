import type { Knex } from 'knex'
import type { Grade } from '#contracts/identity'
import type { KitchenChange } from '#contracts/kitchen'
import type { SchoolDate } from '#kernel/school-time'
import type { CookedMeal, KitchenChangeRow } from '../orders/kitchen-changes.view'
import type { KitchenDays } from './kitchen.decide'

const maxChanges = 5_000

/** Ms, growing in log order: the time of the change, or 1 ms after the previous one, so that a late change never falls behind a reader. */
const toldSql = `
  with placed as (
    select *, row_number() over (partition by date order by position) as place
    from ordering.kitchen_changes where date between :from and :to
  ), told as (
    select *, (max(extract(epoch from at) * 1000 - place) over (partition by date order by place) + place)::bigint as told
    from placed
  )`

type Row = Pick<
  KitchenChangeRow,
  'order_id' | 'kitchen_id' | 'kind' | 'was' | 'is_now' | 'late' | 'moved'
> & {
  at: Date
  student_name: string
  student_grade: Grade | 'teacher'
  told: string
}

const nothingTold = new Date(0)

const endAfter = (told: string | null): Date => (told === null ? nothingTold : new Date(Number(told) + 1))

/** Cut as stored, told oldest first: at most 5,000, with the instant to continue from, so that each change is read once. */
export const kitchenChangesSince = async (
  knex: Knex,
  date: SchoolDate,
  { from, to }: { from: Date; to?: Date | undefined },
): Promise<{ changes: Omit<KitchenChange, 'class'>[]; end: Date }> => {
  const { rows } = await knex.raw<{ rows: (Row & { last: string | null })[] }>(
    `${toldSql}
     select last, found.* from (select max(told) as last from told) as all_told left join (
       select order_id, told.kitchen_id, kind, was, is_now, told.late, told.moved, at, told, place, student_name, student_grade
       from told join ordering.orders on orders.id = order_id
       where told >= :since and (:until::bigint is null or told < :until)
       order by place limit :limit) as found on true
     order by place`,
    { from: date, to: date, since: from.getTime(), until: to?.getTime() ?? null, limit: maxChanges },
  )
  const found = rows.filter(({ order_id }) => order_id !== null)
  const last = found.length === maxChanges ? found.at(-1)!.told : rows[0]!.last
  const changes = found.map(
    ({ kitchen_id: orderId, kind, was, is_now: now, late, moved, at, ...student }) => ({
      at: at.toISOString(),
      kind,
      orderId,
      student: student.student_name,
      grade: student.student_grade,
      from: was && mealText(was),
      to: now && mealText(now),
      ...(late && { late }),
      ...(moved !== null && { moved }),
    }),
  )
  const oldestFirst = changes.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
  return { changes: oldestFirst, end: endAfter(last) }
}

/** The kitchen has marked a meal of the day complete; what the hatch gives out does not count. */
export const isAnyCompleted = async (knex: Knex, date: SchoolDate): Promise<boolean> =>
  (await knex('ordering.orders').where({ meal_date: date, completed_by: 'kitchen' }).first('id')) !==
  undefined

const mealText = ({ name, category, sideDish }: CookedMeal): string =>
  [name, category, sideDish].filter((word) => word !== null).join(', ')

export const kitchenEnds = async (
  knex: Knex,
  { from, to }: KitchenDays,
): Promise<{ date: SchoolDate; at: string }[]> => {
  const { rows } = await knex.raw<{ rows: { date: SchoolDate; last: string }[] }>(
    `${toldSql} select date::text, max(told) as last from told group by date order by date`,
    { from, to },
  )
  return rows.map(({ date, last }) => ({ date, at: endAfter(last).toISOString() }))
}

/** The paper shows everything told before `cut`. */
type Print = { at: Date; cut: Date }

/** The last one, `at` an instant or `before` it. */
export const printOf = async (
  knex: Knex,
  date: SchoolDate,
  { at, before }: { at?: Date | undefined; before?: Date | undefined },
): Promise<Print | null> => {
  const row = await knex('ordering.kitchen_prints')
    .where({ date, ...(at && { at }) })
    .modify((prints) => before && prints.where('at', '<', before))
    .orderBy([{ column: 'at', order: 'desc' }, 'cut'])
    .first('at', 'cut')
  return row ?? null
}

/** Newest first. */
export const printsOf = (knex: Knex, date: SchoolDate): Promise<{ at: Date; by: number }[]> =>
  knex('ordering.kitchen_prints')
    .where({ date })
    .orderBy([
      { column: 'at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(100)
    .select('at', 'by')

export const insertPrint = async (
  knex: Knex,
  { shown, ...print }: { date: SchoolDate; at: Date; by: number; shown: Date | null },
): Promise<void> => {
  const [end] = await kitchenEnds(knex, { from: print.date, to: print.date })
  const told = end ? new Date(end.at) : nothingTold
  await knex('ordering.kitchen_prints').insert({ ...print, cut: shown && shown < told ? shown : told })
}
