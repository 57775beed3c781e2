import type { Knex } from 'knex'
import type { Ngwee } from '#kernel/money'
import type { Reader } from '#platform/database'
import type { AccountRow, EntryRow } from './credit.view'

const maxEntries = 500

/** What a family may spend and what its checkouts hold, in ngwee; nothing until it had credit. */
export const accountOf = async (knex: Knex, userId: number): Promise<Omit<AccountRow, 'user_id'>> =>
  (await knex<AccountRow>('credit.accounts').where({ user_id: userId }).first('balance', 'held')) ?? {
    balance: 0,
    held: 0,
  }

/** The latest changes of a family's balance, at most 500, newest first. */
export const entriesOf = (knex: Knex, userId: number): Promise<EntryRow[]> =>
  knex<EntryRow>('credit.entries')
    .where({ user_id: userId })
    .orderBy([
      { column: 'position', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(maxEntries)

/** The checkouts that spent credit. */
export const checkoutsThatSpent = (knex: Knex) => (): Promise<string[]> =>
  knex('credit.checkouts').where('spent', '>', 0).pluck('attempt_id')

/** The checkouts that hold credit. */
export const checkoutsThatHold = (knex: Knex) => (): Promise<string[]> =>
  knex('credit.checkouts').where('held', '>', 0).pluck('attempt_id')

/** The orders that took credit when they were changed to a dearer meal. */
export const ordersCharged = (knex: Knex) => (): Promise<string[]> =>
  knex('credit.entries').where('kind', 'spent').whereNotNull('order_id').distinct().pluck('order_id')

/** The orders for which credit stands given because they are cancelled, or because the child is absent. */
export const ordersGivenCredit =
  (knex: Knex) =>
  (reason: 'order' | 'absence'): Promise<string[]> =>
    knex('credit.given').where('stands', true).whereLike('id', `${reason}/%`).distinct().pluck('order_id')

/** What stands given for each of these orders: because it was cancelled, and before that because of an absence. */
export const givenForOrders = async (
  pool: Reader,
  orderIds: readonly string[],
): Promise<Map<string, { owed: Ngwee; before: Ngwee }>> => {
  const { rows } = await pool.query<{ id: string; owed: number; before: number }>(
    `select order_id as id, coalesce(sum(amount) filter (where id like 'order/%'), 0)::int as owed,
       coalesce(sum(amount) filter (where kind = 'absent'), 0)::int as before
     from credit.given where order_id = any($1) and stands group by order_id`,
    [orderIds],
  )
  return new Map(rows.map(({ id, ...sums }) => [id, sums]))
}

/** Of these orders of a family, what stands given because the child is ill, and how much of it the balance does not cover. */
export const absencesSpent = async (
  pool: Reader,
  userId: number,
  orderIds: readonly string[],
): Promise<{ orderId: string; given: Ngwee; spent: Ngwee }[]> => {
  const { rows } = await pool.query<{ orderId: string; given: number; spent: number }>(
    `select order_id as "orderId", amount as given, amount - balance as spent
     from credit.given join credit.accounts using (user_id)
     where user_id = $1 and order_id = any($2) and kind = 'absent' and stands and amount > balance order by order_id`,
    [userId, orderIds],
  )
  return rows
}

/** Of these orders those for which credit was given or taken, each with how often. */
export const entriesOfOrders = async (
  pool: Reader,
  orderIds: readonly string[],
): Promise<Map<string, number>> => {
  const { rows } = await pool.query<{ id: string; count: number }>(
    `select order_id as id, count(*)::int as count from credit.entries where order_id = any($1) group by order_id`,
    [orderIds],
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** All balances together and what checkouts hold, in ngwee; on the pool, or as a transaction sees it. */
export const creditInAll = async (at: Reader): Promise<{ balance: Ngwee; held: Ngwee }> => {
  const { rows } = await at.query<{ balance: number; held: number }>(
    'select coalesce(sum(balance), 0)::float8 as balance, coalesce(sum(held), 0)::float8 as held from credit.accounts',
  )
  return rows[0]!
}
