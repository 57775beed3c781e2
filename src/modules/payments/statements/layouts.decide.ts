import type { StatementColumn, StatementMapping } from '#contracts/statements'
import { hasHead } from '#kernel/table-heads'

/** The heads that a layout is assumed to have for each column; which of them a file has is taken. */
type KnownLayout = {
  name: 'airtel' | 'mtn'
  heads: Partial<Record<StatementColumn | 'type', readonly string[]>>
  /** What a file must have to be taken for it. */
  needed: readonly StatementColumn[]
}

// Real exports differ: docs/statements.md says what was assumed, and the mapping on screen reads any other.
const layouts: readonly KnownLayout[] = [
  {
    name: 'mtn',
    heads: {
      transactionId: ['Id', 'Financial Transaction Id', 'Transaction Id'],
      at: ['Date', 'Transaction Date', 'Completed Date'],
      amount: ['Amount'],
      payer: ['From name', 'From handler name'],
      phone: ['From', 'From FRI', 'From MSISDN'],
      text: ['To message', 'Payee note', 'Message', 'Payer message', 'From message'],
      status: ['Status'],
      type: ['Type', 'Transaction Type'],
    },
    needed: ['transactionId', 'at', 'amount', 'payer', 'phone', 'status'],
  },
  {
    name: 'airtel',
    heads: {
      transactionId: ['Transaction ID', 'Txn ID', 'Airtel Money ID', 'Transfer ID'],
      at: ['Transaction Date', 'Transaction Date & Time', 'Transaction Date and Time', 'Date & Time', 'Date'],
      amount: ['Transaction Amount', 'Amount', 'Amount (ZMW)', 'Transaction Value'],
      in: ['Credit', 'Amount Received', 'Paid In'],
      out: ['Debit', 'Paid Out'],
      payer: ['Sender Name', 'Payer Name', 'Customer Name', 'From Name'],
      phone: ['Sender MSISDN', 'Payer MSISDN', 'Sender Mobile Number', 'Customer MSISDN', 'MSISDN'],
      text: ['Reference', 'Reference Number', 'Reference No', 'Reference No.', 'Remarks', 'Payer Reference'],
      status: ['Transaction Status', 'Status'],
      type: ['Service Type', 'Transaction Type', 'Type'],
    },
    needed: ['transactionId', 'at', 'phone', 'status'],
  },
]

/** How a file is read: its columns' heads; `type` is known of recognised layouts alone. */
export type Columns = StatementMapping & { type?: string | undefined }

/** The layout that a file's heads are of; null: neither Airtel's nor MTN's. */
export const recognisedLayout = (
  heads: readonly string[],
): { name: 'airtel' | 'mtn'; columns: Columns } | null => {
  for (const { name, heads: known, needed } of layouts) {
    const columns = Object.fromEntries(
      Object.entries(known).flatMap(([column, names]) => {
        const head = names.find((wanted) => hasHead(heads, wanted))
        return head === undefined ? [] : [[column, head]]
      }),
    ) as Columns
    const money = columns.amount !== undefined || columns.in !== undefined
    if (money && needed.every((column) => columns[column] !== undefined))
      return { name, columns: oneAmount(columns) }
  }
  return null
}

// A file with both is read by what came in alone: its amount may be without a sign.
const oneAmount = ({ amount, ...columns }: Columns): Columns =>
  columns.in === undefined && amount !== undefined ? { ...columns, amount } : columns
