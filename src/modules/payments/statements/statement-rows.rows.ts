import type { Knex } from 'knex'
import { v5 } from 'uuid'
import { transactionKey, type Incoming, type StatementRow, type TransferMethod } from './statement-row'

const namespace = '5b1e0c52-6a0f-4c83-8f57-3d1c2a9e7b44'

/** The id of the transfer with this transaction id. `layout`: of its statement, or how it was said to be paid. */
export const transferIdOf = (layout: string, transactionId: string): string =>
  v5(`${layout}/id/${transactionKey(transactionId)}`, namespace)

/**
 * These payments of one file with their ids. One without a transaction id is known by its time, amount, payer and text; the
 * nth of those that are equal is the nth payment.
 */
export const withIds = (layout: string, payments: readonly Incoming[]): (Incoming & { id: string })[] => {
  const seen = new Map<string, number>()
  return payments.map((payment) => {
    const { at, amount, payer, text, transactionId } = payment
    if (transactionId !== null) return { ...payment, id: transferIdOf(layout, transactionId) }
    const facts = JSON.stringify([at.toISOString(), amount, payer, text])
    const count = (seen.get(facts) ?? 0) + 1
    seen.set(facts, count)
    return { ...payment, id: v5(`${layout}/facts/${facts}/${count}`, namespace) }
  })
}

type Stored = {
  id: string
  statement_id: number
  method: TransferMethod
  at: Date
  amount: number
  payer: string | null
  phone: string | null
  text: string | null
  transaction_id: string | null
  transaction_key: string | null
  ignored: boolean
}

const table = (knex: Knex) => knex<Stored>('payments.statement_rows')

const rowOf = ({
  id,
  method,
  at,
  amount,
  payer,
  phone,
  text,
  transaction_id,
  ignored,
}: Stored): StatementRow => ({
  id,
  method,
  at: new Date(at),
  amount,
  payer,
  phone,
  text,
  transactionId: transaction_id,
  ignored,
})

const insertedAtOnce = 1000

/** Adds those of these payments that are new; answers how many were. */
export const insertRows = async (
  transaction: Knex.Transaction,
  { statementId, method }: { statementId: number; method: TransferMethod },
  payments: readonly (Incoming & { id: string })[],
): Promise<number> => {
  let added = 0
  for (let start = 0; start < payments.length; start += insertedAtOnce) {
    const rows = payments.slice(start, start + insertedAtOnce).map(({ transactionId, ...facts }) => ({
      ...facts,
      statement_id: statementId,
      method,
      transaction_id: transactionId,
      transaction_key: transactionId === null ? null : transactionKey(transactionId),
    }))
    const inserted = await table(transaction).insert(rows).onConflict('id').ignore().returning('id')
    added += inserted.length
  }
  return added
}

/** The rows that a statement added, in the order of their time. */
export const rowsOfStatement = async (knex: Knex, statementId: number): Promise<StatementRow[]> =>
  (await table(knex).where({ statement_id: statementId }).orderBy(['at', 'id'])).map(rowOf)

/** These rows; those that nobody has are left out. */
export const rowsByIds = async (knex: Knex, ids: readonly string[]): Promise<StatementRow[]> =>
  (await table(knex).whereRaw('id = any(?::uuid[])', [[...ids]])).map(rowOf)

/** The rows with this transaction id, whatever statement they are of. */
export const rowsWithTransaction = async (knex: Knex, transactionId: string): Promise<StatementRow[]> =>
  (await table(knex).where({ transaction_key: transactionKey(transactionId) })).map(rowOf)
