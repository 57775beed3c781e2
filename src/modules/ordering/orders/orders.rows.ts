import type { Knex } from 'knex'
import { parseOrderId } from '#kernel/id'
import { mealSlot } from '../slot/meal-slot.decide'
import type { OrderRow } from './order'

const orders = (knex: Knex) => knex<OrderRow>('ordering.orders')

/** All orders of a user, the newest first. */
export const ordersOfUser = (knex: Knex, userId: number): Promise<OrderRow[]> =>
  orders(knex)
    .where({ user_id: userId })
    .orderBy([{ column: 'placed_at', order: 'desc' }, 'week', 'day', 'line', 'id'])

/** Which of these menu items were ever ordered; cancelled orders count. */
export const itemsWithOrders =
  (knex: Knex) =>
  async (itemIds: readonly number[]): Promise<Set<number>> => {
    // Looks for one order of each item; a list of distinct ids would read all of them.
    const { rows } = await knex.raw<{ rows: { id: number }[] }>(
      `select wanted.id from unnest(?::int[]) as wanted (id)
       where exists (select from ordering.orders o where o.item_id = wanted.id)`,
      [[...itemIds]],
    )
    return new Set(rows.map(({ id }) => id))
  }

/** How many pending and completed orders these students have together. */
export const orderCountOf =
  (knex: Knex) =>
  async (studentIds: readonly number[]): Promise<number> => {
    const [row] = await orders(knex)
      .whereIn('student_id', [...studentIds])
      .whereIn('status', ['pending', 'completed'])
      .count({ count: '*' })
    return Number(row?.count)
  }

/** The orders of these students that are still to be cooked, at most 5,000. */
export const openOrdersOf = (knex: Knex, studentIds: readonly number[]): Promise<string[]> =>
  orders(knex)
    .whereIn('student_id', [...studentIds])
    .where('status', 'pending')
    .orderBy('id')
    .limit(5_000)
    .pluck('id')

/** The streams of the meal slots in which this user has ever ordered. */
export const streamsOfUser = async (knex: Knex, userId: number): Promise<string[]> => {
  const ids: string[] = await knex('ordering.orders').where({ user_id: userId }).pluck('id')
  return [...new Set(ids.flatMap((id) => parseOrderId(id)?.lunch ?? []).map(mealSlot.streamOf))]
}
