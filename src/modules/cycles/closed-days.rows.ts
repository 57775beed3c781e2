import type { Knex } from 'knex'
import { v7 } from 'uuid'
import { closureFor, isForEverybody, classKey } from '#contracts/cycles'
import type { Grade } from '#contracts/identity'
import { userIdOf } from '#kernel/event'
import type { Remedy } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import type { Reader } from '#platform/database'
import type { By } from '#platform/event-store/command-handler'

/** Whose lunch a closure stops; everybody's when both are empty. */
export type Whom = { grades: readonly Grade[]; classes: readonly string[] }

/** `reason` is null where the day was blocked when its cycle was made. */
export type ClosedDay = Whom & { date: SchoolDate; reason: string | null }

/** What stands, oldest first, as a query to extend; `c` is free for a cycle. */
export const closedDays = `select d.date::text as date, k.grades, k.classes,
    case when not k.planned then k.reason end as reason
  from closures.dates d join closures.closures k on k.id = d.closure_id
  where d.is_closed`

export const standingClosures = (pool: Reader) => async (): Promise<ClosedDay[]> => {
  const { rows } = await pool.query<ClosedDay>({
    name: 'closures-standing',
    text: `${closedDays} order by k.closed_at, k.id`,
  })
  return rows
}

/** Dates without lunch for everybody. */
export const wholeDates = (closures: readonly ClosedDay[]): Set<SchoolDate> =>
  new Set(closures.filter(isForEverybody).map(({ date }) => date))

export const selectClosedDates = `select date::text from closures.dates where is_closed and whom = ''`

/** Dates without lunch for everybody, at present. */
export const closedDates = (pool: Reader) => async (): Promise<Set<SchoolDate>> => {
  const { rows } = await pool.query<{ date: SchoolDate }>({
    name: 'closures-closed-dates',
    text: selectClosedDates,
  })
  return new Set(rows.map(({ date }) => date))
}

type Child = { grade: string; class?: string | undefined }
type StoppedBy = (date: SchoolDate, child: Child) => { id: string; remedy: Remedy; by: number } | undefined

/** Which closure stops a child's lunch of a date, or did at some time since then, and who made it. Planned closures are left out. */
export const closedSince =
  (pool: Reader) =>
  async (dates: readonly SchoolDate[], since: Date): Promise<StoppedBy> => {
    const { rows } = await pool.query<
      Whom & { date: SchoolDate; id: string; remedy: Remedy; closedBy: string }
    >({
      name: 'closures-closed-since',
      text: `select d.date::text as date, c.id, c.remedy, c.grades, c.classes, c.closed_by as "closedBy"
             from closures.dates d join closures.closures c on c.id = d.closure_id
             where d.date = any($1::date[]) and not c.planned and (c.undone_at is null or c.undone_at > $2)
             order by c.closed_at desc`,
      values: [dates, since],
    })
    return (date, child) => {
      const found = closureFor(rows, date, child)
      return found && { id: found.id, remedy: found.remedy, by: userIdOf(found.closedBy)! }
    }
  }

type Stamp = By & { at: Date }

const plannedReason = 'Blocked when the cycle was made'

type NewClosure = Whom & {
  id: string
  cycleId: number
  dates: readonly SchoolDate[]
  reason: string
  remedy: Remedy
  planned: boolean
  requestKey?: string | null
  request?: string
}

const everybody: Whom = { grades: [], classes: [] }

/** The same for the same children, in whatever order they are named; empty for everybody. */
const whomText = ({ grades, classes }: Whom): string =>
  isForEverybody({ grades, classes })
    ? ''
    : JSON.stringify([grades.toSorted(), classes.map(classKey).toSorted()])

/** Throws a unique violation for a date already closed for the same children. */
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
    grades: [...closure.grades],
    classes: [...closure.classes],
    planned: closure.planned,
    closed_at: at,
    closed_by: actor,
    request_key: closure.requestKey ?? null,
    request: closure.request ?? null,
  })
  await transaction('closures.dates').insert(
    closure.dates.map((date) => ({ closure_id: id, date, is_closed: true, whom: whomText(closure) })),
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
    .whereRaw(`is_closed and whom = '' and date = any(?::date[])`, [[...dates]])
    .pluck('date')
  for (const date of dates.filter((one) => !closed.includes(one)))
    await insertClosure(
      transaction,
      {
        ...everybody,
        id: v7(),
        cycleId,
        dates: [date],
        reason: plannedReason,
        remedy: 'refund',
        planned: true,
      },
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
