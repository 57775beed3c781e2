import { rowView } from '#platform/projections/row-view'
import { transferConfirmed, transferUndone, type PaidFamily, type TransferMethod } from './events'
import { comparedTransactionId } from './transfer-id.rows'

/** As last confirmed; `confirmed` until undone. Amounts in ngwee. */
export type TransferRow = {
  id: string
  confirmed: boolean
  confirmation_id: string
  row_id: string | null
  method: TransferMethod
  transaction_id: string | null
  transaction_key: string | null
  paid_at: string | Date | null
  amount: number
  payer: string | null
  note: string | null
  families: readonly PaidFamily[]
  user_ids: number[]
  order_ids: string[]
  by_user: number
  confirmed_at: string | Date
  changed_at: string | Date
}

export const transfersView = rowView({
  table: 'payments.transfers',
  columns: {
    id: 'uuid',
    confirmed: 'boolean',
    confirmation_id: 'uuid',
    row_id: 'uuid',
    method: 'text',
    transaction_id: 'text',
    transaction_key: 'text',
    paid_at: 'timestamptz',
    amount: 'integer',
    payer: 'text',
    note: 'text',
    families: 'jsonb',
    user_ids: 'integer[]',
    order_ids: 'text[]',
    by_user: 'integer',
    confirmed_at: 'timestamptz',
    changed_at: 'timestamptz',
  },
  primaryKey: 'id',
  events: [transferConfirmed, transferUndone],
  key: ({ data }) => data.transferId,
  evolve: (row: TransferRow | null, { type, data }): TransferRow | null => {
    if (type === transferUndone.type) return row && { ...row, confirmed: false, changed_at: data.at }
    const { transactionId, families, at } = data
    return {
      id: data.transferId,
      confirmed: true,
      confirmation_id: data.confirmationId,
      row_id: data.rowId,
      method: data.method,
      transaction_id: transactionId,
      transaction_key: transactionId === null ? null : comparedTransactionId(transactionId),
      paid_at: data.paidAt,
      amount: data.amount,
      payer: data.payer,
      note: data.note,
      families,
      user_ids: families.map(({ userId }) => userId),
      order_ids: families.flatMap(({ orders }) => orders.map(({ orderId }) => orderId)),
      by_user: data.by,
      confirmed_at: at,
      changed_at: at,
    }
  },
})
