import type { Knex } from 'knex'
import type { StatementMapping } from '#contracts/transfers'
import type { TransferMethod } from '../confirmations/events'
import type { Layout } from './statement-rows.rows'

export type StatementRecord = {
  id: number
  source: string
  file_name: string
  uploaded_by: number
  uploaded_at: Date
}

const statements = (knex: Knex) => knex<StatementRecord>('payments.statements')

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

const mappings = (knex: Knex) => knex('payments.statement_mappings')

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
