import type { Pool } from 'pg'
import type { Now } from '#platform/clock'
import type { Measure } from '#platform/module'

/** The states in which an attempt waits for somebody: a bank, the worker or a person. */
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

const countOf = async (pool: Pool, text: string, values: unknown[] = []): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(text, values)
  return rows[0]?.count ?? 0
}

// In the words of the index over exactly these states.
const attemptsByState = `select status, count(*)::int as count from payments.attempts
  where status in (${waiting.map((status) => `'${status}'`).join(', ')}) group by status`

const countByState = async (pool: Pool): Promise<Record<string, number>> => {
  const { rows } = await pool.query<{ status: string; count: number }>(attemptsByState)
  const none = Object.fromEntries(waiting.map((status) => [status, 0]))
  return { ...none, ...Object.fromEntries(rows.map(({ status, count }) => [status, count])) }
}

/**
 * How many attempts stand in each state that waits, and how many were paid more than five minutes ago without their
 * orders: that one is to be nought, and an alarm when it is not (payments.md section 8 rule 10).
 */
export const paymentMeasures = ({
  database: { pool },
  now,
}: {
  database: { pool: Pool }
  now: Now
}): Measure[] => [
  {
    name: 'tuckshop_attempts',
    help: 'Payment attempts that wait for a bank, the worker or a person, by state',
    label: 'state',
    values: () => countByState(pool),
  },
  {
    name: 'tuckshop_attempts_paid_without_orders',
    help: 'Payment attempts paid more than five minutes ago whose orders are not made',
    value: () =>
      countOf(
        pool,
        `select count(*)::int as count from payments.attempts where status = 'paid' and since_at < $1`,
        [new Date(now().getTime() - 5 * 60_000)],
      ),
  },
  {
    name: 'tuckshop_pushes_waiting',
    help: 'Pushes of the card provider that nobody has looked into yet',
    value: () =>
      countOf(pool, `select count(*)::int as count from payments.push_inbox where state = 'waiting'`),
  },
]
