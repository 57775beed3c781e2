import type { Knex } from 'knex'
import type { Pool } from 'pg'
import type { MealLine } from '#kernel/meal-line'
import type { SchoolDate } from '#kernel/school-time'
import type { Measure } from '#platform/module'
import type { Now } from '#platform/ports'
import type { AttemptState } from '../attempt/payment-attempt'

const attempts = (knex: Knex, ...states: AttemptState[]) =>
  knex('payments.attempts').whereIn('status', states).limit(50)

/** Their process died without a token. At most 50. */
export const forgottenDrafts = (knex: Knex, startedBefore: Date): Promise<string[]> =>
  attempts(knex, 'draft')
    .where({ kind: 'card' })
    .where('started_at', '<', startedBefore)
    .orderBy(['started_at', 'id'])
    .pluck('id')

export const paidNotFulfilled = (knex: Knex, paidBefore: Date): Promise<string[]> =>
  attempts(knex, 'paid').where('since_at', '<', paidBefore).orderBy(['since_at', 'id']).pluck('id')

export const lostRecoveries = (knex: Knex, now: Date): Promise<string[]> =>
  attempts(knex, 'recovering').where('lease_until', '<=', now).orderBy('lease_until').pluck('id')

/** `failed` counts rejected acknowledgements. */
export type Unacknowledged = { id: string; since: Date; failed: number }

export const unacknowledged = (knex: Knex, paidBefore: Date, now: Date): Promise<Unacknowledged[]> =>
  attempts(knex, 'paid', 'fulfilled', 'blocked', 'refund_due', 'refunded')
    .leftJoin('payments.acknowledgements', 'attempt_id', 'id')
    .where({ acknowledged: false })
    .whereNotNull('token')
    .where('since_at', '<', paidBefore)
    .where((tried) => tried.whereNull('again_at').orWhere('again_at', '<=', now))
    .orderBy(['since_at', 'id'])
    .select('id', 'since_at as since', knex.raw('coalesce(failed, 0) as failed'))

export const noteRefusedAcknowledgement = async (
  knex: Knex,
  id: string,
  failed: number,
  again: Date,
): Promise<void> => {
  await knex('payments.acknowledgements')
    .insert({ attempt_id: id, failed, again_at: again })
    .onConflict('attempt_id')
    .merge()
}

export const forgetAcknowledgement = async (knex: Knex, id: string): Promise<void> => {
  await knex('payments.acknowledgements').where({ attempt_id: id }).delete()
}

// The first check has no row yet, so SQL computes its time.
export const dueChecks = async (pool: Pool, now: Date): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>(
    `select a.id
     from payments.attempts a left join payments.checks c on c.attempt_id = a.id
     where a.status in ('initiated', 'processing', 'declined', 'cancelled', 'expired', 'abandoned', 'review')
       and a.token is not null
       and case when c.attempt_id is null then a.issued_at + interval '60 seconds' else c.next_check_at end <= $1
     order by a.limit_at limit 50`,
    [now],
  )
  return rows.map(({ id }) => id)
}

export const noteCheck = async (knex: Knex, id: string, next: Date | null): Promise<void> => {
  await knex('payments.checks')
    .insert({ attempt_id: id, next_check_at: next })
    .onConflict('attempt_id')
    .merge()
}

const unresolved = `a.kind = 'card'
  and a.status in ('draft', 'initiated', 'processing', 'paid', 'blocked', 'recovering', 'review')`

/** payments.md section 8 rule 1. */
export const itemsInPayment = async (pool: Pool, itemIds: readonly number[]): Promise<Set<number>> => {
  const { rows } = await pool.query<{ id: number }>(
    `select distinct (line -> 'item' ->> 'id')::int as id
     from payments.attempts a, jsonb_array_elements(a.attempt -> 'checkout' -> 'lines') line
     where ${unresolved} and (line -> 'item' ->> 'id')::int = any($1::int[])`,
    [itemIds],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Lines being paid or waiting for orders (payments.md section 8 rule 14). */
export const mealsInPayment = async (pool: Pool, studentIds: readonly number[]): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count
     from payments.attempts a,
          jsonb_array_elements(a.attempt -> 'checkout' -> 'lines') with ordinality as lines (line, place)
     where ${unresolved} and (line -> 'slot' ->> 'studentId')::int = any($1::int[])
       and a.attempt -> 'outcomes' -> (place::int - 1) ->> 'kind' <> 'ordered'`,
    [studentIds],
  )
  return rows[0]?.count ?? 0
}

/** Payments that may still pay for meals of such children on these dates; a declined one by another card. */
export const cardPaymentsUnderWay = async (
  pool: Pool,
  dates: readonly SchoolDate[],
  isConcerned: (child: MealLine['student']) => boolean,
  now: Date,
): Promise<number> => {
  const { rows } = await pool.query<{ children: MealLine['student'][] }>(
    `select (select json_agg(line -> 'student') from jsonb_array_elements(a.attempt -> 'checkout' -> 'lines') line
         where line ->> 'mealDate' = any($1::text[])) as children
     from payments.attempts a
     where a.kind = 'card'
       and (a.status in ('draft', 'initiated', 'processing', 'paid', 'recovering', 'review')
         or (a.status = 'declined' and a.limit_at > $2))
       and exists (select from jsonb_array_elements(a.attempt -> 'checkout' -> 'lines') line
         where line ->> 'mealDate' = any($1::text[]))`,
    [dates, now],
  )
  return rows.filter(({ children }) => children.some(isConcerned)).length
}

const waiting = [
  'draft',
  'initiated',
  'processing',
  'paid',
  'recovering',
  'blocked',
  'review',
  'refund_due',
] as const

const countOf = async (found: Knex.QueryBuilder): Promise<number> => Number((await found.count())[0]?.count)

const countByState = async (knex: Knex): Promise<Record<string, number>> => {
  const rows = await knex('payments.attempts')
    .whereIn('status', waiting)
    .groupBy('status')
    .select('status')
    .count()
  const none = Object.fromEntries(waiting.map((status) => [status, 0]))
  return { ...none, ...Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)])) }
}

/** Waiting attempts by state, and those paid over five minutes ago without orders, which should be zero (payments.md section 8 rule 10). */
export const paymentMeasures = ({
  database: { knex },
  now,
}: {
  database: { knex: Knex }
  now: Now
}): Measure[] => [
  {
    name: 'tuckshop_attempts',
    help: 'Payment attempts that wait for a bank, the worker or a person, by state',
    label: 'state',
    values: () => countByState(knex),
  },
  {
    name: 'tuckshop_attempts_paid_without_orders',
    help: 'Payment attempts paid more than five minutes ago whose orders are not made',
    value: () =>
      countOf(
        knex('payments.attempts')
          .where({ status: 'paid' })
          .where('since_at', '<', new Date(now().getTime() - 5 * 60_000)),
      ),
  },
  {
    name: 'tuckshop_pushes_waiting',
    help: 'Pushes of the card provider that nobody has looked into yet',
    value: () => countOf(knex('payments.push_inbox').where({ state: 'waiting' })),
  },
]
