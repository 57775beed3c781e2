import type { Ports } from '#platform/ports'
import type { Knex } from 'knex'
import { schoolMoment } from '#kernel/school-time'
import type { Measure } from '#platform/module'
import type { OrderRow } from './order'

const statuses = ['pending', 'completed', 'cancelled', 'refunded']

export const orderMeasures = ({ database: { knex }, now, zone }: Ports): Measure[] => [
  {
    name: 'tuckshop_orders_today',
    help: 'Orders for today, by the school’s calendar, by status',
    label: 'status',
    values: () => countOfDay(knex, schoolMoment(now(), zone).date),
  },
  {
    name: 'tuckshop_orders_unpaid_ngwee',
    help: 'What orders placed for an alternative payment still wait for, in ngwee',
    value: async () => {
      const row = await knex('ordering.orders')
        .where('payment_status', 'pending')
        .whereIn('status', ['pending', 'completed'])
        .sum({ unpaid: 'price' })
        .first()
      return Number(row?.unpaid)
    },
  },
]

const countOfDay = async (knex: Knex, day: string): Promise<Record<string, number>> => {
  const rows = await knex<OrderRow>('ordering.orders')
    .where('meal_date', day)
    .groupBy('status')
    .select('status')
    .count({ count: '*' })
  const none = Object.fromEntries(statuses.map((status) => [status, 0]))
  return { ...none, ...Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)])) }
}
