import type { Pool } from 'pg'
import { cycleOrders } from '#contracts/cycle-orders'
import type { SchoolDate } from '#kernel/school-time'
import { pageMetadataOf } from '#platform/http/page-metadata'
import { route, withFeature } from '#platform/http/route'
import type { Route } from '#platform/http/route'
import { cycleOrdersPage, placeOf } from './cycle-orders.rows'
import type { CycleOrderPage } from './cycle-orders.rows'
import { cycleOrderReply } from '../orders/order-reply'

export type CycleOrderNeeds = {
  database: { pool: Pool }
  /** These cycles by id; one that is not there is absent. */
  cyclesByIds: (ids: readonly number[]) => Promise<ReadonlyMap<number, { startDate: SchoolDate }>>
}

const defaultPageSize = 10
const largestPageSize = 100

type Order = Pick<CycleOrderPage, 'sort' | 'direction'>
const usual: Order = { sort: 'date', direction: 'desc' }

const orderIn = ({ sort = usual.sort, direction = usual.direction }: Partial<Order>): Order => ({
  sort,
  direction,
})
const isUsual = ({ sort, direction }: Order) => sort === usual.sort && direction === usual.direction

/** Cycle History: every order of every cycle, filtered and in pages (administrator.md section 2.6). */
export const cycleOrderRoutes = ({ database: { pool }, cyclesByIds }: CycleOrderNeeds): Route[] => [
  route(cycleOrders, withFeature('history'), async ({ query }) => {
    const page = Math.max(1, query.page ?? 1)
    const limit = query.limit ?? Math.min(Math.max(1, query.pageSize ?? defaultPageSize), largestPageSize)
    const onwards = query.after !== undefined
    const order = onwards ? usual : orderIn(query)
    const offset = onwards ? 0 : (page - 1) * limit
    const { rows, total } = await cycleOrdersPage(pool, query, { ...order, offset, limit })
    const cycles = await cyclesByIds([...new Set(rows.map(({ cycle_id }) => cycle_id))])
    const last = rows.length === limit && isUsual(order) ? rows.at(-1) : undefined
    return {
      data: rows.map((row) => cycleOrderReply(row, cycles.get(row.cycle_id)?.startDate ?? null)),
      metadata: {
        ...pageMetadataOf(total, page, limit),
        next: last ? placeOf(last) : null,
      },
    }
  }),
]
