import type { Knex } from 'knex'
import type { Remedy } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import type { Whom } from '#modules/cycles/index'
import { mayHold, withoutWords, type FamilyWords } from '#platform/names-in-texts'

/** `planned`: blocked when its cycle was made; cancels nothing and ends with the cycle. */
export type Closure = Whom & {
  id: string
  cycleId: number
  dates: SchoolDate[]
  reason: string
  remedy: Remedy
  planned: boolean
  closedAt: Date
  closedBy: string
  undoneAt: Date | null
  undoneBy: string | null
}

/** At work while `done` is less than `total`. */
export type ClosureNow = Closure & {
  done: number
  total: number
  cancelled: number
  unpaidCancelled: number
  families: number[]
  restored: number
  familiesBack: number[]
}

export type LeftOrder = { orderId: string; code: string; message: string }

/** Until the last day has passed. */
export const canUndo = (
  { undoneAt, dates }: Pick<Closure, 'undoneAt' | 'dates'>,
  today: SchoolDate,
): boolean => undoneAt === null && dates.some((date) => date >= today)

/** Unique violation: a date closed twice or a request repeated. */
export const isClosedAlready = (error: unknown): boolean => violates(error, 'dates_closed_once')
export const isMadeAlready = (error: unknown): boolean => violates(error, 'closures_request_key_unique')

const violates = (error: unknown, constraint: string): boolean =>
  error instanceof Error && 'constraint' in error && error.constraint === constraint

export const dropUncancelled = async (
  transaction: Knex.Transaction,
  ids: readonly string[],
): Promise<void> => {
  await transaction('closures.orders')
    .whereIn('closure_id', ids)
    .whereIn('closing', ['skipped', 'gone'])
    .update({ undoing: 'gone' })
}

const columns = `c.id, c.cycle_id as "cycleId", c.reason, c.remedy, c.grades, c.classes, c.planned, c.closed_at as "closedAt",
  c.closed_by as "closedBy", c.undone_at as "undoneAt", c.undone_by as "undoneBy",
  array(select d.date::text from closures.dates d where d.closure_id = c.id order by d.date) as dates`

export const lockedClosure = async (transaction: Knex.Transaction, id: string): Promise<Closure | null> => {
  const { rows } = await transaction.raw<{ rows: Closure[] }>(
    `select ${columns} from closures.closures c where c.id = ? for update`,
    [id],
  )
  return rows[0] ?? null
}

export const closureOfRequest = async (
  knex: Knex,
  requestKey: string,
): Promise<{ id: string; request: string } | null> =>
  (await knex('closures.closures').where({ request_key: requestKey }).first('id', 'request')) ?? null

// Counts one more while orders are not recorded.
const standing = `select ${columns}, counted.* from closures.closures c cross join lateral (
    select (count(*) + (not c.planned and not c.orders_noted and c.undone_at is null)::int)::int as total,
      count(*) filter (where case when c.undone_at is null then closing else undoing end is not null)::int as done,
      count(*) filter (where closing = 'cancelled')::int as cancelled,
      count(*) filter (where closing = 'cancelled' and not is_paid)::int as "unpaidCancelled",
      coalesce(array_agg(distinct user_id) filter (where closing = 'cancelled'), '{}') as families,
      count(*) filter (where undoing = 'restored')::int as restored,
      coalesce(array_agg(distinct user_id) filter (where undoing = 'restored'), '{}') as "familiesBack"
    from closures.orders o where o.closure_id = c.id
  ) counted`

export const closureNow = async (knex: Knex, id: string): Promise<ClosureNow | null> => {
  const { rows } = await knex.raw<{ rows: ClosureNow[] }>(`${standing} where c.id = ?`, [id])
  return rows[0] ?? null
}

export const allClosures = async (knex: Knex): Promise<ClosureNow[]> => {
  const { rows } = await knex.raw<{ rows: ClosureNow[] }>(`${standing} order by c.closed_at desc, c.id desc`)
  return rows
}

/** Those that stand, oldest first, each with one of these dates. */
export const closuresOfDates = async (
  knex: Knex,
  dates: readonly SchoolDate[],
): Promise<(Closure & { date: SchoolDate })[]> => {
  const { rows } = await knex.raw<{ rows: (Closure & { date: SchoolDate })[] }>(
    `select ${columns}, closed.date::text as date
     from closures.dates closed join closures.closures c on c.id = closed.closure_id
     where closed.is_closed and closed.date = any(?::date[]) order by c.closed_at, c.id`,
    [[...dates]],
  )
  return rows
}

/** Reasons are in no event, so that they can be forgotten. */
export const closureReasons = async (knex: Knex, ids: readonly string[]): Promise<Map<string, string>> => {
  const found = await knex('closures.closures')
    .whereRaw('id = any(?::uuid[])', [[...ids]])
    .select<{ id: string; reason: string }[]>('id', 'reason')
  return new Map(found.map(({ id, reason }) => [id, reason]))
}

export const forgetInClosures = async (knex: Knex, words: FamilyWords): Promise<void> => {
  const closures = knex('closures.closures')
  const found = (await mayHold(closures, 'reason', words).select('id', 'reason', 'request')) as {
    id: string
    reason: string
    request: string | null
  }[]
  for (const { id, reason: before, request } of found) {
    const reason = withoutWords(before, words)
    const told = request && JSON.stringify({ ...(JSON.parse(request) as object), reason })
    await knex('closures.closures').where({ id }).update({ reason, request: told })
  }
}
