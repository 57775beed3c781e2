import type { EventOf } from '#kernel/event'
import { moneyOf } from '#kernel/meal-line'
import type { Ngwee } from '#kernel/money'
import * as ordering from '#modules/ordering/published'
import * as payments from '#modules/payments/published'
import { refundDue, refundPaidBack } from '#modules/refunds/published'
import * as transfers from '#modules/transfers/published'
import { rowsView, type RowsView } from '#platform/projections/row-view'
import {
  counting,
  type Count,
  type Rows,
  lastOf,
  noReceipt,
  receiptColumns,
  yearOf,
  type ReceiptRow,
} from './receipt'

type DataOf<Type> = EventOf<Type>['data']

const receiptEvents = [
  payments.checkoutStarted,
  payments.promptAsked,
  payments.cardPageChosen,
  payments.paymentVerified,
  payments.paymentMismatched,
  payments.mismatchAccepted,
  payments.remainderWaived,
  transfers.transferConfirmed,
  transfers.transferUndone,
  ordering.lunchOrdered,
  ordering.orderChanged,
  ordering.orderPaymentConfirmed,
  refundDue,
  refundPaidBack,
] as const

/** Numbers in store order, per year. The last number is a row here and commits with the checkpoint, so every rebuild numbers alike. */
export const receiptsView = (zone: string): RowsView =>
  rowsView({
    table: 'books.receipts',
    columns: receiptColumns,
    primaryKey: 'id',
    events: receiptEvents,
    keys: ({ type, data }): string[] => {
      const year = yearOf(data.at, zone)
      const lastReceipt = lastOf('receipt', year)
      const lastNote = lastOf('credit_note', year)
      switch (type) {
        case payments.checkoutStarted.type:
        case payments.promptAsked.type:
        case payments.cardPageChosen.type:
        case payments.paymentMismatched.type:
          return [data.attemptId]
        case payments.paymentVerified.type:
        case payments.mismatchAccepted.type:
        case payments.remainderWaived.type:
          return [data.attemptId, lastReceipt]
        case transfers.transferConfirmed.type:
          return [...transferRows(data), lastReceipt]
        case transfers.transferUndone.type:
          return [...transferRows(data), lastNote]
        case ordering.lunchOrdered.type:
        case ordering.orderChanged.type:
          return [data.orderId]
        case ordering.orderPaymentConfirmed.type:
          return [data.orderId, lastReceipt]
        case refundDue.type:
          return [refundRow(data.refundId)]
        case refundPaidBack.type: {
          const paid = [data.attemptId, ...(data.orderId === null ? [] : [data.orderId])]
          return [data.payoutId, refundRow(data.refundId), ...paid, lastNote]
        }
      }
    },
    evolveRows: (rows: Rows, { type, data }): ReceiptRow[] => {
      const count = counting(rows, yearOf(data.at, zone), data.at)
      const method = payments.methodTold({ type, data })
      switch (type) {
        case payments.checkoutStarted.type:
          return method ? [providerCheckout(data, method)] : []
        case payments.promptAsked.type:
        case payments.cardPageChosen.type:
          return awaited(rows.get(data.attemptId), 'checkout', (row) => [
            { ...row, ...(method && { method }) },
          ])
        case payments.paymentMismatched.type:
          return awaited(rows.get(data.attemptId), 'checkout', (row) => [
            { ...row, ...(method && { method }), amount: data.received ?? row.amount },
          ])
        case payments.paymentVerified.type:
        case payments.mismatchAccepted.type:
          return awaited(rows.get(data.attemptId), 'checkout', (row) =>
            count('receipt', [{ ...row, ...(method && { method }), amount: data.amount }]),
          )
        case payments.remainderWaived.type:
          return awaited(rows.get(data.attemptId), 'checkout', (row) =>
            count('receipt', [{ ...row, amount: row.amount || owedBy(data) }]),
          )
        case ordering.lunchOrdered.type:
          return data.paymentStatus === 'pending' ? [unpaidOrder(data)] : []
        case ordering.orderChanged.type:
          return awaited(rows.get(data.orderId), 'order', (row) => [
            { ...row, amount: Math.max(0, data.meal.price - row.credit) },
          ])
        case transfers.transferConfirmed.type:
          return transferConfirmed(rows, data, count)
        case transfers.transferUndone.type:
          return transferUndone(rows, data, count)
        case ordering.orderPaymentConfirmed.type:
          if (data.transferId !== undefined) return []
          return awaited(rows.get(data.orderId), 'order', (row) => count('receipt', [row]))
        case refundDue.type:
          return [openedRefund(data)]
        case refundPaidBack.type:
          return paidBack(rows, data, count)
      }
    },
  })

const refundRow = (refundId: string): string => `refund ${refundId}`

/** Applies while the row is still of this `kind`. */
const awaited = (
  row: ReceiptRow | undefined,
  kind: ReceiptRow['kind'],
  change: (row: ReceiptRow) => ReceiptRow[],
): ReceiptRow[] => (row?.kind === kind ? change(row) : [])

const providerCheckout = (
  { attemptId, userId }: DataOf<typeof payments.checkoutStarted>,
  method: payments.ProviderMethod,
): ReceiptRow => ({
  ...noReceipt,
  id: attemptId,
  kind: 'checkout',
  user_id: userId,
  attempt_id: attemptId,
  method,
})

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

const paidBack = (rows: Rows, data: DataOf<typeof refundPaidBack>, count: Count): ReceiptRow[] => {
  const { payoutId, refundId, attemptId, orderId, amount, method } = data
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
  return count('credit_note', [note])
}

type Transfer = DataOf<typeof transfers.transferConfirmed> | DataOf<typeof transfers.transferUndone>
type PaidFamily = Transfer['families'][number]

export const receiptOfTransfer = (
  { transferId, confirmationId }: Pick<Transfer, 'transferId' | 'confirmationId'>,
  userId: number,
): string => `${transferId}.${confirmationId}.${userId}`
const noteOf = (transfer: Transfer, userId: number): string => `${receiptOfTransfer(transfer, userId)}.undone`

const transferRows = (transfer: Transfer): string[] =>
  transfer.families.flatMap(({ userId, orders }) => [
    receiptOfTransfer(transfer, userId),
    noteOf(transfer, userId),
    ...orders.map(({ orderId }) => orderId),
  ])

const amountFor = ({ orders, surplus }: PaidFamily): Ngwee =>
  orders.reduce((sum, { amount }) => sum + amount, surplus)

const transferConfirmed = (
  rows: Rows,
  data: DataOf<typeof transfers.transferConfirmed>,
  count: Count,
): ReceiptRow[] => {
  const receipts = data.families.map((family) => ({
    ...noReceipt,
    id: receiptOfTransfer(data, family.userId),
    user_id: family.userId,
    transfer_id: data.transferId,
    transaction_id: data.transactionId,
    orders: family.orders,
    method: data.method,
    amount: amountFor(family),
  }))
  if (receipts.some(({ id }) => rows.has(id))) return []
  const paid = data.families.flatMap(({ userId, orders }) =>
    ordersAt(rows, orders, (order) => ({
      ...order,
      method: data.method,
      receipt_id: order.receipt_id ?? receiptOfTransfer(data, userId),
    })),
  )
  return [...count('receipt', receipts), ...paid]
}

const transferUndone = (
  rows: Rows,
  data: DataOf<typeof transfers.transferUndone>,
  count: Count,
): ReceiptRow[] => {
  const notes = data.families.map((family) => ({
    ...noReceipt,
    id: noteOf(data, family.userId),
    user_id: family.userId,
    receipt_id: receiptOfTransfer(data, family.userId),
    transfer_id: data.transferId,
    transaction_id: rows.get(receiptOfTransfer(data, family.userId))?.transaction_id ?? null,
    orders: family.orders,
    method: data.method,
    amount: amountFor(family),
  }))
  if (notes.some(({ id }) => rows.has(id))) return []
  const unpaid = data.families.flatMap(({ userId, orders }) =>
    ordersAt(rows, orders, (order) =>
      order.receipt_id === receiptOfTransfer(data, userId) ? { ...order, receipt_id: null } : order,
    ),
  )
  return [...count('credit_note', notes), ...unpaid]
}

const ordersAt = (
  rows: Rows,
  orders: PaidFamily['orders'],
  change: (order: ReceiptRow) => ReceiptRow,
): ReceiptRow[] =>
  orders.flatMap(({ orderId }) => {
    const row = rows.get(orderId)
    return row?.kind === 'order' ? [change(row)] : []
  })
