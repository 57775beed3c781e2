import type { Pool } from 'pg'

const idsOf = async (pool: Pool, text: string, values: unknown[]): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>(text, values)
  return rows.map(({ id }) => id)
}

/** Card payments that never got a token: their process died. At most 50, like all of these. */
export const forgottenDrafts = (pool: Pool, startedBefore: Date) =>
  idsOf(
    pool,
    `select id from payments.attempts where status = 'draft' and kind = 'card' and started_at < $1
     order by started_at, id limit 50`,
    [startedBefore],
  )

/** Paid, and their orders still not made. */
export const paidNotFulfilled = (pool: Pool, paidBefore: Date) =>
  idsOf(
    pool,
    `select id from payments.attempts where status = 'paid' and since_at < $1 order by since_at, id limit 50`,
    [paidBefore],
  )

/** Recoveries whose process has not come back in time. */
export const lostRecoveries = (pool: Pool, now: Date) =>
  idsOf(
    pool,
    `select id from payments.attempts where status = 'recovering' and lease_until <= $1
     order by lease_until limit 50`,
    [now],
  )

/** Paid, and the provider was not told that we know. */
export const unacknowledged = (pool: Pool, paidBefore: Date) =>
  idsOf(
    pool,
    `select id from payments.attempts
     where not acknowledged and token is not null and since_at < $1
       and status in ('paid', 'fulfilled', 'blocked', 'refund_due', 'refunded')
     order by since_at, id limit 50`,
    [paidBefore],
  )

export type DueCheck = { id: string; issuedAt: Date; limitAt: Date }

/** Attempts about which the provider is to be asked again by the schedule. */
export const dueChecks = async (pool: Pool, now: Date): Promise<DueCheck[]> => {
  const { rows } = await pool.query<DueCheck>(
    `select a.id, a.issued_at as "issuedAt", a.limit_at as "limitAt"
     from payments.attempts a left join payments.checks c on c.attempt_id = a.id
     where a.status in ('initiated', 'processing', 'declined', 'cancelled', 'expired', 'abandoned', 'review')
       and a.token is not null
       and case when c.attempt_id is null then a.issued_at + interval '60 seconds' else c.next_check_at end <= $1
     order by a.limit_at limit 50`,
    [now],
  )
  return rows
}

/** Writes down that an attempt was looked at, and when it is to be looked at next (null: no more). */
export const noteCheck = async (pool: Pool, id: string, next: Date | null): Promise<void> => {
  await pool.query(
    `insert into payments.checks (attempt_id, next_check_at) values ($1, $2)
     on conflict (attempt_id) do update set next_check_at = $2`,
    [id, next],
  )
}

// Somebody may still pay for it, or has paid for it and waits.
const unresolved = `a.kind = 'card'
  and a.status in ('draft', 'initiated', 'processing', 'paid', 'blocked', 'recovering', 'review')`

/** Those of these menu items that a payment still needs (payments.md section 8 rule 1). */
export const itemsInPayment = async (pool: Pool, itemIds: readonly number[]): Promise<Set<number>> => {
  const { rows } = await pool.query<{ id: number }>(
    `select distinct (line -> 'item' ->> 'id')::int as id
     from payments.attempts a, jsonb_array_elements(a.attempt -> 'checkout' -> 'lines') line
     where ${unresolved} and (line -> 'item' ->> 'id')::int = any($1::int[])`,
    [itemIds],
  )
  return new Set(rows.map(({ id }) => id))
}

/** How many meals of these students are still being paid for, or wait to be ordered (rule 14). */
export const mealsInPayment = async (pool: Pool, studentIds: readonly number[]): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count
     from payments.attempts a,
          jsonb_array_elements(a.attempt -> 'checkout' -> 'lines') with ordinality as lines (line, place)
     where ${unresolved} and (line -> 'slot' ->> 'studentId')::int = any($1::int[])
       and a.attempt -> 'fates' -> (place::int - 1) ->> 'kind' <> 'ordered'`,
    [studentIds],
  )
  return rows[0]?.count ?? 0
}
