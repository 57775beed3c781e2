import type { Knex } from 'knex'
import type { SchoolDate } from '#kernel/school-time'
import { kitchenEnds } from './kitchen-changes.rows'
import type { KitchenDays } from './kitchen-days.decide'
import { kitchenColumns, type AlikeOrders, type KitchenRow } from './kitchen-totals'

const ordersToCook = (knex: Knex, { from, to }: KitchenDays) =>
  knex('ordering.orders')
    .whereBetween('meal_date', [from, to])
    .andWhere((either) => either.whereIn('status', ['pending', 'completed']).orWhere('cancelled_late', true))

/** Null when there is none. */
export const nextCookingDate = async (knex: Knex, from: SchoolDate): Promise<SchoolDate | null> => {
  const row = await knex('ordering.orders')
    .where('meal_date', '>=', from)
    .whereIn('status', ['pending', 'completed'])
    .min({ date: 'meal_date' })
    .first()
  return row?.date ?? null
}

type Paging = { offset: number; limit: number }

/** One snapshot: a page of orders, all orders grouped, and per day the instant up to which changes are included. */
export const kitchenList = (knex: Knex, days: KitchenDays, paging: Paging) =>
  knex.transaction(
    async (moment) => ({
      rows: await kitchenPage(moment, days, paging),
      groups: await orderGroups(moment, days),
      shown: await kitchenEnds(moment, days),
    }),
    { isolationLevel: 'repeatable read', readOnly: true },
  )

/** Day by day. */
const kitchenPage = async (knex: Knex, days: KitchenDays, { offset, limit }: Paging): Promise<KitchenRow[]> =>
  ordersToCook(knex, days)
    .select(kitchenColumns)
    .orderBy(['meal_date', 'item_type', 'item_name', 'placed_at', 'id'])
    .offset(offset)
    .limit(limit)

const alike = [
  'meal_date',
  'item_type',
  'item_name',
  'item_id',
  'category',
  'side_dish',
  'status',
  'payment_status',
] as const

/** Grouped by equality, by day and item. */
const orderGroups = async (knex: Knex, days: KitchenDays): Promise<AlikeOrders[]> =>
  ordersToCook(knex, days)
    .select(alike)
    .select(
      knex.raw(`count(*)::int as count, (count(*) filter (where absent))::int as absent,
        json_agg(id) filter (where status = 'pending') as ids,
        json_agg(json_build_array(comments, student_name)) filter (where comments <> '') as comments`),
    )
    .groupBy(alike)
    .orderBy([...alike])
