import type { Knex } from 'knex'
import type { Ngwee } from '#kernel/money'
import type { Reader } from '#platform/database'
import type { AccountRow, EntryRow } from './credit.view'

const maxEntries = 500

export const accountOf = async (knex: Knex, userId: number): Promise<Omit<AccountRow, 'user_id'>> =>
  (await knex<AccountRow>('credit.accounts').where({ user_id: userId }).first('balance', 'held')) ?? {
    balance: 0,
    held: 0,
  }

/** Newest first, at most 500. */
export const entriesOf = (knex: Knex, userId: number): Promise<EntryRow[]> =>
  knex<EntryRow>('credit.entries')
    .where({ user_id: userId })
    .orderBy([
      { column: 'position', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(maxEntries)

export const checkoutsThatSpent = (knex: Knex) => (): Promise<string[]> =>
  knex('credit.checkouts').where('spent', '>', 0).pluck('attempt_id')

export const checkoutsThatHold = (knex: Knex) => (): Promise<string[]> =>
  knex('credit.checkouts').where('held', '>', 0).pluck('attempt_id')

export const ordersCharged = (knex: Knex) => (): Promise<string[]> =>
  knex('credit.entries').where('kind', 'spent').whereNotNull('order_id').distinct().pluck('order_id')

export const ordersGivenCredit =
  (knex: Knex) =>
  (reason: 'order' | 'absence'): Promise<string[]> =>
    knex('credit.given').where('stands', true).whereLike('id', `${reason}/%`).distinct().pluck('order_id')

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

/** In ngwee; on the pool or within a transaction. */
export const creditInAll = async (at: Reader): Promise<{ balance: Ngwee; held: Ngwee }> => {
  const { rows } = await at.query<{ balance: number; held: number }>(
    'select coalesce(sum(balance), 0)::float8 as balance, coalesce(sum(held), 0)::float8 as held from credit.accounts',
  )
  return rows[0]!
}
