import type { Pool } from 'pg'
import type { Now } from '#platform/clock'
import type { Measure } from '#platform/module'

const numberOf = async (pool: Pool, text: string, values: unknown[] = []): Promise<number> => {
  const { rows } = await pool.query<{ number: number }>(text, values)
  return rows[0]?.number ?? 0
}

/** What the school owes: how many refunds, how much, and for how long. */
export const refundMeasures = ({
  database: { pool },
  now,
}: {
  database: { pool: Pool }
  now: Now
}): Measure[] => [
  {
    name: 'tuckshop_refunds_due',
    help: 'Refunds that are due and not paid back in full',
    value: () => numberOf(pool, `select count(*)::int as number from refunds.refunds where status = 'due'`),
  },
  {
    name: 'tuckshop_refunds_due_ngwee',
    help: 'What is still to be paid back, in ngwee',
    value: () =>
      numberOf(
        pool,
        `select coalesce(sum(owed), 0)::float8 as number from refunds.refunds where status = 'due'`,
      ),
  },
  {
    name: 'tuckshop_refunds_oldest_due_seconds',
    help: 'For how long the oldest refund has been due, 0 without one',
    value: () =>
      numberOf(
        pool,
        `select coalesce(greatest(0, extract(epoch from $1 - min(due_since))), 0)::float8 as number
         from refunds.refunds where status = 'due'`,
        [now()],
      ),
  },
]
