import type { Knex } from 'knex'
import type { OrderRow } from './order'

const orders = (knex: Knex) =>
  knex<OrderRow>('ordering.orders').whereNotNull('lapses_at').orderBy(['meal_date', 'student_id', 'id'])

const lapsingOrder = (row: OrderRow) => ({
  id: row.id,
  attemptId: row.attempt_id,
  userId: row.user_id,
  date: row.meal_date,
  student: row.student_name,
  item: row.item_name,
  toPay: row.price - row.credit,
  credit: row.credit,
  placedAt: new Date(row.placed_at),
  lapsesAt: new Date(lapseOf(row)!),
  state: stateOf(row),
})

export const lapseOf = ({ lapsed, cancelled_late, portion_until, lapses_at }: OrderRow) =>
  lapsed && !cancelled_late ? portion_until : lapses_at

const stateOf = ({ lapsed, status, payment_status }: OrderRow) => {
  if (lapsed) return 'lapsed' as const
  return status === 'pending' && payment_status === 'pending' ? ('unpaid' as const) : ('over' as const)
}

export const ordersToLapse = (knex: Knex) => async (from: Date, until: Date) => {
  const rows = await orders(knex)
    .where({ status: 'pending', payment_status: 'pending' })
    .whereRaw('price > credit')
    .whereBetween('lapses_at', [from, until])
  return rows.map(lapsingOrder)
}

export const portionsToLapse = async (knex: Knex, now: Date) => {
  const rows = await orders(knex)
    .where({ status: 'pending', payment_status: 'pending' })
    .whereRaw('price > credit')
    .where('portion_until', '<=', now)
    .where('lapses_at', '>', now)
  return rows.map((row) => ({
    id: row.id,
    item: { id: row.item_id },
    portionUntil: new Date(row.portion_until!),
  }))
}

export const lapsedOrders = (knex: Knex) => async (since: Date) => {
  const rows = await orders(knex).whereRaw(
    'lapsed and case when cancelled_late then lapses_at else portion_until end >= ?',
    [since],
  )
  return rows.map(lapsingOrder)
}

export const lapsingOrders = (knex: Knex) => async (orderIds: readonly string[]) =>
  (await orders(knex).whereIn('id', [...orderIds])).map(lapsingOrder)
