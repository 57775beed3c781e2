import type { Pool } from 'pg'
import type { Ngwee } from '#kernel/money'
import type { Position } from '#platform/event-store/event-store'
import { checkpointOf, viewsCheckpoint } from '#platform/projections/checkpoint'
import { countOfCycle, owedByScreen, revenueOfCycle } from './ledger-totals'
import type { Sums } from './ledger-totals'

export type TotalsNeeds = {
  database: { pool: Pool }
  /** Of these cycles: how many orders, and what was to pay for the completed; what the cycle history shows. */
  orderTotals: (cycleIds: readonly number[]) => Promise<Map<number, { orders: number; revenue: Ngwee }>>
  /** What is owed back in all, as Refund Management shows it. */
  owedInAll: () => Promise<Ngwee>
}

const ownSums = `
  select kind || ' checkouts' || part.name as what, sum(part.amount)::float8 as amount
  from audit.ledger_attempts, lateral (values
    (', count', 1), (', total', total), (', received', coalesce(received, 0) + fee)) as part (name, amount)
  group by 1
  union all
  select 'orders of cycle ' || cycle_id || ', ' || status || ', paid ' || paid || part.name, sum(part.amount)::float8
  from audit.ledger_orders, lateral (values (', count', 1), (', price', price)) as part (name, amount)
  group by 1
  union all
  select 'refunds ' || status || part.name, sum(part.amount)::float8
  from audit.ledger_refunds, lateral (values
    (', count', 1), (', amount', amount), (', owed', owed), (', paid back', paid_back)) as part (name, amount)
  group by 1`

const mostTries = 20

/**
 * What the read models tell, all of it as of one position; null when they moved on each time they were read (a school
 * in its busiest minute).
 */
export const toldSums = async (needs: TotalsNeeds): Promise<{ sums: Sums; position: Position } | null> => {
  const { pool } = needs.database
  for (let turn = 0; turn < mostTries; turn += 1) {
    const position = await checkpointOf(pool, viewsCheckpoint)
    const sums = await readSums(needs)
    if (position === (await checkpointOf(pool, viewsCheckpoint))) return { sums, position }
  }
  return null
}

const readSums = async ({ database: { pool }, orderTotals, owedInAll }: TotalsNeeds): Promise<Sums> => {
  const { rows } = await pool.query<{ what: string; amount: number }>(ownSums)
  const cycles = await pool.query<{ id: number }>('select distinct cycle_id as id from audit.ledger_orders')
  const totals = await orderTotals(cycles.rows.map(({ id }) => id))
  const sums = new Map(rows.map(({ what, amount }) => [what, amount]))
  sums.set(owedByScreen, await owedInAll())
  for (const [id, { orders, revenue }] of totals) {
    if (orders > 0) sums.set(countOfCycle(id), orders)
    if (revenue > 0) sums.set(revenueOfCycle(id), revenue)
  }
  return sums
}
