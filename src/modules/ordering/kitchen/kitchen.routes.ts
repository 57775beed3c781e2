import { classList } from '#contracts/class-list'
import { kitchenToday, kitchenWeek, type KitchenOrder, type KitchenReply } from '#contracts/ordering'
import { Refusal } from '#kernel/refusal'
import { cycleDate, schoolMoment } from '#kernel/school-time'
import { pageMetadataOf } from '#platform/http/page-metadata'
import { route, withFeature, type Route } from '#platform/http/route'
import type { CycleFacts } from '../cart/cart.decide'
import type { OrderingNeeds } from '../needs'
import { classListOf, gradesOn } from './class-list.rows'
import { totalsOf, type KitchenRow } from './kitchen-totals'
import { alikeOrders, kitchenPage, type KitchenDays } from './kitchen.rows'

type KitchenNeeds = Pick<OrderingNeeds, 'database' | 'now' | 'zone'> & {
  cycles: Pick<OrderingNeeds['cycles'], 'activeCycle'>
}

type Paging = { page?: number | undefined; pageSize?: number | undefined }

const defaultPageSize = 100
const largestPageSize = 500

/**
 * What the kitchen cooks in each week of the active cycle, and today: whatever was ordered for today, also where its
 * cycle has been deactivated since (administrator.md section 2.4).
 */
export const kitchenRoutes = (needs: KitchenNeeds): Route[] => [
  route(kitchenToday, withFeature('kitchen'), async ({ query }) => {
    const today = schoolMoment(needs.now(), needs.zone).date
    return kitchenReply(needs, { cycleId: null, from: today, to: today }, query)
  }),

  route(kitchenWeek, withFeature('kitchen'), async ({ params: { week }, query }) => {
    const cycle = await needs.cycles.activeCycle()
    if (cycle && (week < 1 || week > cycle.cycleLength))
      throw new Refusal('week_outside_cycle', `The active order cycle has weeks 1 to ${cycle.cycleLength}`)
    return kitchenReply(needs, cycle && daysOfWeek(cycle, week, query.day), query)
  }),

  route(classList, withFeature('kitchen'), async ({ query }) => {
    const { knex } = needs.database
    const { date, sort = 'name', direction = 'asc', ...filters } = query
    const [data, grades] = await Promise.all([
      classListOf(knex, date, filters, { sort, direction }),
      gradesOn(knex, date),
    ])
    return { date, data, grades }
  }),
]

/** The school days of a week, or one of them alone. */
const daysOfWeek = ({ id, startDate }: CycleFacts, week: number, day?: number): KitchenDays => ({
  cycleId: id,
  from: cycleDate(startDate, week, day ?? 1),
  to: cycleDate(startDate, week, day ?? 5),
})

/** Without an active cycle there are no weeks to look at. */
const kitchenReply = async (
  { database: { knex } }: KitchenNeeds,
  days: KitchenDays | null,
  paging: Paging,
): Promise<KitchenReply> => {
  const page = Math.max(1, paging.page ?? 1)
  const pageSize = Math.min(Math.max(1, paging.pageSize ?? defaultPageSize), largestPageSize)
  if (!days) return { data: [], metadata: pageMetadataOf(0, page, pageSize), totals: [] }
  const [rows, groups] = await Promise.all([
    kitchenPage(knex, days, { offset: (page - 1) * pageSize, limit: pageSize }),
    alikeOrders(knex, days),
  ])
  const total = groups.reduce((sum, { count }) => sum + count, 0)
  return {
    data: rows.map(kitchenOrderReply),
    metadata: pageMetadataOf(total, page, pageSize),
    totals: totalsOf(groups),
  }
}

/** An order as the kitchen sees it: what and when, not whose or for how much. */
export const kitchenOrderReply = (row: KitchenRow): KitchenOrder => ({
  id: row.id,
  weekNumber: row.week,
  dayOfWeek: row.day,
  mealDate: row.meal_date,
  menuItem: { id: row.item_id, name: row.item_name, type: row.item_type },
  category: row.category,
  sideDish: row.side_dish,
  comments: row.comments,
  status: row.status,
  paymentStatus: row.payment_status,
  cancelledLate: row.cancelled_late,
})
