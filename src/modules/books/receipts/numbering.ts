import { lastOf, noReceipt, type Numbered, type ReceiptRow } from './receipt'

export type Rows = ReadonlyMap<string, ReceiptRow>

/** Numbers rows of their year; rows without an amount are left out. */
export const counting =
  (rows: Rows, year: number, at: string) =>
  (kind: Numbered, toCount: readonly ReceiptRow[]): ReceiptRow[] => {
    const id = lastOf(kind, year)
    const last = rows.get(id)?.number ?? 0
    const counted = toCount
      .filter(({ amount }) => amount > 0)
      .map((row, index) => ({ ...row, kind, year, number: last + index + 1, at }))
    return counted.length === 0 ? [] : [...counted, { ...noReceipt, id, year, number: last + counted.length }]
  }

export type Count = ReturnType<typeof counting>
