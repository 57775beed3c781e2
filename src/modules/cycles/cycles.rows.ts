import type { Knex } from 'knex'
import type { Reader } from '#platform/database'
import type { Cutoff, Cycle, CyclePlan } from './cycle'

export type CycleRow = {
  id: number
  start_date: string
  cycle_length: number
  is_active: boolean
  created_at: Date
  blocked_days: Cycle['blockedDays']
}

export const cycleFromRow = (row: CycleRow): Cycle => ({
  id: row.id,
  startDate: row.start_date,
  cycleLength: row.cycle_length,
  isActive: row.is_active,
  createdAt: row.created_at,
  blockedDays: row.blocked_days,
})

const blockedDays = `(
  select coalesce(json_agg(json_build_object('week', b.week, 'day', b.day) order by b.week, b.day), '[]')
  from cycles.blocked_days b where b.cycle_id = c.id
) as blocked_days`

export const selectCycles = (knex: Knex) =>
  knex('cycles.order_cycles as c').select(
    'c.id',
    knex.raw('c.start_date::text as start_date'),
    'c.cycle_length',
    'c.is_active',
    'c.created_at',
    knex.raw(blockedDays),
  )

/** The active one first, then the newest first. */
export const allCycles = async (knex: Knex): Promise<Cycle[]> => {
  const rows = await selectCycles(knex).orderByRaw('c.is_active desc, c.created_at desc, c.id desc')
  return rows.map(cycleFromRow)
}

export const findCycle = async (
  knex: Knex,
  which: { id: number } | { is_active: true },
): Promise<Cycle | null> => {
  const row = await selectCycles(knex).where(which).first()
  return row ? cycleFromRow(row) : null
}

/** The active cycle and the cutoff, for every checkout (one prepared query). */
export const orderingCalendar = async (pool: Reader): Promise<{ cycle: Cycle | null; cutoff: Cutoff }> => {
  const { rows } = await pool.query<CycleRow & { cutoff_hour: number; cutoff_minute: number }>({
    name: 'cycles-ordering-calendar',
    text: `select s.cutoff_hour, s.cutoff_minute, c.id, c.start_date::text as start_date, c.cycle_length,
             c.is_active, c.created_at, ${blockedDays}
           from cycles.settings s left join cycles.order_cycles c on c.is_active`,
  })
  const row = rows[0]!
  const cycle = row.is_active ? cycleFromRow(row) : null
  return { cycle, cutoff: { hour: row.cutoff_hour, minute: row.cutoff_minute } }
}

/** The cycles of these ids that are there, in no order. */
export const findCycles = async (knex: Knex, ids: readonly number[]): Promise<Cycle[]> =>
  ids.length === 0 ? [] : (await selectCycles(knex).whereIn('c.id', [...ids])).map(cycleFromRow)

/** Stores an active cycle and answers its id; throws a unique violation while another is active. */
export const insertActiveCycle = (knex: Knex, plan: CyclePlan, createdAt: Date): Promise<number> =>
  knex.transaction(async (transaction) => {
    const [row] = await transaction('cycles.order_cycles')
      .insert({
        start_date: plan.startDate,
        cycle_length: plan.cycleLength,
        is_active: true,
        created_at: createdAt,
      })
      .returning('id')
    const id: number = row.id
    if (plan.blockedDays.length > 0)
      await transaction('cycles.blocked_days').insert(
        plan.blockedDays.map(({ week, day }) => ({ cycle_id: id, week, day })),
      )
    return id
  })

/** True when there is such a cycle; throws a unique violation where a second one would become active. */
export const setCycleActive = async (knex: Knex, id: number, isActive: boolean): Promise<boolean> =>
  (await knex('cycles.order_cycles').where({ id }).update({ is_active: isActive })) > 0

/** What Postgres says when a second cycle would become active. */
export const isSecondActive = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'order_cycles_one_active'
