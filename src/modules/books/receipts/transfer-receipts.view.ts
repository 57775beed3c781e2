import * as transfers from '#modules/transfers/published'
import type { EventOf } from '#kernel/event'
import type { Ngwee } from '#kernel/money'
import { type Count, type Rows, noReceipt, type ReceiptRow } from './receipt'
type DataOf<Type> = EventOf<Type>['data']
type Transfer = DataOf<typeof transfers.transferConfirmed> | DataOf<typeof transfers.transferUndone>
type PaidFamily = Transfer['families'][number]

export const receiptOfTransfer = (
  { transferId, confirmationId }: Pick<Transfer, 'transferId' | 'confirmationId'>,
  userId: number,
): string => `${transferId}.${confirmationId}.${userId}`
const noteOf = (transfer: Transfer, userId: number): string => `${receiptOfTransfer(transfer, userId)}.undone`

export const transferRows = (transfer: Transfer): string[] =>
  transfer.families.flatMap(({ userId, orders }) => [
    receiptOfTransfer(transfer, userId),
    noteOf(transfer, userId),
    ...orders.map(({ orderId }) => orderId),
  ])

const amountFor = ({ orders, surplus }: PaidFamily): Ngwee =>
  orders.reduce((sum, { amount }) => sum + amount, surplus)

export const transferConfirmed = (
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

export const transferUndone = (
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
