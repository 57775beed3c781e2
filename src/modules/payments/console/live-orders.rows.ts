import type { Pool } from 'pg'
import type { QueryOf } from '#contracts/endpoint'
import type { liveOrders, LiveSort } from '#contracts/payments-console'
import type { Direction } from '#contracts/sorting'
import { ngweeFromDecimal } from '#kernel/money'
import type { ListedAttempt } from '../attempt/attempts.view'

type Filters = QueryOf<typeof liveOrders>

/** `userIds` are the users whom the parent filter means, null without one. */
export type LiveWanted = { filters: Filters; userIds: readonly number[] | null; zone: string }
export type LivePage = { direction: Direction; offset: number; limit: number }

// Long carts name many: the beginning decides.
const keys: Record<Exclude<LiveSort, 'parent'>, (table: string) => string> = {
  time: (table) => `${table}.started_at`,
  student: (table) => `lower(left(${table}.students, 100))`,
  items: (table) => `lower(left(${table}.items, 100))`,
  amount: (table) => `${table}.total`,
  status: (table) => `${table}.live_status`,
  transactionId: (table) => `coalesce(${table}.token, '')`,
}

/**
 * One page of the attempts that match, equal ones in the order they were begun, and how many there are. Text contains
 * without regard to case, an amount in any decimal form, a week, a day by number or name, part of the time as the
 * school's clock shows it.
 */
export const liveAttempts = async (
  pool: Pool,
  wanted: LiveWanted,
  { sort, direction, offset, limit }: LivePage & { sort: Exclude<LiveSort, 'parent'> },
): Promise<{ rows: ListedAttempt[]; total: number }> => {
  const { where, values, given } = conditions(wanted)
  const inOrder = (table: string) =>
    `order by ${[keys[sort](table), `${table}.started_at`, `${table}.id`].map((key) => `${key} ${direction}`).join(', ')}`
  // Filters are tried once on every attempt; without any an index knows the newest page.
  const [found, from, counted] = where
    ? [
        `found as materialized (select ${narrow} from payments.attempts a ${where}),`,
        'found',
        'select count(*)::int as count from found',
      ]
    : ['', 'payments.attempts', 'select count(*)::int as count from payments.attempts']
  const { rows } = await pool.query<ListedAttempt & { count: number; id: string | null }>(
    `with ${found} counted as (${counted}),
       page as (select a.id from ${from} a ${inOrder('a')} offset ${given(offset)} limit ${given(limit)})
     select counted.count, shown.id, shown.user_id, shown.attempt from counted
     left join (select attempts.* from payments.attempts join page using (id)) shown on true
     ${inOrder('shown')}`,
    values,
  )
  const shown = rows.flatMap(({ id, user_id, attempt }) => (id === null ? [] : [{ user_id, attempt }]))
  return { total: rows[0]?.count ?? 0, rows: shown }
}

const narrow = `a.id, a.started_at, a.total, a.live_status, left(a.students, 100) as students,
  left(a.items, 100) as items, a.token`

/** The attempts of these users that match, in the order of the users, from `offset` on. */
export const liveAttemptsOf = async (
  pool: Pool,
  wanted: LiveWanted,
  users: readonly number[],
  { direction, offset, limit }: LivePage,
): Promise<ListedAttempt[]> => {
  const { where, values, given } = conditions({ ...wanted, userIds: users })
  const { rows } = await pool.query<ListedAttempt>(
    `select a.user_id, a.attempt from payments.attempts a ${where}
     order by array_position(${given(users)}::int[], a.user_id), a.started_at ${direction}, a.id ${direction}
     offset ${given(offset)} limit ${given(limit)}`,
    values,
  )
  return rows
}

/** How many attempts that match each user has. */
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
