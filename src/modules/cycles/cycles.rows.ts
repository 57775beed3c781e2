import type { Knex } from 'knex'
import type { Direction } from '#contracts/endpoint'
import type { CutoffOf, SchoolDate } from '#kernel/school-time'
import type { Reader } from '#platform/database'
import {
  blockedDates,
  cutoffRule,
  withClosedDates,
  type Cutoff,
  type Cycle,
  type CyclePlan,
} from './calendar.decide'
import { closedDays, selectClosedDates, type ClosedDay } from './closed-days.rows'

type CycleRow = {
  id: number
  start_date: string
  cycle_length: number
  is_active: boolean
  created_at: Date
  blocked_days: Cycle['blockedDays']
}

const cycleFromRow = (row: CycleRow): Cycle => ({
  id: row.id,
  startDate: row.start_date,
  cycleLength: row.cycle_length,
  isActive: row.is_active,
  createdAt: row.created_at,
  blockedDays: row.blocked_days,
})

const selectBlockedDays = `(
  select coalesce(json_agg(json_build_object('week', b.week, 'day', b.day) order by b.week, b.day), '[]')
  from cycles.blocked_days b where b.cycle_id = c.id
) as blocked_days`

const selectCycles = (knex: Knex) =>
  knex('cycles.order_cycles as c').select(
    'c.id',
    knex.raw('c.start_date::text as start_date'),
    'c.cycle_length',
    'c.is_active',
    'c.created_at',
    knex.raw(selectBlockedDays),
  )

export const allCycles = (knex: Knex) => async (): Promise<Cycle[]> => {
  const rows = await selectCycles(knex).orderByRaw('c.is_active desc, c.created_at desc, c.id desc')
  return rows.map(cycleFromRow)
}

export const cyclesByIds =
  (knex: Knex) =>
  async (ids: readonly number[]): Promise<Map<number, Cycle>> => {
    const rows: CycleRow[] = await selectCycles(knex).whereIn('c.id', [...ids])
    return new Map(rows.map((row) => [row.id, cycleFromRow(row)]))
  }

type CutoffRow = {
  cutoff_hour: number
  cutoff_minute: number
  cutoff_days_before: number
  cutoff_school_days_only: boolean
}

const cutoffFromRow = (row: CutoffRow): Cutoff => ({
  hour: row.cutoff_hour,
  minute: row.cutoff_minute,
  daysBefore: row.cutoff_days_before,
  schoolDaysOnly: row.cutoff_school_days_only,
})

type CalendarRow = CycleRow & CutoffRow & { closed: SchoolDate[]; closures: ClosedDay[] }

/** For decisions: days closed for everybody are blocked days of the cycle; `closures` are all of its dates and later. */
export type OrderingCalendar = { cycle: Cycle | null; cutoffOf: CutoffOf; closures: ClosedDay[] }

/** Prepared: every checkout asks it. */
export const orderingCalendar = (pool: Reader, zone: string) => async (): Promise<OrderingCalendar> => {
  const { rows } = await pool.query<CalendarRow>({
    name: 'cycles-ordering-calendar',
    text: `select s.*, c.id, c.start_date::text as start_date, c.cycle_length, c.is_active, c.created_at,
             ${selectBlockedDays}, array(${selectClosedDates}) as closed,
             (select coalesce(json_agg(closed), '[]')
              from (${closedDays} and d.date >= c.start_date) closed) as closures
           from cycles.settings s left join cycles.order_cycles c on c.is_active`,
  })
  const row = rows[0]!
  const closed = new Set(row.closed)
  const cycle = row.is_active ? withClosedDates(cycleFromRow(row), closed) : null
  const cutoffOf = cutoffRule(cutoffFromRow(row), withoutSchool(cycle, closed), zone)
  return { cycle, cutoffOf, closures: row.closures }
}

/** A day blocked in the active cycle is closed even where no closure names it. */
export const withoutSchool = (
  active: CyclePlan | null | undefined,
  closed: ReadonlySet<SchoolDate>,
): ReadonlySet<SchoolDate> => (active ? new Set([...closed, ...blockedDates(active)]) : closed)

const settings = (knex: Knex) => knex<CutoffRow>('cycles.settings')

export const readCutoff = async (knex: Knex): Promise<Cutoff> =>
  cutoffFromRow((await settings(knex).first())!)

export const lockCutoff = async (transaction: Knex.Transaction): Promise<Cutoff> =>
  cutoffFromRow((await settings(transaction).forUpdate().first())!)

export const writeCutoff = async (
  transaction: Knex.Transaction,
  { hour, minute, daysBefore, schoolDaysOnly }: Cutoff,
): Promise<void> => {
  await settings(transaction).update({
    cutoff_hour: hour,
    cutoff_minute: minute,
    cutoff_days_before: daysBefore,
    cutoff_school_days_only: schoolDaysOnly,
  })
}

/** Throws a unique violation while another is active. */
export const insertActiveCycle = async (
  transaction: Knex.Transaction,
  plan: CyclePlan,
  createdAt: Date,
): Promise<number> => {
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
}

/** Answers the old cycle, undefined for none; throws a unique violation for a second active one. */
export const setCycleActive = async (
  transaction: Knex.Transaction,
  id: number,
  isActive: boolean,
): Promise<{ isActive: boolean; startDate: string } | undefined> => {
  const cycles = () => transaction('cycles.order_cycles').where({ id })
  const before = await cycles()
    .forUpdate()
    .first('is_active as isActive', transaction.raw('start_date::text as "startDate"'))
  if (before) await cycles().update({ is_active: isActive })
  return before
}

export const removeBlockedDates = async (
  transaction: Knex.Transaction,
  dates: readonly SchoolDate[],
): Promise<void> => {
  await transaction.raw(
    `delete from cycles.blocked_days b using cycles.order_cycles c
     where c.id = b.cycle_id and c.start_date + 7 * (b.week - 1) + b.day - 1 = any(?::date[])`,
    [[...dates]],
  )
}

export const isSecondActive = (error: unknown): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === 'order_cycles_one_active'

type CycleFilters = { year?: number | undefined; cycleLength?: number | undefined }

const columns = { created: 'c.created_at', start: 'c.start_date', length: 'c.cycle_length' } as const

type OwnSort = keyof typeof columns

const narrowed = (query: Knex.QueryBuilder, { year, cycleLength }: CycleFilters): Knex.QueryBuilder => {
  if (year !== undefined) query.whereRaw('extract(year from c.start_date) = ?', [year])
  if (cycleLength !== undefined) query.where('c.cycle_length', cycleLength)
  return query
}

export const cyclesPage = async (
  knex: Knex,
  filters: CycleFilters,
  page: { sort: OwnSort; direction: Direction; offset: number; limit: number },
): Promise<Cycle[]> => {
  const rows = await narrowed(selectCycles(knex), filters)
    .orderBy([
      { column: columns[page.sort], order: page.direction },
      { column: 'c.id', order: page.direction },
    ])
    .offset(page.offset)
    .limit(page.limit)
  return rows.map(cycleFromRow)
}

export const cycleIds = async (knex: Knex, filters: CycleFilters): Promise<number[]> =>
  (await narrowed(knex('cycles.order_cycles as c').select('c.id').orderBy('c.id'), filters)).map(
    ({ id }: { id: number }) => id,
  )
