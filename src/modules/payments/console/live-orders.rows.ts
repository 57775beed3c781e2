import type { Knex } from 'knex'
import type { QueryOf, Direction } from '#contracts/endpoint'
import type { liveOrders, LiveSort } from '#contracts/payments-console'
import { ngweeFromSearch } from '#kernel/money'
import type { ListedAttempt } from '../attempt/attempts.view'
import { foldedSearch, foldedSql } from '#kernel/folded-name'
import { normalizedCodeSql } from '#platform/normalized-code'

export type LiveOrderQuery = {
  filters: QueryOf<typeof liveOrders>
  userIds: readonly number[] | null
  zone: string
}
export type LivePage = { direction: Direction; offset: number; limit: number }

// Long carts are compared by their beginning.
const sortKeys: Record<Exclude<LiveSort, 'parent'>, string> = {
  time: 'started_at',
  student: 'lower(left(students, 100))',
  items: 'lower(left(items, 100))',
  amount: 'total',
  status: 'live_status',
  transactionId: `coalesce(token, '')`,
}

/**
 * A page of matches, ties in start order, and the total. Text ignores case, names are folded, references ignore spaces and dashes; amounts,
 * weeks, days and times match in common forms.
 */
export const liveAttempts = async (
  knex: Knex,
  wanted: LiveOrderQuery,
  { sort, direction, offset, limit }: LivePage & { sort: Exclude<LiveSort, 'parent'> },
): Promise<{ rows: ListedAttempt[]; total: number }> => {
  const [rows, [counted]] = await Promise.all([
    matching(knex, wanted)
      .orderByRaw([sortKeys[sort], 'started_at', 'id'].map((key) => `${key} ${direction}`).join(', '))
      .offset(offset)
      .limit(limit)
      .select('user_id', 'attempt'),
    matching(knex, wanted).count({ total: '*' }),
  ])
  return { rows, total: Number(counted?.total) }
}

export const liveAttemptsOf = async (
  knex: Knex,
  wanted: LiveOrderQuery,
  users: readonly number[],
  { direction, offset, limit }: LivePage,
): Promise<ListedAttempt[]> =>
  matching(knex, { ...wanted, userIds: users })
    .orderByRaw('array_position(?::int[], user_id)', [[...users]])
    .orderBy([
      { column: 'started_at', order: direction },
      { column: 'id', order: direction },
    ])
    .offset(offset)
    .limit(limit)
    .select('user_id', 'attempt')

export const countAttemptsByUser = async (
  knex: Knex,
  wanted: LiveOrderQuery,
): Promise<{ userId: number; count: number }[]> => {
  const rows: { userId: number; count: string }[] = await matching(knex, wanted)
    .groupBy('user_id')
    .select({ userId: 'user_id', count: knex.raw('count(*)') })
  return rows.map(({ userId, count }) => ({ userId, count: Number(count) }))
}

const matching = (knex: Knex, { filters, userIds, zone }: LiveOrderQuery) => {
  const found = knex('payments.attempts')
  const contains = (what: string, asked: string | undefined, ...given: string[]) => {
    const text = asked?.trim()
    if (text) found.whereRaw(`position(lower(?) in lower(${what})) > 0`, [text, ...given])
  }
  const containsWritten = (what: string, asked: string | undefined) => {
    const signs = asked?.replaceAll(/[\s-]/g, '').toUpperCase() ?? ''
    if (/^[A-Z0-9]+$/.test(signs)) found.whereRaw(`position(? in ${normalizedCodeSql(what)}) > 0`, [signs])
    else contains(what, asked)
  }
  contains('live_status', filters.status)
  const student = filters.student?.trim()
  if (student) found.whereRaw(`position(? in ${foldedSql('students')}) > 0`, [foldedSearch(student)])
  contains('items', filters.items)
  containsWritten(`concat_ws(' ', token, reference)`, filters.transactionId)
  contains(shownTime, filters.time, ...shownForms.map(() => zone))
  if (userIds) found.whereIn('user_id', userIds)
  if (filters.amount?.trim()) found.whereRaw('total = ?::int', [ngweeFromSearch(filters.amount)])
  if (filters.week?.trim()) found.whereRaw('?::int = any(weeks)', [wholeNumber(filters.week.trim())])
  if (filters.day?.trim()) found.whereRaw('?::int = any(days)', [dayNumber(filters.day.trim())])
  return found
}

const dayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']

const dayNumber = (text: string): number | null => {
  const name = dayNames.findIndex((day) => day.startsWith(text.toLowerCase()) && text.length >= 3)
  return name >= 0 ? name + 1 : wholeNumber(text)
}
const wholeNumber = (text: string): number | null => (/^\d{1,2}$/.test(text) ? Number(text) : null)

// Time formats of the table, in the school's zone.
const shownForms = [
  'YYYY-MM-DD HH24:MI',
  'DD/MM/YYYY HH24:MI',
  'FMDD Mon YYYY HH24:MI',
  'FMDD Mon YYYY, HH24:MI',
]
const shownTime = shownForms
  .map((form) => `to_char(started_at at time zone ?, '${form}')`)
  .join(" || ' | ' || ")
