import type { PayBy } from '#contracts/ordering'
import { column, type RowOf } from '#kernel/column'
import type { Ngwee } from '#kernel/money'
import { schoolMoment } from '#kernel/school-time'

/**
 * Only `receipt` (money received) and `credit_note` (money returned or never received) are numbered. Helper rows: a card `checkout` before
 * payment, an unpaid `order`, a `refund`, and `last`, a series' last number of the year.
 */
type ReceiptKind = 'receipt' | 'credit_note' | 'checkout' | 'order' | 'refund' | 'last'

/** Amounts in ngwee, not negative. `receipt_id`: an order's receipt, or the receipt a credit note corrects. `method` is the payment's. */
export const receiptColumns = {
  id: column<string>('text'),
  kind: column<ReceiptKind>('text'),
  year: column<number | null>('integer'),
  number: column<number | null>('integer'),
  user_id: column<number | null>('integer'),
  attempt_id: column<string | null>('uuid'),
  order_id: column<string | null>('text'),
  receipt_id: column<string | null>('text'),
  refund_id: column<string | null>('text'),
  transfer_id: column<string | null>('uuid'),
  transaction_id: column<string | null>('text'),
  orders: column<readonly { orderId: string; amount: Ngwee }[] | null>('jsonb'),
  method: column<PayBy | null>('text'),
  amount: column<Ngwee>('integer'),
  credit: column<Ngwee>('integer'),
  at: column<string | Date | null>('timestamptz'),
}
export type ReceiptRow = RowOf<typeof receiptColumns>

export type CountedRow = ReceiptRow & {
  kind: Numbered
  year: number
  number: number
  method: PayBy
  at: string | Date
}

export const noReceipt: ReceiptRow = {
  id: '',
  kind: 'last',
  year: null,
  number: null,
  user_id: null,
  attempt_id: null,
  order_id: null,
  receipt_id: null,
  refund_id: null,
  transfer_id: null,
  transaction_id: null,
  orders: null,
  method: null,
  amount: 0,
  credit: 0,
  at: null,
}

export type Numbered = 'receipt' | 'credit_note'
const prefixes = { receipt: '', credit_note: 'CN' } as const satisfies Record<Numbered, string>

export const yearOf = (at: string, zone: string): number =>
  Number(schoolMoment(new Date(at), zone).date.slice(0, 4))

/** Row id of a series' last number of the year. */
export const lastOf = (kind: Numbered, year: number): string => `${prefixes[kind]}${year}`

/** `2026-000123`; credit notes `CN2026-000012`. */
export const receiptNumber = ({ kind, year, number }: Pick<CountedRow, 'kind' | 'year' | 'number'>): string =>
  `${prefixes[kind]}${year}-${String(number).padStart(6, '0')}`

const written = /^(CN)?(\d{4})-(\d{6,9})$/

export const readReceiptNumber = (text: string) => {
  const [, prefix, year, number] = written.exec(text) ?? []
  if (year === undefined || number === undefined) return null
  const kind: Numbered = prefix === undefined ? 'receipt' : 'credit_note'
  return { kind, year: Number(year), number: Number(number) }
}

export type Rows = ReadonlyMap<string, ReceiptRow>

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
