import type { Knex } from 'knex'
import { foldedSearch, foldedSql } from '#kernel/folded-name'
import type { OrderRow } from '../slot/order'
import type { OrderFacts } from '../slot/order-facts'
import { factsOf } from './orders.view'

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
