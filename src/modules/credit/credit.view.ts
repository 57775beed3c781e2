import type { Knex } from 'knex'
import type { CreditKind } from '#contracts/credit'
import { column, type RowOf } from '#kernel/column'
import type { Ngwee } from '#kernel/money'
import type { Reader } from '#platform/database'
import type { Measure } from '#platform/module'
import type { Ports } from '#platform/ports'
import { rowView } from '#platform/projections/row-view'
import {
  creditCharged,
  creditEventTypes,
  creditGiven,
  creditHeld,
  creditPaidOut,
  creditReleased,
  creditSpent,
  creditTakenBack,
  type CreditEvent,
} from './family-credit'

const accountColumns = {
  user_id: column<number>('integer'),
  balance: column<Ngwee>('integer'),
  held: column<Ngwee>('integer'),
}
type AccountRow = RowOf<typeof accountColumns>

export const creditAccountsView = rowView({
  table: 'credit.accounts',
  columns: accountColumns,
  primaryKey: 'user_id',
  events: creditEventTypes,
  key: ({ data }) => String(data.userId),
  evolve: (row: AccountRow | null, { type, data }: CreditEvent): AccountRow => {
    const { balance, held } = row ?? { balance: 0, held: 0 }
    const user_id = data.userId
    switch (type) {
      case creditHeld.type:
        return { user_id, balance: data.balanceAfter, held: held + data.amount }
      case creditSpent.type:
        return { user_id, balance, held: held - data.amount }
      case creditReleased.type:
        return { user_id, balance: data.balanceAfter, held: held - data.amount }
      default:
        return { user_id, balance: data.balanceAfter, held }
    }
  },
})

/** `amount` in ngwee, negative for decreases. */
const entryColumns = {
  id: column<string>('uuid'),
  user_id: column<number>('integer'),
  position: column<string>('text'),
  at: column<string | Date>('timestamptz'),
  kind: column<CreditKind>('text'),
  amount: column<number>('integer'),
  balance_after: column<Ngwee>('integer'),
  order_id: column<string | null>('text'),
  reference: column<string | null>('text'),
  text: column<string>('text'),
}
export type EntryRow = RowOf<typeof entryColumns>

const entryEvents = [
  creditGiven,
  creditHeld,
  creditReleased,
  creditCharged,
  creditTakenBack,
  creditPaidOut,
] as const

export const creditEntriesView = rowView({
  table: 'credit.entries',
  columns: entryColumns,
  primaryKey: 'id',
  events: entryEvents,
  key: ({ id }) => id,
  /** Held credit shows as spent until released. */
  evolve: (_row: EntryRow | null, event): EntryRow => {
    const { id, position, type, data } = event
    const { userId, balanceAfter, at } = data
    const common = { id, position, user_id: userId, at, balance_after: balanceAfter }
    if (type === creditPaidOut.type) {
      const { amount, method, reference } = data
      const text = method === 'given_up' ? 'Given up' : `Paid out (${method.replaceAll('_', ' ')})`
      return { ...common, kind: 'paidOut', amount: -amount, order_id: null, reference, text }
    }
    const { about, text } = data
    const told = { ...common, order_id: about.orderId, reference: about.reference, text }
    switch (type) {
      case creditGiven.type:
        return { ...told, kind: data.kind, amount: data.amount }
      case creditReleased.type:
        return { ...told, kind: 'released', amount: data.amount }
      case creditTakenBack.type:
        return { ...told, kind: 'takenBack', amount: -data.amount }
      case creditHeld.type:
      case creditCharged.type:
        return { ...told, kind: 'spent', amount: -data.amount }
    }
  },
})

const givenColumns = {
  id: column<string>('text'),
  user_id: column<number>('integer'),
  order_id: column<string | null>('text'),
  kind: column<CreditKind>('text'),
  amount: column<Ngwee>('integer'),
  stands: column<boolean>('boolean'),
}
export type GivenRow = RowOf<typeof givenColumns>

export const creditGivenView = rowView({
  table: 'credit.given',
  columns: givenColumns,
  primaryKey: 'id',
  events: [creditGiven, creditTakenBack],
  key: ({ data }) => data.entryId,
  evolve: (row: GivenRow | null, { type, data }): GivenRow | null => {
    if (type === creditTakenBack.type) return row && { ...row, stands: false }
    const { entryId: id, userId: user_id, about, kind, amount } = data
    return { id, user_id, order_id: about.orderId, kind, amount, stands: true }
  },
})

const checkoutColumns = {
  attempt_id: column<string>('uuid'),
  user_id: column<number>('integer'),
  held: column<Ngwee>('integer'),
  spent: column<Ngwee>('integer'),
}
export type CheckoutRow = RowOf<typeof checkoutColumns>

export const creditCheckoutsView = rowView({
  table: 'credit.checkouts',
  columns: checkoutColumns,
  primaryKey: 'attempt_id',
  events: [creditHeld, creditSpent, creditReleased],
  key: ({ data }) => data.attemptId,
  evolve: (row: CheckoutRow | null, { type, data }): CheckoutRow => {
    const before = row ?? { attempt_id: data.attemptId, user_id: data.userId, held: 0, spent: 0 }
    if (type === creditHeld.type) return { ...before, held: before.held + data.amount }
    const spent = type === creditSpent.type ? before.spent + data.amount : before.spent
    return { ...before, held: before.held - data.amount, spent }
  },
})

export const creditViews = [creditAccountsView, creditEntriesView, creditGivenView, creditCheckoutsView]

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

const maxFamilies = 10_000

/** Families with credit, most first, at most 10,000; in ngwee. */
export const creditBalances = async (at: Reader): Promise<AccountRow[]> => {
  const { rows } = await at.query<AccountRow>(
    `select user_id, balance, held from credit.accounts where balance + held > 0
     order by balance + held desc, user_id limit $1`,
    [maxFamilies],
  )
  return rows
}

export const creditMeasures = ({ database: { pool } }: Ports): Measure[] => [
  {
    name: 'tuckshop_credit_balance_ngwee',
    help: 'Credit of all families that can be spent, in ngwee',
    value: async () => (await creditInAll(pool)).balance,
  },
  {
    name: 'tuckshop_credit_held_ngwee',
    help: 'Credit that payments under way hold, in ngwee',
    value: async () => (await creditInAll(pool)).held,
  },
]
