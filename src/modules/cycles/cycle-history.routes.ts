import * as contract from '#contracts/cycle-history'
import type { QueryOf } from '#contracts/endpoint'
import type { Direction } from '#contracts/sorting'
import { kwachaFromNgwee } from '#kernel/money'
import { pageMetadataOf } from '#platform/http/page-metadata'
import { route, withFeature } from '#platform/http/route'
import { withClosedDates } from './calendar.decide'
import type { Cycle } from './cycle'
import { cycleIds, cyclesPage } from './cycle-history.rows'
import { cycleReply } from './cycles.routes'
import { cyclesByIds } from './cycles.rows'
import type { CyclesNeeds, CycleTotals } from './needs'

type HistoryNeeds = Pick<CyclesNeeds, 'database' | 'ordering'> & Pick<CyclesNeeds['closures'], 'closedDates'>

const pageSize = 10

/** Every cycle there was (administrator.md section 2.5), with what was ordered in it. */
export const cycleHistoryRoute = (needs: HistoryNeeds) =>
  route(contract.cycleHistory, withFeature('cycles', 'history'), async ({ query }) => {
    const ids = await cycleIds(needs.database.knex, query)
    const page = Math.max(1, query.page ?? 1)
    const [{ cycles, totals }, closed] = await Promise.all([
      pageOf(ids, (page - 1) * pageSize, query, needs),
      needs.closedDates(),
    ])
    return {
      data: cycles.map((cycle) => ({
        ...cycleReply(withClosedDates(cycle, closed)),
        cycleId: cycle.id,
        totalOrders: totals.get(cycle.id)?.orders ?? 0,
        totalRevenue: kwachaFromNgwee(totals.get(cycle.id)?.revenue ?? 0),
      })),
      metadata: pageMetadataOf(ids.length, page, pageSize),
    }
  })

const pageOf = async (
  ids: number[],
  offset: number,
  { sort = 'created', direction = 'desc', ...filters }: QueryOf<typeof contract.cycleHistory>,
  { database: { knex }, ordering: { orderTotals } }: HistoryNeeds,
): Promise<{ cycles: Cycle[]; totals: ReadonlyMap<number, CycleTotals> }> => {
  if (sort !== 'orders' && sort !== 'revenue') {
    const cycles = await cyclesPage(knex, filters, { sort, direction, offset, limit: pageSize })
    return { cycles, totals: await orderTotals(cycles.map(({ id }) => id)) }
  }
  const totals = await orderTotals(ids)
  const wanted = byTotal(ids, direction, (id) => totals.get(id)?.[sort]).slice(offset, offset + pageSize)
  const found = await cyclesByIds(knex)(wanted)
  return { cycles: wanted.flatMap((id) => found.get(id) ?? []), totals }
}

/** What was ordered belongs to another context, so these sums are not there to sort by in a query of this one. */
const byTotal = (ids: number[], direction: Direction, totalOf: (id: number) => number | undefined) => {
  const ascending = ids.toSorted((one, other) => (totalOf(one) ?? 0) - (totalOf(other) ?? 0) || one - other)
  return direction === 'asc' ? ascending : ascending.toReversed()
}
