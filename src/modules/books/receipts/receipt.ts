import type { PayBy } from '#contracts/ordering'
import type { Ngwee } from '#kernel/money'
import { schoolMoment } from '#kernel/school-time'

/**
 * What a row of the receipts is. `receipt`: money that was received. `credit_note`: money of a receipt that went back,
 * or that was never received. Only these two have a number. The others are what the next events are understood by:
 * a card `checkout`, of which no money is ours yet, an `order` that is paid for otherwise, a `refund`; and `last`, the
 * last number of a series in its year.
 */
type ReceiptKind = 'receipt' | 'credit_note' | 'checkout' | 'order' | 'refund' | 'last'

/**
 * Amounts in ngwee, never negative. `receipt_id`: of an order the receipt of its payment, of a credit note the receipt
 * that it corrects. `method` is the payment's, of a credit note too.
 */
export type ReceiptRow = {
  id: string
  kind: ReceiptKind
  year: number | null
  number: number | null
  user_id: number | null
  attempt_id: string | null
  order_id: string | null
  receipt_id: string | null
  refund_id: string | null
  transfer_id: string | null
  /** Of a transfer, where its statement or the office told one. */
  transaction_id: string | null
  /** What of the money of a transfer is for which order; the rest is a surplus. */
  orders: readonly { orderId: string; amount: Ngwee }[] | null
  method: PayBy | null
  amount: Ngwee
  /** What of an order's price credit pays. */
  credit: Ngwee
  at: string | Date | null
}

/** A receipt or a credit note. */
export type CountedRow = ReceiptRow & {
  kind: Numbered
  year: number
  number: number
  method: PayBy
  at: string | Date
}

/** A row of which nothing is told yet. */
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

/** The calendar year of the school's clock in which something is booked. */
export const yearOf = (at: string, zone: string): number =>
  Number(schoolMoment(new Date(at), zone).date.slice(0, 4))

/** The id of the row that tells the last number of a series in its year. */
export const lastOf = (kind: Numbered, year: number): string => `${prefixes[kind]}${year}`

/** A number as people write it: `2026-000123`, of a credit note `CN2026-000012`. */
export const receiptNumber = ({ kind, year, number }: Pick<CountedRow, 'kind' | 'year' | 'number'>): string =>
  `${prefixes[kind]}${year}-${String(number).padStart(6, '0')}`

const written = /^(CN)?(\d{4})-(\d{6,9})$/

/** Null for what is no number of a receipt or credit note. */
export const readReceiptNumber = (text: string) => {
  const [, prefix, year, number] = written.exec(text) ?? []
  if (year === undefined || number === undefined) return null
  const kind: Numbered = prefix === undefined ? 'receipt' : 'credit_note'
  return { kind, year: Number(year), number: Number(number) }
}
