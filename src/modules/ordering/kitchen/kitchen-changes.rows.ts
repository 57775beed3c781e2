import type { Knex } from 'knex'
import type { Grade } from '#contracts/identity'
import type { KitchenChange } from '#contracts/kitchen'
import type { SchoolDate } from '#kernel/school-time'
import type { KitchenChangeRow } from './kitchen-changes.view'
import type { KitchenDays } from './kitchen-days.decide'

const maxChanges = 5_000

/**
 * `told`: an instant in ms, growing in log order: the time of the change, or 1 ms after the previous one. A change begun earlier but seen
 * later never falls behind a reader.
 */
const toldSql = `
  with placed as (
    select *, row_number() over (partition by date order by position) as place
    from ordering.kitchen_changes where date between :from and :to
  ), told as (
    select *, (max(extract(epoch from at) * 1000 - place) over (partition by date order by place) + place)::bigint as told
    from placed
  )`

type Row = Pick<KitchenChangeRow, 'order_id' | 'kind' | 'was' | 'is_now'> & {
  at: Date
  student_name: string
  student_grade: Grade | 'teacher'
  told: string
}
type Cooked = NonNullable<KitchenChangeRow['was']>

const nothingTold = new Date(0)

const endAfter = (told: string | null): Date => (told === null ? nothingTold : new Date(Number(told) + 1))

/** Oldest first, at most 5,000, with the instant to continue from: each change is read once. */
export const kitchenChangesSince = async (
  knex: Knex,
  date: SchoolDate,
  since: Date,
): Promise<{ changes: Omit<KitchenChange, 'class'>[]; end: Date }> => {
  const { rows } = await knex.raw<{ rows: (Row & { last: string | null })[] }>(
    `${toldSql}
     select last, found.* from (select max(told) as last from told) as all_told left join (
       select order_id, kind, was, is_now, at, told, place, student_name, student_grade
       from told join ordering.orders on orders.id = order_id
       where told >= :since order by place limit :limit) as found on true
     order by place`,
    { from: date, to: date, since: since.getTime(), limit: maxChanges },
  )
  const found = rows.filter(({ order_id }) => order_id !== null)
  const last = found.length === maxChanges ? found.at(-1)!.told : rows[0]!.last
  const changes = found.map(({ order_id: orderId, kind, was, is_now: now, at, ...student }) => ({
    at: at.toISOString(),
    kind,
    orderId,
    student: student.student_name,
    grade: student.student_grade,
    from: was && mealText(was),
    to: now && mealText(now),
  }))
  return { changes, end: endAfter(last) }
}

const mealText = ({ name, category, sideDish }: Cooked): string =>
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

/** `cut`: everything told before it is on the paper. */
type Print = { at: Date; cut: Date }

export const printOf = async (knex: Knex, date: SchoolDate, at?: Date): Promise<Print | null> => {
  const row = await knex('ordering.kitchen_prints')
    .where({ date, ...(at && { at }) })
    .orderBy([{ column: 'at', order: 'desc' }, 'cut'])
    .first('at', 'cut')
  return row ?? null
}

export const insertPrint = async (
  knex: Knex,
  { shown, ...print }: { date: SchoolDate; at: Date; by: number; shown: Date | null },
): Promise<void> => {
  const [end] = await kitchenEnds(knex, { from: print.date, to: print.date })
  const told = end ? new Date(end.at) : nothingTold
  await knex('ordering.kitchen_prints').insert({ ...print, cut: shown && shown < told ? shown : told })
}
