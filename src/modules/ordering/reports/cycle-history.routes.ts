import * as contract from '#contracts/cycles'
import type { QueryOf, Direction } from '#contracts/endpoint'
import { kwachaFromNgwee } from '#kernel/money'
import { pageMetadataOf } from '#platform/http/page-metadata'
import { route, withFeature } from '#platform/http/route'
import type { OrderingNeeds } from '../needs'
import type { SchoolDate } from '#kernel/school-time'
import type { Reader } from '#platform/database'

type HistoryNeeds = Pick<OrderingNeeds, 'cycles'> & {
  orderTotals: (cycleIds: readonly number[]) => Promise<ReadonlyMap<number, CycleTotals>>
}

const pageSize = 10

/** administrator.md section 2.5, with totals. */
export const cycleHistoryRoute = (needs: HistoryNeeds) =>
  route(contract.cycleHistory, withFeature('cycles', 'history'), async ({ query }) => {
    const ids = await needs.cycles.historyIds(query)
    const page = Math.max(1, query.page ?? 1)
    const { cycles, totals } = await pageOf(ids, (page - 1) * pageSize, query, needs)
    return {
      data: cycles.map((cycle) => ({
        ...needs.cycles.cycleReply(cycle),
        cycleId: cycle.id,
        totalOrders: totals.get(cycle.id)?.orders ?? 0,
        totalRevenue: kwachaFromNgwee(totals.get(cycle.id)?.revenue ?? 0),
      })),
      metadata: pageMetadataOf(ids.length, page, pageSize),
    }
  })

type KnownCycle = Awaited<ReturnType<OrderingNeeds['cycles']['historyPage']>>[number]

const pageOf = async (
  ids: number[],
  offset: number,
  { sort = 'created', direction = 'desc', ...filters }: QueryOf<typeof contract.cycleHistory>,
  { orderTotals, cycles: door }: HistoryNeeds,
): Promise<{ cycles: KnownCycle[]; totals: ReadonlyMap<number, CycleTotals> }> => {
  if (sort !== 'orders' && sort !== 'revenue') {
    const cycles = await door.historyPage(filters, { sort, direction, offset, limit: pageSize })
    return {
      cycles,
      totals: await orderTotals(cycles.map(({ id }) => id)),
    }
  }
  const totals = await orderTotals(ids)
  const wanted = byTotal(ids, direction, (id) => totals.get(id)?.[sort]).slice(offset, offset + pageSize)
  const found = await door.cyclesByIds(wanted)
  return { cycles: wanted.flatMap((id) => found.get(id) ?? []), totals }
}

/** Totals belong to ordering, so the cycle query cannot sort by them. */
const byTotal = (ids: number[], direction: Direction, totalOf: (id: number) => number | undefined) => {
  const ascending = ids.toSorted((one, other) => (totalOf(one) ?? 0) - (totalOf(other) ?? 0) || one - other)
  return direction === 'asc' ? ascending : ascending.toReversed()
}

/** `orders` includes cancelled ones; `revenue` sums completed and pending prices in ngwee, `completed` only completed. */
type CycleTotals = { orders: number; revenue: number; completed: number }

export const orderTotals = async (
  from: Reader,
  cycleIds: readonly number[] | null,
): Promise<Map<number, CycleTotals>> => {
  const { rows } = await from.query<CycleTotals & { id: number }>(
    `select cycle_id as id, count(*)::int as orders,
       coalesce(sum(price) filter (where status in ('completed', 'pending')), 0)::float8 as revenue,
       coalesce(sum(price) filter (where status = 'completed'), 0)::float8 as completed
     from ordering.orders where $1::int[] is null or cycle_id = any($1) group by cycle_id`,
    [cycleIds],
  )
  return new Map(rows.map(({ id, ...totals }) => [id, totals]))
}

export const ordersOnDates =
  (reader: Reader) => async (from: SchoolDate, to: SchoolDate, exceptCycleId: number | null) => {
    const { rows } = await reader.query<{ date: SchoolDate; orders: number }>(
      `select meal_date::text as date, count(*)::int as orders from ordering.orders
       where meal_date between $1 and $2 and status in ('pending', 'completed')
         and cycle_id is distinct from $3::int
       group by meal_date order by meal_date`,
      [from, to, exceptCycleId],
    )
    return rows
  }
