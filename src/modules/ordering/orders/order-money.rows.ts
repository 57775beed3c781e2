import type { Knex } from 'knex'
import { foldedSearch, foldedSql } from '#kernel/folded-name'
import type { Ngwee } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import type { OrderFacts, OrderRow } from '../slot/order'
import { factsOf } from './orders.view'

export const cancelledPaidOrders = (knex: Knex) => (): Promise<string[]> =>
  knex<OrderRow>('ordering.orders')
    .where({ status: 'cancelled', payment_status: 'confirmed' })
    .where('price', '>', 0)
    .pluck('id')

/** Cancelled orders that may be owed credit: paid ones with that remedy, and those of checkouts that used credit. */
export const cancelledOwingCredit =
  (knex: Knex) =>
  (attemptIds: readonly string[], orderIds: readonly string[]): Promise<string[]> =>
    knex<OrderRow>('ordering.orders')
      .whereIn('status', ['cancelled', 'refunded'])
      .where('price', '>', 0)
      .where((owing) =>
        owing
          .where({ remedy: 'credit', payment_status: 'confirmed' })
          .orWhereRaw('attempt_id = any(?::uuid[])', [[...attemptIds]])
          .orWhereRaw('id = any(?::text[])', [[...orderIds]]),
      )
      .pluck('id')

export const absentOwingCredit = (knex: Knex) => (): Promise<string[]> =>
  knex<OrderRow>('ordering.orders')
    .where('payment_status', 'confirmed')
    .whereIn('status', ['pending', 'completed'])
    .where('absence_credit', '>', 0)
    .pluck('id')

export const datesServed =
  (knex: Knex) =>
  (dates: readonly string[]): Promise<string[]> =>
    knex<OrderRow>('ordering.orders')
      .distinct('meal_date')
      .whereIn('meal_date', [...dates])
      .where('status', 'completed')
      .pluck('meal_date')

const unpaid = (knex: Knex) =>
  knex<OrderRow>('ordering.orders')
    .where('payment_status', 'pending')
    .whereIn('status', ['pending', 'completed'])

type UnpaidFilter = { text: string; userIds: readonly number[]; attemptIds: readonly string[] }

type UnpaidPage = {
  sort: 'waiting' | 'parent' | 'amount' | 'orders'
  direction: 'asc' | 'desc'
  usersByName: readonly number[]
  offset: number
  limit: number
}

const orders: Record<UnpaidPage['sort'], string> = {
  waiting: 'min(placed_at)',
  parent: 'array_position(?::int[], user_id)',
  amount: 'sum(price - credit)',
  orders: 'count(*)',
}

export type UnpaidGroups = { groups: { userId: number; orders: OrderFacts[] }[]; totalGroups: number }

export const unpaidOrders =
  (knex: Knex) =>
  async (
    { text, userIds, attemptIds }: UnpaidFilter,
    { sort, direction, usersByName, offset, limit }: UnpaidPage,
  ): Promise<UnpaidGroups> => {
    const groups = unpaid(knex).groupBy('user_id')
    if (text !== '')
      groups.havingRaw(
        `(user_id = any(?::int[]) or bool_or(attempt_id = any(?::uuid[])
          or position(? in ${foldedSql('student_name')}) > 0 or position(lower(?) in lower(item_name)) > 0))`,
        [[...userIds], [...attemptIds], foldedSearch(text), text],
      )
    const [users, counted] = await Promise.all([
      groups
        .clone()
        .orderByRaw(
          `${orders[sort]} ${direction}, user_id ${direction}`,
          sort === 'parent' ? [[...usersByName]] : [],
        )
        .offset(offset)
        .limit(limit)
        .pluck('user_id'),
      knex.from(groups.clone().select('user_id').as('found')).count({ total: '*' }).first(),
    ])
    const rows: OrderRow[] = await unpaid(knex)
      .whereIn('user_id', users)
      .orderBy(['placed_at', 'week', 'day', 'line', 'id'])
    return {
      groups: users.map((userId) => ({
        userId,
        orders: rows.filter((row) => row.user_id === userId).map(factsOf),
      })),
      totalGroups: Number(counted?.total),
    }
  }

export const unpaidOrdersOf =
  (knex: Knex) =>
  async (userId: number): Promise<OrderFacts[]> => {
    const rows = await unpaid(knex).where({ user_id: userId }).orderBy(['placed_at', 'meal_date', 'id'])
    return rows.map(factsOf)
  }

export const usersWithUnpaidOrders = (knex: Knex) => (): Promise<number[]> =>
  unpaid(knex).distinct().pluck('user_id')

export const unpaidMealsOf =
  (knex: Knex) =>
  async (userId: number): Promise<ReadonlyMap<number, number>> => {
    const rows = await unpaid(knex)
      .where({ user_id: userId })
      .groupBy('student_id')
      .select<{ studentId: number; count: string }[]>(
        { studentId: 'student_id' },
        knex.raw('count(*) as count'),
      )
    return new Map(rows.map(({ studentId, count }) => [studentId, Number(count)]))
  }

/** Unpaid or lapsed; `toPay` in ngwee, without credit. */
export type PayableOrder = {
  id: string
  attemptId: string
  userId: number
  student: string
  toPay: Ngwee
  lapsedAt: Date | null
}

export const payableOrders =
  (knex: Knex) =>
  async (today: SchoolDate): Promise<PayableOrder[]> => {
    const rows = await knex<OrderRow>('ordering.orders')
      .whereRaw('price > credit')
      .where((payable) =>
        payable
          .where((open) =>
            open.where('payment_status', 'pending').whereIn('status', ['pending', 'completed']),
          )
          .orWhere((lapsed) => lapsed.whereRaw('lapsed').andWhere('meal_date', '>=', today)),
      )
      .orderBy(['placed_at', 'meal_date', 'id'])
    return rows.map((row) => ({
      id: row.id,
      attemptId: row.attempt_id,
      userId: row.user_id,
      student: row.student_name,
      toPay: row.price - row.credit,
      lapsedAt: row.lapsed ? new Date(lapseOf(row)!) : null,
    }))
  }

const lapsing = (knex: Knex) =>
  knex<OrderRow>('ordering.orders').whereNotNull('lapses_at').orderBy(['meal_date', 'student_id', 'id'])

export type LapsingOrder = {
  id: string
  attemptId: string
  userId: number
  date: SchoolDate
  student: string
  item: string
  toPay: Ngwee
  credit: Ngwee
  placedAt: Date
  lapsesAt: Date
  state: 'unpaid' | 'lapsed' | 'over'
}

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
  lapsesAt: new Date(lapseOf(row)!),
  state: stateOf(row),
})

const lapseOf = ({ lapsed, cancelled_late, portion_until, lapses_at }: OrderRow) =>
  lapsed && !cancelled_late ? portion_until : lapses_at

const stateOf = ({ lapsed, status, payment_status }: OrderRow): LapsingOrder['state'] => {
  if (lapsed) return 'lapsed'
  return status === 'pending' && payment_status === 'pending' ? 'unpaid' : 'over'
}

/** `today`: meals of earlier dates are left out. */
export const ordersToLapse =
  (knex: Knex) =>
  async (from: Date, until: Date, today: SchoolDate): Promise<LapsingOrder[]> => {
    const rows = await lapsing(knex)
      .where({ status: 'pending', payment_status: 'pending' })
      .where('meal_date', '>=', today)
      .whereRaw('price > credit')
      .whereBetween('lapses_at', [from, until])
    return rows.map(lapsingOrder)
  }

export const portionsToLapse = async (knex: Knex, now: Date) => {
  const rows = await lapsing(knex)
    .where({ status: 'pending', payment_status: 'pending' })
    .whereRaw('price > credit')
    .where('portion_until', '<=', now)
    .where('cutoff_at', '>', now)
  return rows.map((row) => ({
    id: row.id,
    item: { id: row.item_id },
    portionUntil: new Date(row.portion_until!),
  }))
}

export const lapsedOrders =
  (knex: Knex) =>
  async (since: Date): Promise<LapsingOrder[]> => {
    const rows = await lapsing(knex).whereRaw(
      'lapsed and case when cancelled_late then lapses_at else portion_until end >= ?',
      [since],
    )
    return rows.map(lapsingOrder)
  }

export const lapsingOrders =
  (knex: Knex) =>
  async (orderIds: readonly string[]): Promise<LapsingOrder[]> =>
    (await lapsing(knex).whereIn('id', [...orderIds])).map(lapsingOrder)
