import type { Pool } from 'pg'
import type { QueryOf } from '#contracts/endpoint'
import type { liveOrders, LiveSort } from '#contracts/payments-console'
import type { Direction } from '#contracts/sorting'
import { ngweeFromDecimal } from '#kernel/money'
import { attemptColumns } from './attempts.rows'
import type { AttemptRow } from './attempts.view'

type Filters = QueryOf<typeof liveOrders>

/** `userIds` are the users whom the parent filter means, null without one. */
export type LiveWanted = { filters: Filters; userIds: readonly number[] | null; zone: string }
export type LivePage = { direction: Direction; offset: number; limit: number }

// Long carts name many: as much as an index may hold decides.
const columns: Record<Exclude<LiveSort, 'parent'>, string> = {
  time: 'a.started_at',
  student: 'lower(left(a.students, 100))',
  items: 'lower(left(a.items, 100))',
  amount: 'a.total',
  status: 'a.live_status',
  transactionId: "coalesce(a.token, '')",
}

/**
 * One page of the attempts that match, equal ones in the order they were begun. Text contains without regard to case, an
 * amount in any decimal form, a week, a day by number or name, part of the time as the school's clock shows it.
 */
export const liveAttempts = async (
  pool: Pool,
  wanted: LiveWanted,
  { sort, direction, offset, limit }: LivePage & { sort: Exclude<LiveSort, 'parent'> },
): Promise<AttemptRow[]> => {
  const { where, values, given } = conditions(wanted)
  const order = `order by ${columns[sort]} ${direction}, a.started_at ${direction}, a.id ${direction}`
  const { rows } = await pool.query<AttemptRow>(
    `with page as (select a.id from payments.attempts a ${where} ${order}
                   offset ${given(offset)} limit ${given(limit)})
     select ${attemptColumns} from payments.attempts a join page using (id) ${order}`,
    values,
  )
  return rows
}

/** The attempts of these users that match, in the order of the users, from `offset` on. */
export const liveAttemptsOf = async (
  pool: Pool,
  wanted: LiveWanted,
  users: readonly number[],
  { direction, offset, limit }: LivePage,
): Promise<AttemptRow[]> => {
  const { where, values, given } = conditions({ ...wanted, userIds: users })
  const { rows } = await pool.query<AttemptRow>(
    `select ${attemptColumns} from payments.attempts a ${where}
     order by array_position(${given(users)}::int[], a.user_id), a.started_at ${direction}, a.id ${direction}
     offset ${given(offset)} limit ${given(limit)}`,
    values,
  )
  return rows
}

/** How many attempts match. */
export const countAttempts = async (pool: Pool, wanted: LiveWanted): Promise<number> => {
  const { where, values } = conditions(wanted)
  const { rows } = await pool.query<{ total: number }>(
    `select count(*)::int as total from payments.attempts a ${where}`,
    values,
  )
  return rows[0]!.total
}

/** How many of them each user has. */
export const countAttemptsByUser = async (
  pool: Pool,
  wanted: LiveWanted,
): Promise<{ userId: number; count: number }[]> => {
  const { where, values } = conditions(wanted)
  const { rows } = await pool.query<{ userId: number; count: number }>(
    `select a.user_id as "userId", count(*)::int as count from payments.attempts a ${where} group by a.user_id`,
    values,
  )
  return rows
}

const conditions = ({ filters, userIds, zone }: LiveWanted) => {
  const values: unknown[] = []
  const given = (value: unknown) => `$${values.push(value)}`
  const found: string[] = []
  const contains = (what: string, text: string | undefined) => {
    if (text?.trim()) found.push(`position(lower(${given(text.trim())}) in lower(${what})) > 0`)
  }
  contains('a.live_status', filters.status)
  contains('a.students', filters.student)
  contains('a.items', filters.items)
  contains("coalesce(a.token, '')", filters.transactionId)
  if (filters.time?.trim()) contains(shownTime(given(zone)), filters.time)
  if (userIds) found.push(`a.user_id = any(${given(userIds)}::int[])`)
  if (filters.amount?.trim()) found.push(`a.total = ${given(amountOf(filters.amount.trim()))}::int`)
  if (filters.week?.trim()) found.push(`${given(wholeNumber(filters.week.trim()))}::int = any(a.weeks)`)
  if (filters.day?.trim()) found.push(`${given(dayNumber(filters.day.trim()))}::int = any(a.days)`)
  return { where: found.length > 0 ? `where ${found.join(' and ')}` : '', values, given }
}

const dayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']

/** Week or day as a number; null for what names none, which no attempt has. */
const dayNumber = (text: string): number | null => {
  const name = dayNames.findIndex((day) => day.startsWith(text.toLowerCase()) && text.length >= 3)
  return name >= 0 ? name + 1 : wholeNumber(text)
}
const wholeNumber = (text: string): number | null => (/^\d{1,2}$/.test(text) ? Number(text) : null)

const amountOf = (text: string): number | null =>
  ngweeFromDecimal(text.replace(/^(zmw|k)\s*/i, '').replaceAll(/[\s,]/g, ''))

// The forms in which people write the time that the table shows.
const shownTime = (zone: string) => {
  const local = `(a.started_at at time zone ${zone})`
  const forms = [
    'YYYY-MM-DD HH24:MI',
    'DD/MM/YYYY HH24:MI',
    'FMDD Mon YYYY HH24:MI',
    'FMDD Mon YYYY, HH24:MI',
  ]
  return forms.map((form) => `to_char(${local}, '${form}')`).join(" || ' | ' || ")
}
