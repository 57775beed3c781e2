import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { LeftOutRow } from '#contracts/csv'
import { kwachaFromNgwee } from '#kernel/money'
import type { RowAside } from './statement-file.decide'
import type { TableLine } from './statement-lines.decide'
import { leftOutTable, type Layout } from './statement-rows.rows'

export type KeyedAside = RowAside & { rowKey: string; isError: boolean }

/** Names each row by its cells, equal ones by their count: the same in every upload of the file. */
export const rowKeysOf = (layout: Layout, rows: readonly TableLine[]): Map<number, string> => {
  const seen = new Map<string, number>()
  return new Map(
    rows.map(({ row, cells }) => {
      const written = JSON.stringify(cells)
      const count = (seen.get(written) ?? 0) + 1
      seen.set(written, count)
      return [row, createHash('sha256').update(`${layout}/${count}/${written}`).digest('hex').slice(0, 40)]
    }),
  )
}

/** As replies have it, with the amount in kwacha. */
export const leftOutRowOf = ({
  row,
  reason,
  amount,
}: Pick<RowAside, 'row' | 'reason' | 'amount'>): LeftOutRow => ({
  row,
  reason,
  amount: amount === null ? null : kwachaFromNgwee(amount),
})

const insertedAtOnce = 1000

export const insertLeftOut = async (
  transaction: Knex.Transaction,
  statementId: number,
  asides: readonly KeyedAside[],
): Promise<void> => {
  for (let start = 0; start < asides.length; start += insertedAtOnce)
    await leftOutTable(transaction).insert(
      asides
        .slice(start, start + insertedAtOnce)
        .map(({ row, rowKey, isError, transactionId, ...facts }) => ({
          ...facts,
          statement_id: statementId,
          file_row: row,
          row_key: rowKey,
          is_error: isError,
          transaction_id: transactionId,
        })),
    )
}

type Stored = Omit<RowAside, 'row' | 'transactionId'> & {
  file_row: number
  row_key: string
  is_error: boolean
  transaction_id: string | null
}

/** Without those that somebody has counted in. */
export const leftOutPage = async (
  knex: Knex,
  statementId: number,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: LeftOutRow[]; total: number }> => {
  const found = () =>
    leftOutTable(knex)
      .where({ statement_id: statementId, is_error: false })
      .whereRaw(
        'not exists (select from transfers.statement_rows row where row.row_key = statement_left_out.row_key and row.counted_in)',
      )
  const [rows, counted] = await Promise.all([
    found().orderBy('file_row').offset(offset).limit(limit).select('file_row', 'reason', 'amount') as Promise<
      Stored[]
    >,
    found().count({ total: '*' }).first(),
  ])
  return {
    rows: rows.map(({ file_row: row, reason, amount }) => leftOutRowOf({ row, reason, amount })),
    total: Number(counted?.['total']),
  }
}

export const leftOutRow = async (
  knex: Knex,
  statementId: number,
  row: number,
): Promise<KeyedAside | null> => {
  const found: Stored | undefined = await leftOutTable(knex)
    .where({ statement_id: statementId, file_row: row })
    .first()
  if (!found) return null
  const {
    file_row: _row,
    row_key: rowKey,
    is_error: isError,
    transaction_id: transactionId,
    ...facts
  } = found
  return { ...facts, row, rowKey, isError, transactionId }
}
