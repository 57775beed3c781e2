import type { Knex } from 'knex'
import type { Now } from '#platform/clock'
import type { Measure } from '#platform/module'

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
