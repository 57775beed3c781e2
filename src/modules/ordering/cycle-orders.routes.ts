import type { Pool } from 'pg'
import { cycleOrders } from '#contracts/cycle-orders'
import type { SchoolDate } from '#kernel/school-time'
import { pageMetadataOf } from '#platform/http/page-metadata'
import { route, withFeature } from '#platform/http/route'
import type { Route } from '#platform/http/route'
import { cycleOrdersPage, placeOf } from './cycle-orders.rows'
import { cycleOrderReply } from './order-reply'

export type CycleOrderNeeds = {
  database: { pool: Pool }
  /** These cycles by id; one that is not there is absent. */
  cyclesByIds: (ids: readonly number[]) => Promise<ReadonlyMap<number, { startDate: SchoolDate }>>
}

const defaultPageSize = 10
const largestPageSize = 100

/** Cycle History: every order of every cycle, filtered and in pages (administrator.md section 2.6). */
export const cycleOrderRoutes = ({ database: { pool }, cyclesByIds }: CycleOrderNeeds): Route[] => [
  route(
    cycleOrders,
    withFeature('history'),
    async ({ query: { page: asked, pageSize: size, ...filter } }) => {
      const page = Math.max(1, asked ?? 1)
      const pageSize = Math.min(Math.max(1, size ?? defaultPageSize), largestPageSize)
      const { rows, total } = await cycleOrdersPage(pool, filter, {
        offset: filter.after === undefined ? (page - 1) * pageSize : 0,
        limit: pageSize,
      })
      const cycles = await cyclesByIds([...new Set(rows.map(({ cycle_id }) => cycle_id))])
      const last = rows.length === pageSize ? rows.at(-1) : undefined
      return {
        data: rows.map((row) => cycleOrderReply(row, cycles.get(row.cycle_id)?.startDate ?? null)),
        metadata: {
          ...pageMetadataOf(total, page, pageSize),
          next: last ? placeOf(last) : null,
        },
      }
    },
  ),
]
