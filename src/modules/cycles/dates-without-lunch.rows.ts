import type { Knex } from 'knex'
import { v7 } from 'uuid'
import { userIdOf } from '#kernel/event'
import type { Remedy } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import type { Reader } from '#platform/database'
import type { By } from '#platform/event-store/command-handler'

type Stamp = By & { at: Date }

const plannedReason = 'Blocked when the cycle was made'

/** Prepared: every checkout asks it. */
export const closedDates = (pool: Reader) => async (): Promise<Set<SchoolDate>> => {
  const { rows } = await pool.query<{ date: SchoolDate }>({
    name: 'closures-closed-dates',
    text: 'select date::text as date from closures.dates where is_closed',
  })
  return new Set(rows.map(({ date }) => date))
}

/** Dates closed now or at some time since then, with closure, remedy and who closed them. Planned closures are left out. */
export const closedSince =
  (pool: Reader) =>
  async (
    dates: readonly SchoolDate[],
    since: Date,
  ): Promise<Map<SchoolDate, { id: string; remedy: Remedy; by: number }>> => {
    const { rows } = await pool.query<{ date: SchoolDate; id: string; remedy: Remedy; closedBy: string }>({
      name: 'closures-closed-since',
      text: `select d.date::text as date, c.id, c.remedy, c.closed_by as "closedBy"
             from closures.dates d join closures.closures c on c.id = d.closure_id
             where d.date = any($1::date[]) and not c.planned and (c.undone_at is null or c.undone_at > $2)
             order by c.closed_at`,
      values: [dates, since],
    })
    return new Map(
      rows.map(({ date, closedBy, ...closure }) => [date, { ...closure, by: userIdOf(closedBy)! }]),
    )
  }

type NewClosure = {
  id: string
  cycleId: number
  dates: readonly SchoolDate[]
  reason: string
  remedy: Remedy
  planned: boolean
  requestKey?: string | null
  request?: string
}

/** Throws a unique violation for a date already closed. */
export const insertClosure = async (
  transaction: Knex.Transaction,
  closure: NewClosure,
  { at, actor }: Stamp,
): Promise<void> => {
  const { id } = closure
  await transaction('closures.closures').insert({
    id,
    cycle_id: closure.cycleId,
    reason: closure.reason,
    remedy: closure.remedy,
    planned: closure.planned,
    closed_at: at,
    closed_by: actor,
    request_key: closure.requestKey ?? null,
    request: closure.request ?? null,
  })
  await transaction('closures.dates').insert(
    closure.dates.map((date) => ({ closure_id: id, date, is_closed: true })),
  )
}

export const openDates = async (
  transaction: Knex.Transaction,
  ids: readonly string[],
  { at, actor }: Stamp,
): Promise<void> => {
  await transaction('closures.closures').whereIn('id', ids).update({ undone_at: at, undone_by: actor })
  await transaction('closures.dates').whereIn('closure_id', ids).update({ is_closed: false })
}

/** Planned days become one closure each; dates already closed stay. */
export const closePlanned = async (
  transaction: Knex.Transaction,
  { id: cycleId, dates }: { id: number; dates: readonly SchoolDate[] },
  stamp: Stamp,
): Promise<void> => {
  if (dates.length === 0) return
  const closed: SchoolDate[] = await transaction('closures.dates')
    .whereRaw('is_closed and date = any(?::date[])', [[...dates]])
    .pluck('date')
  for (const date of dates.filter((one) => !closed.includes(one)))
    await insertClosure(
      transaction,
      { id: v7(), cycleId, dates: [date], reason: plannedReason, remedy: 'refund', planned: true },
      stamp,
    )
}

export const endPlanned = async (
  transaction: Knex.Transaction,
  cycleId: number,
  stamp: Stamp,
): Promise<void> => {
  const ids: string[] = await transaction('closures.closures')
    .where({ cycle_id: cycleId, planned: true, undone_at: null })
    .pluck('id')
  await openDates(transaction, ids, stamp)
}
