import type { Pool } from 'pg'
import type { Reader } from '#platform/database'
import type { Log } from '#platform/log'
import { noneAsideSql } from '#platform/projections/views-aside'
import { cycleChangesView } from './cycle-changes.view'
import { ordersView } from '../orders/orders.view'

export type KeptSumsNeeds = { database: { pool: Pool }; log: Log }

type Asked = {
  /** A word of its own for each `answer`. */
  what: string
  cycleIds: readonly number[] | null
  answer: string
  /** Somebody's transaction, in which nothing is written. */
  at?: Reader | undefined
}

/**
 * Answers what `answer` makes of `sums`, one row `{ orders, completed_ngwee, sold, eaters }` for each of these cycles,
 * or (null) for each that was ordered in. Only cycles whose orders have changed since they were last asked for are
 * added up; the others are as they were kept.
 *
 * What is kept of a cycle is believed while the cycle's position in `ordering.cycle_changes` is the one that it was
 * added up at. That is safe in whatever order readers and the projector come:
 * - A statement sees one moment, and orders and positions are written in one transaction: sums and position that are
 *   read together belong together, and so do the position and what is believed for it.
 * - What is kept of a cycle is one row, so the sums of two readers never mix. A slow one may put an older row in the
 *   place of a newer one; its position is no longer the cycle's, which is then added up once more.
 * - A rebuild may come to other orders at the same positions, as a mended program does. It puts a new table in the
 *   place of the old one, and what is kept names the table that it was made of.
 * - A view that is aside catches up behind the other one. While one of the two is aside nothing is kept or believed;
 *   what was kept before has a position from before, and every cycle that changes meanwhile has a later one afterwards.
 * - A cycle without a position is added up each time.
 */
export const fromKeptSums = async <Answer extends object>(
  { database: { pool }, log }: KeptSumsNeeds,
  { what, cycleIds, answer, at }: Asked,
): Promise<Answer> => {
  const { rows } = await (at ?? pool).query<Answer & { fresh: string | null }>({
    name: `ordering-${what}-of-${cycleIds === null ? 'all' : 'some'}`,
    text: sumsSql(cycleIds === null ? allCycles : theseCycles, answer),
    values: cycleIds === null ? [] : [cycleIds],
  })
  const { fresh, ...found } = rows[0]!
  // Apart from what was read: a transaction that has written holds up whoever follows the events.
  if (fresh !== null && !at)
    await pool
      .query({ name: 'ordering-keep-sums', text: keepSql, values: [fresh] })
      .catch((error: unknown) => {
        log.warn({ err: error }, 'the sums of cycles could not be kept, so they are added up again')
      })
  return found as unknown as Answer
}

/** From one cycle to the next in an index, whether it has a row anywhere else or not. */
const allCycles = `
  found (cycle_id) as (
    select min(cycle_id) from ordering.orders
    union all
    select (select min(cycle_id) from ordering.orders where cycle_id > found.cycle_id)
    from found where found.cycle_id is not null
  ), wanted as (select cycle_id from found where cycle_id is not null)`

// Behind a select the ids are no reason to plan anew each time.
const theseCycles = 'wanted as (select distinct unnest((select $1::int[])) as cycle_id)'

const groupsOfCycle = `
  select case grouping(week, item_id, student_grade)
           when 7 then 'all' when 3 then 'week' when 5 then 'item' else 'grade' end as kind,
    week, item_id, student_grade as grade, min(meal_date) as first_day, max(item_name) as item_name,
    count(*)::int as orders,
    (count(*) filter (where status in ('cancelled', 'refunded')))::int as cancelled,
    (count(*) filter (where status = 'pending'))::int as pending,
    coalesce(sum(price) filter (where status = 'completed'), 0) as completed_ngwee,
    coalesce(sum(price) filter (where status in ('cancelled', 'refunded')), 0) as cancelled_ngwee,
    coalesce(sum(price) filter (where status = 'pending'), 0) as pending_ngwee
  from ordering.orders where cycle_id = asked.cycle_id
  group by grouping sets ((), (week), (item_id), (student_grade))`

/** Students by their ids, each a bit in a block of 1,024 of them. */
const eatersOfCycle = `
  select array_agg(row(block, marked)::ordering.eaters) from (
    select student_id / 1024 as block, bit_or(set_bit(0::bit(1024), student_id % 1024, 1)) as marked from (
      select student_id from ordering.orders where cycle_id = asked.cycle_id group by student_id
    ) as students group by student_id / 1024
  ) as blocks`

const group = `row(kind, week, item_id, grade, first_day, item_name, orders, cancelled, pending,
  completed_ngwee, cancelled_ngwee, pending_ngwee)::ordering.sold`

const columns = 'cycle_id, position, orders_table, orders, completed_ngwee, sold, eaters'

const sumsSql = (cycles: string, answer: string) => `
  with recursive ${cycles}, place as (
    select (select tableoid from ordering.orders limit 1) as orders_table,
      ${noneAsideSql(ordersView, cycleChangesView)} as is_sound
  ), asked as materialized (
    select wanted.cycle_id, change.position, place.orders_table, is_sound, kept.cycle_id is not null as is_kept,
      kept.orders, kept.completed_ngwee, kept.sold, kept.eaters
    from wanted cross join place
    left join ordering.cycle_changes change on change.cycle_id = wanted.cycle_id
    left join ordering.kept_sums kept on is_sound and kept.cycle_id = wanted.cycle_id
      and kept.position = change.position and kept.orders_table = place.orders_table
  ), added_up as materialized (
    select asked.cycle_id, position, orders_table, is_sound, of_cycle.*
    from asked cross join lateral (
      select max(orders) filter (where kind = 'all') as orders,
        max(completed_ngwee) filter (where kind = 'all') as completed_ngwee,
        array_agg(${group}) as sold, coalesce((${eatersOfCycle}), '{}') as eaters
      from (${groupsOfCycle}) as groups
    ) as of_cycle where not is_kept
  ), sums as (
    select ${columns} from asked where is_kept union all select ${columns} from added_up
  )
  select answer.*, (
    select json_agg(fresh)::text from (
      select ${columns} from added_up where is_sound and position is not null and orders_table is not null
    ) as fresh
  ) as fresh from (${answer}) as answer`

// In the order of the cycles, so that two who keep some of the same never wait for each other in a circle.
const keepSql = `
  insert into ordering.kept_sums (${columns})
  select ${columns} from json_populate_recordset(null::ordering.kept_sums, $1::json) order by cycle_id
  on conflict (cycle_id) do update set position = excluded.position, orders_table = excluded.orders_table,
    orders = excluded.orders, completed_ngwee = excluded.completed_ngwee,
    sold = excluded.sold, eaters = excluded.eaters`
