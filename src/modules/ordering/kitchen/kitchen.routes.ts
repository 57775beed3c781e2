import { classList } from '#contracts/class-list'
import {
  kitchenChanges,
  kitchenToday,
  kitchenWeek,
  notePrint,
  type KitchenOrder,
  type KitchenReply,
} from '#contracts/kitchen'
import { Refusal } from '#kernel/refusal'
import { schoolMoment } from '#kernel/school-time'
import { pageMetadataOf } from '#platform/http/page-metadata'
import { route, withFeature, type Route } from '#platform/http/route'
import type { OrderingNeeds } from '../needs'
import { withEaters, type EaterNeeds } from '../orders/eaters.rows'
import { withClasses } from '../orders/lunches.rows'
import { classListOf, gradesOn } from './class-list.rows'
import { firstOrderOn, insertPrint, kitchenChangesSince, lastPrintOf } from './kitchen-changes.rows'
import { daysOfWeek, kitchenWeeks, nextSchoolDay, placeAmong, type KitchenDays } from './kitchen-days.decide'
import { kitchenHealth } from './kitchen-health'
import { eatenMeals } from './kitchen-health.rows'
import { totalsOf, type KitchenRow, type PlaceOf } from './kitchen-totals'
import { alikeOrders, kitchenPage, nextCookingDate } from './kitchen.rows'

type KitchenNeeds = Pick<OrderingNeeds, 'database' | 'now' | 'zone'> & {
  cycles: Pick<OrderingNeeds['cycles'], 'activeCycle'>
  catalogue: Pick<OrderingNeeds['catalogue'], 'allergensOfItems'>
} & EaterNeeds

type Paging = { page?: number | undefined; pageSize?: number | undefined }

const defaultPageSize = 100
const largestPageSize = 500

/**
 * What the kitchen cooks in each week and today: whatever was ordered for these dates in any cycle (administrator.md
 * section 2.4, days-and-changes.md section 1). On a day without school "today" is the next date with orders or school.
 */
export const kitchenRoutes = (needs: KitchenNeeds): Route[] => [
  route(kitchenToday, withFeature('kitchen'), async ({ query }) => {
    const { knex } = needs.database
    const today = todayAt(needs)
    const [cycle, cooking] = await Promise.all([needs.cycles.activeCycle(), nextCookingDate(knex, today)])
    const school = nextSchoolDay(cycle, today)
    const date = [cooking, school].flatMap((one) => one ?? []).toSorted()[0] ?? today
    const reply = await kitchenReply(needs, { from: date, to: date }, placeAmong(cycle, today), query)
    return { ...reply, date }
  }),

  route(kitchenWeek, withFeature('kitchen'), async ({ params: { week }, query }) => {
    const cycle = await needs.cycles.activeCycle()
    const weeks = kitchenWeeks(cycle)
    if (week < 1 || week > weeks)
      throw new Refusal('week_outside_cycle', `The active order cycle has weeks 1 to ${weeks}`)
    const today = todayAt(needs)
    const days = daysOfWeek(cycle, today, { week, day: query.day })
    return kitchenReply(needs, days, placeAmong(cycle, today), query)
  }),

  route(kitchenChanges, withFeature('kitchen'), async ({ query }) => {
    const { knex } = needs.database
    const { date } = query
    const at = needs.now()
    const since = query.since
      ? new Date(query.since)
      : ((await lastPrintOf(knex, date)) ?? (await firstOrderOn(knex, date)) ?? at)
    const found = await kitchenChangesSince(knex, date, since)
    const changes = await withClasses(needs.identity.childrenNow, found, ({ orderId }) => orderId)
    return { at: at.toISOString(), since: since.toISOString(), changes }
  }),

  route(notePrint, withFeature('kitchen'), async ({ body, user }) => {
    const at = needs.now()
    await insertPrint(needs.database.knex, { date: body.date, at, by: user.userId })
    return { at: at.toISOString() }
  }),

  route(classList, withFeature('kitchen'), async ({ query }) => {
    const { knex } = needs.database
    const { date, sort = 'name', direction = 'asc', ...filters } = query
    const [lunches, grades] = await Promise.all([
      classListOf(knex, date, filters, { sort, direction }),
      gradesOn(knex, date),
    ])
    const data = await withEaters(needs, lunches, ({ id }) => id)
    return { date, data, grades }
  }),
]

const todayAt = ({ now, zone }: KitchenNeeds) => schoolMoment(now(), zone).date

const kitchenReply = async (
  needs: KitchenNeeds,
  days: KitchenDays,
  placeOf: PlaceOf,
  paging: Paging,
): Promise<KitchenReply> => {
  const page = Math.max(1, paging.page ?? 1)
  const pageSize = Math.min(Math.max(1, paging.pageSize ?? defaultPageSize), largestPageSize)
  const { knex } = needs.database
  const [rows, groups, eaten] = await Promise.all([
    kitchenPage(knex, days, { offset: (page - 1) * pageSize, limit: pageSize }),
    alikeOrders(knex, days),
    eatenMeals(needs, knex, days),
  ])
  const total = groups.reduce((sum, { count }) => sum + count, 0)
  return {
    data: rows.map((row) => kitchenOrderReply(row, placeOf)),
    metadata: pageMetadataOf(total, page, pageSize),
    totals: totalsOf(groups, placeOf),
    ...kitchenHealth(eaten),
  }
}

/** An order as the kitchen sees it: what and when, not whose or for how much. */
export const kitchenOrderReply = (row: KitchenRow, placeOf: PlaceOf): KitchenOrder => ({
  id: row.id,
  ...placeOf(row.meal_date),
  mealDate: row.meal_date,
  menuItem: { id: row.item_id, name: row.item_name, type: row.item_type },
  category: row.category,
  sideDish: row.side_dish,
  comments: row.comments,
  status: row.status,
  paymentStatus: row.payment_status,
  cancelledLate: row.cancelled_late,
  absent: row.absent,
})
