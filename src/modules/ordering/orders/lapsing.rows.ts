import type { Knex } from 'knex'
import type { Ngwee } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import type { OrderRow } from './order'

/** A meal that lapses unless it is paid for, or did. */
export type LapsingOrder = {
  id: string
  attemptId: string
  userId: number
  date: SchoolDate
  student: string
  item: string
  /** What is unpaid of it. */
  toPay: Ngwee
  /** What of it was paid by credit at its checkout. */
  credit: Ngwee
  placedAt: Date
  lapsesAt: Date
  /** `over`: it was paid for, given out, cancelled by somebody or placed again. */
  state: 'unpaid' | 'lapsed' | 'over'
}

const orders = (knex: Knex) =>
  knex<OrderRow>('ordering.orders').whereNotNull('lapses_at').orderBy(['meal_date', 'student_id', 'id'])

const lapsingOrder = (row: OrderRow): LapsingOrder => ({
  id: row.id,
  attemptId: row.attempt_id,
  userId: row.user_id,
  date: row.meal_date,
  student: row.student_name,
  item: row.item_name,
  toPay: row.price - row.credit,
  credit: row.credit,
  placedAt: new Date(row.placed_at),
  lapsesAt: new Date(row.lapses_at!),
  state: row.lapsed
    ? 'lapsed'
    : row.status === 'pending' && row.payment_status === 'pending'
      ? 'unpaid'
      : 'over',
})

/** The pending orders with something unpaid that lapse from one instant until another, both included. */
export const ordersToLapse =
  (knex: Knex) =>
  async (from: Date, until: Date): Promise<LapsingOrder[]> => {
    const rows = await orders(knex)
      .where({ status: 'pending', payment_status: 'pending' })
      .whereRaw('price > credit')
      .whereBetween('lapses_at', [from, until])
    return rows.map(lapsingOrder)
  }

/** The orders that lapsed because nobody had paid for them at a cutoff since then. */
export const lapsedOrders =
  (knex: Knex) =>
  async (since: Date): Promise<LapsingOrder[]> => {
    const rows = await orders(knex).whereRaw('lapsed').andWhere('lapses_at', '>=', since)
    return rows.map(lapsingOrder)
  }

/** These orders as they now are; one that cannot lapse is left out. */
export const lapsingOrders =
  (knex: Knex) =>
  async (orderIds: readonly string[]): Promise<LapsingOrder[]> =>
    (await orders(knex).whereIn('id', [...orderIds])).map(lapsingOrder)
