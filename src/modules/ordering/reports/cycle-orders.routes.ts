import { cycleOrders, type CycleOrder } from '#contracts/cycle-orders'
import type { Grade } from '#contracts/identity'
import { kwachaFromNgwee } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import { pageMetadataOf } from '#platform/http/page-metadata'
import { route, withFeature, type Route } from '#platform/http/route'
import type { OrderingNeeds } from '../needs'
import type { OrderRow } from '../orders/order'
import { changesFrom } from '../orders/order-batch.decide'
import { cycleOrdersPage, placeOf, type CycleOrderPage } from './cycle-orders.rows'

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
export const cycleOrderRoutes = ({
  database: { knex },
  cycles,
}: Pick<OrderingNeeds, 'database' | 'cycles'>): Route[] => [
  route(cycleOrders, withFeature('history'), async ({ query }) => {
    const page = Math.max(1, query.page ?? 1)
    const limit = query.limit ?? Math.min(Math.max(1, query.pageSize ?? defaultPageSize), largestPageSize)
    const onwards = query.after !== undefined
    const order = onwards ? usual : orderIn(query)
    const offset = onwards ? 0 : (page - 1) * limit
    const { rows, total } = await cycleOrdersPage(knex, query, { ...order, offset, limit })
    const found = await cycles.cyclesByIds([...new Set(rows.map(({ cycle_id }) => cycle_id))])
    const last = rows.length === limit && isUsual(order) ? rows.at(-1) : undefined
    return {
      data: rows.map((row) => cycleOrderReply(row, found.get(row.cycle_id)?.startDate ?? null)),
      metadata: {
        ...pageMetadataOf(total, page, limit),
        next: last ? placeOf(last) : null,
      },
    }
  }),
]

/** An order as the cycle history lists it; `startDate` of its cycle, null when nobody knows it. */
export const cycleOrderReply = (row: OrderRow, startDate: SchoolDate | null): CycleOrder => {
  const { category, side_dish: sideDish, item_name: name } = row
  const allowed = changesFrom(row.status)
  return {
    id: row.id,
    orderDate: new Date(row.placed_at).toISOString(),
    student: { name: row.student_name, grade: row.student_grade as Grade },
    menuItem: { id: row.item_id, name },
    cartItems: [{ menuItem: { name }, category, sideDish }],
    cycleId: row.cycle_id,
    cycle: { startDate },
    weekNumber: row.week,
    dayOfWeek: row.day,
    category,
    sideDish,
    comments: row.comments,
    originalPrice: kwachaFromNgwee(row.original_price),
    discountedPrice: kwachaFromNgwee(row.price),
    discountPercentage: row.discount_percentage,
    status: row.status,
    paymentStatus: row.payment_status,
    allowed,
    owedIfCancelled: kwachaFromNgwee(allowed.cancelled && row.payment_status === 'confirmed' ? row.price : 0),
  }
}
