import type { Knex } from 'knex'
import type { SchoolDate } from '#kernel/school-time'
import type { OrderRow } from './order'

const orders = (knex: Knex) => knex<OrderRow>('ordering.orders')

/** `toPay` in ngwee. */
type ActiveOrder = {
  id: string
  date: SchoolDate
  userId: number
  studentId: number
  isCompleted: boolean
  isPaid: boolean
  price: number
}

export const activeOrders =
  (knex: Knex) =>
  async (dates: readonly SchoolDate[]): Promise<ActiveOrder[]> => {
    const rows = await orders(knex)
      .whereRaw('meal_date = any(?::date[])', [[...dates]])
      .whereIn('status', ['pending', 'completed'])
      .orderBy('id')
    return rows.map((row) => ({
      id: row.id,
      date: row.meal_date,
      userId: row.user_id,
      studentId: row.student_id,
      isCompleted: row.status === 'completed',
      isPaid: row.payment_status === 'confirmed',
      price: row.price,
    }))
  }

/** Counts by date with unpaid ones, and the sum in ngwee. */
export const activeOrderTotals =
  (knex: Knex) =>
  async (
    dates: readonly SchoolDate[],
  ): Promise<Map<SchoolDate, { orders: number; unpaid: number; amount: number }>> => {
    const { rows } = await knex.raw<{
      rows: { date: SchoolDate; orders: number; unpaid: number; amount: number }[]
    }>(
      `select meal_date::text as date, count(*)::int as orders,
         count(*) filter (where payment_status = 'pending')::int as unpaid, sum(price)::int as amount
       from ordering.orders
       where meal_date = any(?::date[]) and status in ('pending', 'completed')
       group by meal_date`,
      [[...dates]],
    )
    return new Map(rows.map(({ date, ...totals }) => [date, totals]))
  }

export const mealsOfOrders = (knex: Knex) => async (orderIds: readonly string[]) => {
  const rows = await orders(knex)
    .whereIn('id', [...orderIds])
    .orderBy(['meal_date', 'student_id', 'id'])
  return rows.map((row) => ({
    id: row.id,
    date: row.meal_date,
    student: row.student_name,
    item: row.item_name,
    isPaid: row.payment_status === 'confirmed',
    price: row.price,
  }))
}
