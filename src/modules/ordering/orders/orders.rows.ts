import type { Knex } from 'knex'
import { parseOrderId } from '#kernel/id'
import type { SchoolDate } from '#kernel/school-time'
import { mealSlot } from '../slot/meal-slot.decide'
import type { OrderRow } from './order'

const orders = (knex: Knex) => knex<OrderRow>('ordering.orders')

/** Orders the user placed and others' lunches of their children, newest first; lunches that ended are for the payer. */
export const ordersForFamily = (
  knex: Knex,
  userId: number,
  childIds: readonly number[],
): Promise<OrderRow[]> =>
  orders(knex)
    .where({ user_id: userId })
    .orWhereRaw(`(student_id = any(?::int[]) and status in ('pending', 'completed'))`, [[...childIds]])
    .orderBy([{ column: 'placed_at', order: 'desc' }, 'week', 'day', 'line', 'id'])

export const itemsWithOrders =
  (knex: Knex) =>
  async (itemIds: readonly number[]): Promise<Set<number>> => {
    // One lookup per item; distinct ids would read all orders.
    const { rows } = await knex.raw<{ rows: { id: number }[] }>(
      `select wanted.id from unnest(?::int[]) as wanted (id)
       where exists (select from ordering.orders o where o.item_id = wanted.id)`,
      [[...itemIds]],
    )
    return new Set(rows.map(({ id }) => id))
  }

export const orderCountOf =
  (knex: Knex) =>
  async (studentIds: readonly number[]): Promise<number> => {
    const [row] = await orders(knex)
      .whereIn('student_id', [...studentIds])
      .whereIn('status', ['pending', 'completed'])
      .count({ count: '*' })
    return Number(row?.count)
  }

/** From a date on, not of this menu (null: all), soonest first, at most 500. */
export const ordersOffMenu = async (
  knex: Knex,
  studentIds: readonly number[],
  { menu, from }: { menu: OrderRow['item_type'] | null; from: SchoolDate },
): Promise<{ orderId: string; studentId: number; date: string; menuItem: string }[]> => {
  const rows = await orders(knex)
    .whereIn('student_id', [...studentIds])
    .where('status', 'pending')
    .where('meal_date', '>=', from)
    .whereRaw('(?::text is null or item_type <> ?)', [menu, menu])
    .orderBy(['meal_date', 'id'])
    .limit(500)
  return rows.map((row) => ({
    orderId: row.id,
    studentId: row.student_id,
    date: row.meal_date,
    menuItem: row.item_name,
  }))
}

export const withLunchesFrom = (
  knex: Knex,
  studentIds: readonly number[],
  from: SchoolDate,
): Promise<number[]> =>
  orders(knex)
    .whereIn('student_id', [...studentIds])
    .where('status', 'pending')
    .where('meal_date', '>=', from)
    .distinct()
    .pluck('student_id')

export const orderedSince = (knex: Knex, studentIds: readonly number[], since: Date): Promise<number[]> =>
  orders(knex)
    .whereIn('student_id', [...studentIds])
    .where('placed_at', '>=', since)
    .distinct()
    .pluck('student_id')

/** The first 100. */
export const sameDates = async (
  knex: Knex,
  some: readonly number[],
  others: readonly number[],
): Promise<string[]> => {
  const { rows } = await knex.raw<{ rows: { date: string }[] }>(
    `select distinct one.meal_date as date from ordering.orders one
     join ordering.orders other on other.meal_date = one.meal_date
     where one.student_id = any(?::int[]) and one.status in ('pending', 'completed')
       and other.student_id = any(?::int[]) and other.status in ('pending', 'completed')
     order by 1 limit 100`,
    [[...some], [...others]],
  )
  return rows.map(({ date }) => date)
}

/** At most 5,000. */
export const openOrdersOf = (knex: Knex, studentIds: readonly number[]): Promise<string[]> =>
  orders(knex)
    .whereIn('student_id', [...studentIds])
    .where('status', 'pending')
    .orderBy('id')
    .limit(5_000)
    .pluck('id')

export const streamsOfUser = async (knex: Knex, userId: number): Promise<string[]> => {
  const ids: string[] = await knex('ordering.orders').where({ user_id: userId }).pluck('id')
  return [...new Set(ids.flatMap((id) => parseOrderId(id)?.lunch ?? []).map(mealSlot.streamOf))]
}
