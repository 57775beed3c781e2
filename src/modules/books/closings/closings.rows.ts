import type { Knex } from 'knex'
import type { TotalFigures } from '#contracts/books-days'
import type { SchoolDate } from '#kernel/school-time'
import type { ClosedDay } from './closing'

export type ClosingRow = {
  date: SchoolDate
  closed_at: Date
  closed_by: number
  figures: TotalFigures
  hash: string
}

const columns = (knex: Knex) => [knex.raw('date::text as date'), 'closed_at', 'closed_by', 'figures', 'hash']

/** Writes a closed day down; false when it was closed before. */
export const insertClosing = async (
  transaction: Knex.Transaction,
  { date, closedAt, closedBy, figures }: ClosedDay,
  hash: string,
): Promise<boolean> => {
  const inserted: unknown[] = await transaction('books.closings')
    .insert({ date, closed_at: closedAt, closed_by: closedBy, figures: JSON.stringify(figures), hash })
    .onConflict('date')
    .ignore()
    .returning('date')
  return inserted.length > 0
}

export const closingRow = async (knex: Knex, date: SchoolDate): Promise<ClosingRow | undefined> =>
  knex('books.closings').where({ date }).first<ClosingRow | undefined>(columns(knex))

/** The latest closed days, newest first; all of them where no number is given. */
export const closingRows = async (knex: Knex, most?: number): Promise<ClosingRow[]> => {
  const query = knex('books.closings').orderBy('date', 'desc').select<ClosingRow[]>(columns(knex))
  return most === undefined ? query : query.limit(most)
}
