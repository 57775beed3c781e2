import type { Ngwee } from '#kernel/money'
import type { Reader } from '#platform/database'
import type { Position } from '#platform/event-store/event-store'
import { checkpointSeen, viewsCheckpoint } from '#platform/projections/checkpoint'
import { countOfCycle, owedByScreen, revenueOfCycle } from './ledger-totals'
import type { Sums } from './ledger-totals'

export type TotalsNeeds = {
  /** What is read there is as it was at one moment, while others go on writing. */
  inSnapshot: <Result>(read: (at: Reader) => Promise<Result>) => Promise<Result>
  /** Of these cycles: how many orders, and what was to pay for the completed; what the cycle history shows. */
  orderTotals: (
    cycleIds: readonly number[],
    at: Reader,
  ) => Promise<Map<number, { orders: number; revenue: Ngwee }>>
  /** What is owed back in all, as Refund Management shows it. */
  owedInAll: (at: Reader) => Promise<Ngwee>
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

/** What the read models tell, all of it as of one position, however fast they move on meanwhile. */
export const toldSums = (needs: TotalsNeeds): Promise<{ sums: Sums; position: Position }> =>
  needs.inSnapshot(async (at) => ({
    position: await checkpointSeen(at, viewsCheckpoint),
    sums: await readSums(needs, at),
  }))

const readSums = async ({ orderTotals, owedInAll }: TotalsNeeds, at: Reader): Promise<Sums> => {
  const { rows } = await at.query<{ what: string; amount: number }>(ownSums)
  const cycles = await at.query<{ id: number }>('select distinct cycle_id as id from audit.ledger_orders')
  const ids = cycles.rows.map(({ id }) => id)
  const totals = await orderTotals(ids, at)
  const sums = new Map(rows.map(({ what, amount }) => [what, amount]))
  sums.set(owedByScreen, await owedInAll(at))
  for (const [id, { orders, revenue }] of totals) {
    if (orders > 0) sums.set(countOfCycle(id), orders)
    if (revenue > 0) sums.set(revenueOfCycle(id), revenue)
  }
  return sums
}
