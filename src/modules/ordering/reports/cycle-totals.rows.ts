import type { Reader } from '#platform/database'
import { fromKeptSums } from './kept-sums.rows'
import type { KeptSumsNeeds } from './kept-sums.rows'

/** `orders` counts all of a cycle's, cancelled ones too; `revenue` is what was to pay for the completed, in ngwee. */
export type CycleTotals = { orders: number; revenue: number }

type TotalsRow = CycleTotals & { id: number }

/** The totals of these cycles; a cycle without orders is absent. As `at` sees them, if given. */
export const orderTotals = async (
  needs: KeptSumsNeeds,
  cycleIds: readonly number[],
  at?: Reader,
): Promise<Map<number, CycleTotals>> => {
  const { totals } = await fromKeptSums<{ totals: TotalsRow[] }>(needs, {
    what: 'totals',
    cycleIds,
    answer,
    at,
  })
  return new Map(totals.map(({ id, orders, revenue }) => [id, { orders, revenue }]))
}

const answer = `
  select coalesce(json_agg(json_build_object('id', cycle_id, 'orders', orders, 'revenue', completed_ngwee)), '[]')
    as totals
  from sums where orders > 0`
