import type { Knex } from 'knex'
import type { StatementMapping } from '#contracts/transfers'
import { foldedSql, normalizedCodeSql } from '#kernel/folded-name'
import type { Ngwee } from '#kernel/money'
import type { Reader } from '#platform/database'
import type { Ports } from '#platform/ports'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import type { TransferMethod } from '../events'
import { isItsTransfer, type Layout } from './statement-rows.rows'

export type StatementRecord = {
  id: number
  source: string
  file_name: string
  layout: Layout
  method: TransferMethod
  uploaded_by: number
  uploaded_at: Date
}

const statements = (knex: Knex) => knex<StatementRecord>('transfers.statements')

export const insertStatement = async (
  transaction: Knex.Transaction,
  statement: Omit<StatementRecord, 'id'>,
): Promise<number> => {
  const [row] = await statements(transaction).insert(statement).returning('id')
  return row!.id
}

export const statementsPage = async (knex: Knex, { offset, limit }: { offset: number; limit: number }) => {
  const [rows, counted] = await Promise.all([
    statements(knex)
      .orderBy([
        { column: 'uploaded_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .offset(offset)
      .limit(limit),
    statements(knex).count({ total: '*' }).first(),
  ])
  return { rows, total: Number(counted?.total) }
}

export const statementById = async (knex: Knex, id: number): Promise<StatementRecord | null> =>
  (await statements(knex).where({ id }).first()) ?? null

export type StoredMapping = { layout: Layout; mapping: StatementMapping; method: TransferMethod }

const mappings = (knex: Knex) => knex('transfers.statement_mappings')

export const storedMappings = (knex: Knex, layouts: readonly Layout[]): Promise<StoredMapping[]> =>
  mappings(knex)
    .whereIn('layout', [...layouts])
    .select('layout', 'mapping', 'method')

export const storeMapping = async (
  transaction: Knex.Transaction,
  heads: readonly string[],
  { layout, mapping, method }: StoredMapping,
): Promise<TransferMethod> => {
  const [kept] = await mappings(transaction)
    .insert({ layout, heads: JSON.stringify(heads), mapping: JSON.stringify(mapping), method })
    .onConflict('layout')
    .merge(['mapping'])
    .returning('method')
  return kept.method
}

/** `code` is a `like` pattern; `phone` the end of a number; `words` are folded. */
type RowQuestion = {
  words: readonly string[]
  code: string | null
  phone: string | null
  amount: Ngwee | null
  users: readonly number[]
}

type FoundRow = {
  id: string
  statementId: number
  at: Date
  amount: Ngwee
  payer: string | null
  phone: string | null
  text: string | null
  transactionId: string | null
  state: 'open' | 'confirmed' | 'ignored'
}

/** By transaction id, amount, phone, words, reference or user: open rows first, then newest. Text is scanned row by row. */
export const statementRowsFound = async (
  at: Reader,
  { words, code, phone, amount, users }: RowQuestion,
  limit: number,
): Promise<FoundRow[]> => {
  const { rows } = await at.query<FoundRow>(
    `with picked as (
       select id from transfers.statement_rows
       where transaction_id is not null and ${normalizedCodeSql('transaction_id')} like $2::text
       union
       (select id from transfers.statement_rows where amount = $4 order by at desc limit $6)
       union
       select row_id from transfers.transfers where confirmed and row_id is not null and user_ids && $5::int[]
       union
       (select id from transfers.statement_rows
        where ${phone === null ? byWords : byPhone}
        order by at desc limit 100))
     select row.id, row.statement_id as "statementId", row.at, row.amount, row.payer, row.phone, row.text,
       row.transaction_id as "transactionId", state.is as state
     from transfers.statement_rows row cross join lateral (select case
       when exists (select from transfers.transfers transfer where ${isItsTransfer}) then 'confirmed'
       when row.ignored then 'ignored'
       else 'open' end as is) state
     where row.id in (select id from picked)
     order by (state.is = 'open') desc, row.at desc, row.id limit $6`,
    [words.map(containing), code, phone ?? referenceIn(code), amount, users, limit],
  )
  return rows
}

/** A phone search scans every row. */
const byPhone = `$1::text[] is not null and strpos(translate(concat_ws('|', phone, text), ' -()+./\u00a0', ''), $3) > 0`
const byWords = `${foldedSql("concat_ws('|', payer, text)")} like all($1::text[])
  or ($3::text is not null and strpos(upper(translate(text, ' -./:', '')), $3) > 0)`

const containing = (word: string): string => `%${word.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`

/** Null for a code that could occur by chance. */
const referenceIn = (code: string | null): string | null => {
  const signs = code?.replace('%', '') ?? ''
  return signs.length >= 5 && /\d/.test(signs) ? signs : null
}

/** Neither confirmed nor ignored; without the `or` of `isItsTransfer`, so that it is a hash join. */
export const openRowsCount = async (at: Reader): Promise<{ count: number; amount: Ngwee }> => {
  const { rows } = await at.query<{ count: number; amount: Ngwee }>(
    `select count(*)::int as count, coalesce(sum(amount), 0)::float8 as amount
     from transfers.statement_rows row where not ignored
       and not exists (select from transfers.transfers transfer where transfer.confirmed and transfer.id = row.id)
       and not exists (select from transfers.transfers transfer where transfer.confirmed
         and transfer.row_id is null and transfer.transaction_key = row.transaction_key)`,
  )
  return rows[0]!
}

/** By transaction id, a `like` pattern, or by whole phone; with payers and orders, at most 50. */
export const transfersFound = async (
  at: Reader,
  { code, number }: { code: string | null; number: string | null },
): Promise<{ users: number[]; orderIds: string[] }[]> => {
  const { rows } = await at.query<{ users: number[]; orderIds: string[] }>(
    `select user_ids as users, order_ids as "orderIds" from transfers.transfers
     where transaction_id is not null and ${normalizedCodeSql('transaction_id')} like $1
       or confirmed and phone = $2
     order by confirmed_at desc limit 50`,
    [code, number],
  )
  return rows
}

/** Kept until their year is closed, for late payments. */
const statementsKeptDays = 400

export const statementRetentions = ({ database: { pool }, now }: Ports): Retention[] => {
  const kept = `${statementsKeptDays} days`
  const until = () => new Date(now().getTime() - statementsKeptDays * dayMs)
  const ofOldStatement = 'statement_id in (select id from transfers.statements where uploaded_at < $1)'
  const withoutRows = `uploaded_at < $1
    and not exists (select from transfers.statement_rows row where row.statement_id = statements.id)`
  return [
    {
      name: 'transfers.statement_rows',
      kept,
      remove: deleteUntil(pool, 'transfers.statement_rows', ofOldStatement, until),
    },
    {
      name: 'transfers.statements',
      kept,
      remove: deleteUntil(pool, 'transfers.statements', withoutRows, until),
    },
  ]
}
