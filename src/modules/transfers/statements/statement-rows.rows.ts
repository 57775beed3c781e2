import type { Knex } from 'knex'
import { mayHold, namesOne, phonesIn, withoutWords, type FamilyWords } from '#platform/names-in-texts'
import type { TransferMethod } from '../events'
import { comparedTransactionId, transferIdFrom, type TransferRow } from '../transfers.view'
import type { Incoming, StatementRow } from './statement-row'

/** Scope of transaction ids. */
export type Layout = 'airtel' | 'mtn' | `csv-${string}`

export const idIn = (layout: Layout, key: string): string =>
  layout === 'airtel' || layout === 'mtn'
    ? transferIdFrom(layout, key)
    : transferIdFrom('other', `${layout}/${key}`)

/** Without a transaction id a payment is known by time, amount, payer and text; equal ones are numbered. */
export const withIds = <Payment extends Incoming>(
  layout: Layout,
  payments: readonly Payment[],
): (Payment & { id: string })[] => {
  const seen = new Map<string, number>()
  return payments.map((payment) => {
    const { at, amount, payer, text, transactionId } = payment
    if (transactionId !== null)
      return { ...payment, id: idIn(layout, `id/${comparedTransactionId(transactionId)}`) }
    const facts = JSON.stringify([at.toISOString(), amount, payer, text])
    const count = (seen.get(facts) ?? 0) + 1
    seen.set(facts, count)
    return { ...payment, id: idIn(layout, `facts/${facts}/${count}`) }
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
  row_key: string
  counted_in: boolean
}

export const leftOutTable = (knex: Knex) => knex('transfers.statement_left_out')

const table = (knex: Knex) => knex<Stored>('transfers.statement_rows')

const rowOf = ({
  statement_id,
  transaction_id,
  transaction_key: _compared,
  row_key: _key,
  counted_in: countedIn,
  at,
  ...facts
}: Stored): StatementRow => ({
  ...facts,
  ...(countedIn && { countedIn }),
  statementId: statement_id,
  transactionId: transaction_id,
  at: new Date(at),
})

export type KeyedPayment = Incoming & { id: string; rowKey: string }

const insertedAtOnce = 1000

export const insertRows = async (
  transaction: Knex.Transaction,
  {
    statementId,
    method,
    countedIn = false,
  }: { statementId: number; method: TransferMethod; countedIn?: boolean },
  payments: readonly KeyedPayment[],
): Promise<string[]> => {
  const added: string[] = []
  for (let start = 0; start < payments.length; start += insertedAtOnce) {
    const slice = payments.slice(start, start + insertedAtOnce)
    const rows = slice.map(({ id, rowKey, at, amount, payer, phone, text, transactionId }) => ({
      id,
      at,
      amount,
      payer,
      phone,
      text,
      statement_id: statementId,
      method,
      transaction_id: transactionId,
      transaction_key: transactionId === null ? null : comparedTransactionId(transactionId),
      row_key: rowKey,
      counted_in: countedIn,
    }))
    const inserted = await table(transaction).insert(rows).onConflict().ignore().returning('id')
    added.push(...inserted.map(({ id }) => id))
  }
  return added
}

/** Of these rows of a file those that somebody counted in, in any upload of it. */
export const keysCountedIn = async (knex: Knex, keys: readonly string[]): Promise<Set<string>> => {
  const rows = await table(knex)
    .where({ counted_in: true })
    .whereRaw('row_key = any(?::text[])', [[...keys]])
    .select('row_key')
  return new Set(rows.map((row) => row.row_key))
}

export const isPaymentKey = async (knex: Knex, rowKey: string): Promise<boolean> =>
  (await table(knex).where({ row_key: rowKey }).first('id')) !== undefined

export const rowsOfStatement = async (knex: Knex, statementId: number): Promise<StatementRow[]> =>
  (await table(knex).where({ statement_id: statementId }).orderBy(['at', 'id'])).map(rowOf)

export const rowsByIds = async (knex: Knex, ids: readonly string[]): Promise<StatementRow[]> =>
  (await table(knex).whereRaw('id = any(?::uuid[])', [[...ids]])).map(rowOf)

export const rowsWithTransaction = async (knex: Knex, transactionId: string): Promise<StatementRow[]> =>
  (await table(knex).where({ transaction_key: comparedTransactionId(transactionId) })).map(rowOf)

// A payment verified by hand under this transaction id is this row's.
export const isItsTransfer = `transfer.confirmed and (transfer.id = row.id
  or (transfer.row_id is null and transfer.transaction_key = row.transaction_key))`

export const openRows = async (knex: Knex): Promise<StatementRow[]> => {
  const rows: Stored[] = await knex('transfers.statement_rows as row')
    .where({ ignored: false })
    .whereRaw(`not exists (select from transfers.transfers transfer where ${isItsTransfer})`)
    .select('row.*')
  return rows.map(rowOf)
}

export const transfersOfRows = async (
  knex: Knex,
  ids: readonly string[],
): Promise<Map<string, TransferRow>> => {
  const transfers: (TransferRow & { of_row: string })[] = await knex('transfers.statement_rows as row')
    .joinRaw(`join transfers.transfers transfer on ${isItsTransfer}`)
    .whereRaw('row.id = any(?::uuid[])', [[...ids]])
    .select('transfer.*', { of_row: 'row.id' })
  return new Map(transfers.map(({ of_row: id, ...transfer }) => [id, transfer]))
}

export const settledCounts = async (knex: Knex, statementIds: readonly number[]) => {
  const paid = `exists (select from transfers.transfers transfer where ${isItsTransfer})`
  const rows: { statement_id: number; confirmed: string; ignored: string }[] = await knex(
    'transfers.statement_rows as row',
  )
    .whereRaw('statement_id = any(?::int[])', [[...statementIds]])
    .groupBy('statement_id')
    .select(
      'statement_id',
      knex.raw(`count(*) filter (where ${paid}) as confirmed`),
      knex.raw(`count(*) filter (where ignored and not ${paid}) as ignored`),
    )
  return new Map(
    rows.map((row) => [row.statement_id, { confirmed: Number(row.confirmed), ignored: Number(row.ignored) }]),
  )
}

export const phonesThatPaid = async (knex: Knex): Promise<{ phone: string; userId: number }[]> =>
  knex('transfers.statement_rows as row')
    .join('transfers.transfers as transfer', 'transfer.id', 'row.id')
    .where('transfer.confirmed', true)
    .whereNotNull('row.phone')
    .distinct('row.phone', knex.raw('unnest(transfer.user_ids) as "userId"'))

/** Erases payers' names, phones and texts for this user, whose payments have these references; rows stay by id. */
export const forgetPayersOf = async (
  knex: Knex,
  { userId, references }: { userId: number; references: readonly string[] },
): Promise<void> => {
  const paid = await knex('transfers.statement_rows as row')
    .joinRaw(
      'join transfers.transfers transfer on transfer.id = row.id or transfer.transaction_key = row.transaction_key',
    )
    .whereRaw('transfer.user_ids @> ?::int[]', [[userId]])
    .select<{ id: string; phone: string | null }[]>('row.id', 'row.phone')
  const phones = paid.flatMap(({ phone }) => phone ?? [])
  await table(knex)
    .whereRaw('id = any(?::uuid[])', [paid.map(({ id }) => id)])
    .orWhereRaw('phone = any(?::text[])', [phones])
    .orWhereRaw(namesOneOf, [[...references]])
    .update(nobody)
  await leftOutTable(knex)
    .whereRaw('phone = any(?::text[])', [phones])
    .orWhereRaw(namesOneOf, [[...references]])
    .update(nobody)
}

const nobody = { payer: null, phone: null, text: null }

const namesOneOf = String.raw`exists (select from unnest(?::text[]) known (reference)
  where upper(text) ~ ('\m' || right(known.reference, 6) || '\M')
    or position('LP' || right(known.reference, 6) in regexp_replace(upper(text), '[^A-Z0-9]', '', 'g')) > 0)`

export const forgetInStatements = async (knex: Knex, words: FamilyWords): Promise<void> => {
  await forgetInRows(() => table(knex), 'id', words)
  await forgetInRows(() => leftOutTable(knex), 'row_key', words)
  const reasons: { row_key: string; reason: string }[] = await mayHold(
    leftOutTable(knex),
    'reason',
    words,
  ).select('*')
  for (const { row_key, reason } of reasons)
    await leftOutTable(knex)
      .where({ row_key })
      .update({ reason: withoutWords(reason, words) })
  const statements = () =>
    knex<Record<'file_name' | 'source', string> & { id: number }>('transfers.statements')
  const named = (await mayHold(statements(), "file_name || ' ' || source", words).select('*')) as {
    id: number
    file_name: string
    source: string
  }[]
  for (const { id, file_name, source } of named)
    await statements()
      .where({ id })
      .update({ file_name: withoutWords(file_name, words), source: withoutWords(source, words) })
}

const forgetInRows = async (
  rows: () => Knex.QueryBuilder,
  key: 'id' | 'row_key',
  words: FamilyWords,
): Promise<void> => {
  await rows()
    .whereRaw(String.raw`right(regexp_replace(phone, '\D', '', 'g'), 9) = any(?::text[])`, [phonesIn(words)])
    .update(nobody)
  const says = "coalesce(payer, '') || ' ' || coalesce(text, '')"
  const found: Record<string, string | null>[] = await mayHold(rows(), says, words).select(
    key,
    'payer',
    'text',
  )
  const theirs = found.filter(
    ({ payer, text }) => namesOne(payer ?? '', words) || namesOne(text ?? '', words),
  )
  const keys = theirs.map((row) => row[key] ?? '')
  await rows().whereRaw(`${key}::text = any(?::text[])`, [keys]).update(nobody)
}

/** Those that paid something or are unknown are left as they are. */
export const setIgnored = async (
  knex: Knex,
  ids: readonly string[],
  ignored: boolean,
): Promise<Set<string>> => {
  const changed: { id: string }[] = await knex('transfers.statement_rows as row')
    .whereRaw('id = any(?::uuid[])', [[...ids]])
    .whereRaw(`not exists (select from transfers.transfers transfer where ${isItsTransfer})`)
    .update({ ignored })
    .returning('id')
  return new Set(changed.map(({ id }) => id))
}
