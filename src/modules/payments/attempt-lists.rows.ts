import type { Pool } from 'pg'
import type { QueryOf } from '#contracts/endpoint'
import type { liveOrders } from '#contracts/payments-console'
import { ngweeFromDecimal } from '#kernel/money'
import { listedAfterMs } from './attempt-labels'
import { attemptColumns } from './attempts.rows'
import type { AttemptRow } from './attempts.view'

export const pageSize = 50

type Filters = QueryOf<typeof liveOrders>
type Finding = { total: number; rows: AttemptRow[] }

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

/**
 * Attempts of every kind, the newest first, 50 a page (from 1): text contains without regard to case, an amount in any
 * decimal form, a week, a day by number or name, part of the time as the school's clock shows it. `userIds` are the
 * users whom the parent filter means, null without one.
 */
export const liveAttempts = async (
  pool: Pool,
  filters: Filters,
  { userIds, zone }: { userIds: readonly number[] | null; zone: string },
): Promise<Finding> => {
  const values: unknown[] = []
  const given = (value: unknown) => `$${values.push(value)}`
  const conditions: string[] = []
  const contains = (what: string, text: string | undefined) => {
    if (text?.trim()) conditions.push(`position(lower(${given(text.trim())}) in lower(${what})) > 0`)
  }
  contains('a.live_status', filters.status)
  contains('a.students', filters.student)
  contains('a.items', filters.items)
  contains("coalesce(a.token, '')", filters.transactionId)
  if (filters.time?.trim()) contains(shownTime(given(zone)), filters.time)
  if (userIds) conditions.push(`a.user_id = any(${given(userIds)}::int[])`)
  if (filters.amount?.trim()) conditions.push(`a.total = ${given(amountOf(filters.amount.trim()))}::int`)
  if (filters.week?.trim()) conditions.push(`${given(wholeNumber(filters.week.trim()))}::int = any(a.weeks)`)
  if (filters.day?.trim()) conditions.push(`${given(dayNumber(filters.day.trim()))}::int = any(a.days)`)
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
  const offset = (Math.max(1, filters.page ?? 1) - 1) * pageSize
  const { rows } = await pool.query<AttemptRow & { count: number; id: string | null }>(
    `with matching as (select a.id, a.started_at from payments.attempts a ${where}),
          counted as (select count(*)::int as count from matching),
          page as (select id from matching order by started_at desc, id desc
                   limit ${pageSize} offset ${given(offset)})
     select counted.count, found.* from counted
     left join (select ${attemptColumns} from payments.attempts where id in (select id from page)) found on true
     order by found.started_at desc, found.id desc`,
    values,
  )
  return { total: rows[0]?.count ?? 0, rows: rows.filter(({ id }) => id !== null) }
}

/** Card payments that need a person or have needed one, the newest first, at most 500. */
export const attemptsToRecover = async (
  pool: Pool,
  status: string | undefined,
  now: Date,
): Promise<AttemptRow[]> => {
  const { rows } = await pool.query<AttemptRow>(
    `select ${attemptColumns} from payments.attempts
     where kind = 'card' and recovery_status is not null
       and since_at <= $1::timestamptz
         - case status when 'processing' then $2::int when 'paid' then $3::int else 0 end * interval '1 ms'
       and ($4::text is null or position(lower($4) in lower(recovery_status)) > 0)
     order by started_at desc, id desc limit 500`,
    [now, listedAfterMs.processing, listedAfterMs.paid, status?.trim() || null],
  )
  return rows
}
