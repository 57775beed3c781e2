import * as ordering from '#modules/ordering/published'
import * as payments from '#modules/payments/published'
import { refundDue, refundPaidBack } from '#modules/refunds/published'
import type { EventOf } from '#kernel/event'
import { moneyOf } from '#kernel/meal-line'
import type { Ngwee } from '#kernel/money'
import { rowsView, type RowsView } from '#platform/projections/row-view'
import { lastOf, noReceipt, yearOf, type Numbered, type ReceiptRow } from './receipt'

type DataOf<Type> = EventOf<Type>['data']
type Rows = ReadonlyMap<string, ReceiptRow>

const receiptEvents = [
  payments.checkoutStarted,
  payments.paymentVerified,
  payments.paymentMismatched,
  payments.mismatchAccepted,
  payments.remainderWaived,
  ordering.lunchOrdered,
  ordering.orderChanged,
  ordering.orderPaymentConfirmed,
  refundDue,
  refundPaidBack,
] as const

/**
 * Receipts and credit notes with their numbers. The events that make money ours, or give it back, are counted in the
 * one order that they have in the store, by year; the last number of a year is a row of the same table, so numbers, rows
 * and checkpoint are written together, and every rebuild counts alike.
 */
export const receiptsView = (zone: string): RowsView =>
  rowsView({
    table: 'books.receipts',
    columns: {
      id: 'text',
      kind: 'text',
      year: 'integer',
      number: 'integer',
      user_id: 'integer',
      attempt_id: 'uuid',
      order_id: 'text',
      receipt_id: 'text',
      refund_id: 'text',
      method: 'text',
      amount: 'bigint',
      credit: 'bigint',
      at: 'timestamptz',
    },
    primaryKey: 'id',
    events: receiptEvents,
    keys: ({ type, data }): string[] => {
      const lastReceipt = lastOf('receipt', yearOf(data.at, zone))
      switch (type) {
        case payments.checkoutStarted.type:
        case payments.paymentMismatched.type:
          return [data.attemptId]
        case payments.paymentVerified.type:
        case payments.mismatchAccepted.type:
        case payments.remainderWaived.type:
          return [data.attemptId, lastReceipt]
        case ordering.lunchOrdered.type:
        case ordering.orderChanged.type:
          return [data.orderId]
        case ordering.orderPaymentConfirmed.type:
          return [data.orderId, lastReceipt]
        case refundDue.type:
          return [refundRow(data.refundId)]
        case refundPaidBack.type: {
          const paid = [data.attemptId, ...(data.orderId === null ? [] : [data.orderId])]
          const lastNote = lastOf('credit_note', yearOf(data.at, zone))
          return [data.payoutId, refundRow(data.refundId), ...paid, lastNote]
        }
      }
    },
    evolveRows: (rows: Rows, { type, data }): ReceiptRow[] => {
      const count = counting(rows, zone)
      switch (type) {
        case payments.checkoutStarted.type:
          return data.kind === 'card' ? [cardCheckout(data)] : []
        case payments.paymentMismatched.type:
          return awaited(rows.get(data.attemptId), 'checkout', (row) => [
            { ...row, amount: data.received ?? row.amount },
          ])
        case payments.paymentVerified.type:
        case payments.mismatchAccepted.type:
          return awaited(rows.get(data.attemptId), 'checkout', (row) =>
            count('receipt', { ...row, amount: data.amount }, data.at),
          )
        case payments.remainderWaived.type:
          return awaited(rows.get(data.attemptId), 'checkout', (row) =>
            count('receipt', { ...row, amount: row.amount || owedBy(data) }, data.at),
          )
        case ordering.lunchOrdered.type:
          return data.paymentStatus === 'pending' ? [unpaidOrder(data)] : []
        case ordering.orderChanged.type:
          return awaited(rows.get(data.orderId), 'order', (row) => [
            { ...row, amount: Math.max(0, data.meal.price - row.credit) },
          ])
        case ordering.orderPaymentConfirmed.type:
          return awaited(rows.get(data.orderId), 'order', (row) => count('receipt', row, data.at))
        case refundDue.type:
          return [openedRefund(data)]
        case refundPaidBack.type:
          return paidBack(rows, data, count)
      }
    },
  })

const refundRow = (refundId: string): string => `refund ${refundId}`

/** Does something with the row while it is still what `kind` says. */
const awaited = (
  row: ReceiptRow | undefined,
  kind: ReceiptRow['kind'],
  change: (row: ReceiptRow) => ReceiptRow[],
): ReceiptRow[] => (row?.kind === kind ? change(row) : [])

/** Gives a row the next number of its year; one of no amount gets none. */
const counting = (rows: Rows, zone: string) => (kind: Numbered, row: ReceiptRow, at: string) => {
  if (row.amount === 0) return []
  const year = yearOf(at, zone)
  const id = lastOf(kind, year)
  const number = (rows.get(id)?.number ?? 0) + 1
  return [
    { ...row, kind, year, number, at },
    { ...noReceipt, id, year, number },
  ]
}

type Count = ReturnType<typeof counting>

const cardCheckout = ({ attemptId, userId }: DataOf<typeof payments.checkoutStarted>): ReceiptRow => ({
  ...noReceipt,
  id: attemptId,
  kind: 'checkout',
  user_id: userId,
  attempt_id: attemptId,
  method: 'card',
})

/** What was received and goes back, where the provider did not say how much was received. */
const owedBy = ({ lines, surplus }: DataOf<typeof payments.remainderWaived>): Ngwee =>
  lines.reduce((sum, { amount }) => sum + amount, surplus)

const unpaidOrder = (order: DataOf<typeof ordering.lunchOrdered>): ReceiptRow => ({
  ...noReceipt,
  id: order.orderId,
  kind: 'order',
  user_id: order.userId,
  attempt_id: order.attemptId,
  order_id: order.orderId,
  method: order.payBy ?? 'other',
  amount: moneyOf(order),
  credit: order.credit ?? 0,
})

const openedRefund = ({ refundId, userId }: DataOf<typeof refundDue>): ReceiptRow => ({
  ...noReceipt,
  id: refundRow(refundId),
  kind: 'refund',
  user_id: userId,
})

/** A credit note, unless the money became credit or nobody wants it back. */
const paidBack = (rows: Rows, data: DataOf<typeof refundPaidBack>, count: Count): ReceiptRow[] => {
  const { payoutId, refundId, attemptId, orderId, amount, method, at } = data
  if (method === 'credit' || method === 'given_up' || rows.has(payoutId)) return []
  const paid = rows.get(orderId ?? '') ?? rows.get(attemptId)
  const note: ReceiptRow = {
    ...noReceipt,
    id: payoutId,
    user_id: rows.get(refundRow(refundId))?.user_id ?? null,
    attempt_id: attemptId,
    order_id: orderId,
    receipt_id: paid?.kind === 'receipt' ? paid.id : (paid?.receipt_id ?? null),
    refund_id: refundId,
    method: paid?.method ?? 'other',
    amount,
  }
  return count('credit_note', note, at)
}
