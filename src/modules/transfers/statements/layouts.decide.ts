import type { StatementColumn, StatementMapping } from '#contracts/transfers'
import { headerFinder } from '#kernel/csv-headers'

type KnownLayout = {
  name: 'airtel' | 'mtn'
  heads: Partial<Record<StatementColumn, readonly string[]>>
  /** One of these sets must be present. */
  needed: readonly (readonly StatementColumn[])[]
  /** Enough when the source is stated, since banks use the same heads. */
  enough?: readonly StatementColumn[]
}

// Assumptions are in docs/statements.md; the on-screen mapping reads other exports.
const layouts: readonly KnownLayout[] = [
  {
    name: 'mtn',
    heads: {
      transactionId: ['Id', 'Financial Transaction Id', 'Transaction Id'],
      at: ['Date', 'Transaction Date', 'Completed Date'],
      amount: ['Amount'],
      payer: ['From name', 'From handler name'],
      phone: ['From', 'From FRI', 'From MSISDN'],
      text: ['To message', 'Note/Message', 'Payee note', 'Message', 'Payer message', 'From message', 'Note'],
      status: ['Status', 'Transaction Status'],
    },
    needed: [['transactionId', 'at', 'amount', 'payer', 'phone', 'status']],
  },
  {
    name: 'airtel',
    heads: {
      transactionId: ['Transaction ID', 'Txn ID', 'Airtel Money ID', 'Transfer ID'],
      at: [
        'Transaction Date',
        'Transaction Date & Time',
        'Transaction Date and Time',
        'Date & Time',
        'Date and Time',
        'Transfer Date',
        'Date',
      ],
      amount: ['Transaction Amount', 'Amount', 'Amount (ZMW)', 'Transaction Value', 'Transfer Value'],
      in: ['Credit', 'Amount Received', 'Paid In'],
      out: ['Debit', 'Paid Out'],
      payer: ['Sender Name', 'Payer Name', 'Customer Name', 'From Name'],
      phone: [
        'Sender MSISDN',
        'Payer MSISDN',
        'Sender Mobile Number',
        'Customer MSISDN',
        'Second Party Account ID',
        'MSISDN',
      ],
      text: [
        'Reference',
        'Reference Number',
        'Reference No',
        'Reference No.',
        'Remarks',
        'Payer Reference',
        'Description',
      ],
      status: ['Transaction Status', 'Transfer Status', 'Status'],
    },
    needed: [
      ['transactionId', 'at', 'phone', 'status'],
      ['transactionId', 'at', 'text', 'status'],
    ],
    enough: ['transactionId', 'at', 'text'],
  },
]

const typeHeads = [
  'Type',
  'Transaction Type',
  'Txn Type',
  'Service Type',
  'Transfer Type',
  'Transfer Subtype',
  'Product',
]

const directionHeads = [
  'Entry Type',
  'Credit/Debit',
  'Debit/Credit',
  'Cr/Dr',
  'Dr/Cr',
  'D/C',
  'C/D',
  'Direction',
  'CR/DB',
  'DB/CR',
  'In/Out',
  '+/-',
  'S/H',
  'Soll/Haben',
  'Sens',
  'Af/Bij',
]
const squeezed = (head: string) => head.toLowerCase().replaceAll(/[\s_/.|-]+/g, '')
const knownDirections = new Set(directionHeads.map(squeezed))

export const isDirectionHead = (head: string): boolean => knownDirections.has(squeezed(head))

export type RecognisedLayout = {
  name: KnownLayout['name']
  columns: StatementMapping
  types: readonly string[]
}

export const recognisedLayout = (heads: readonly string[], source: string): RecognisedLayout | null => {
  const has = headerFinder(heads)
  const first = (names: readonly string[]) => names.find(has)
  for (const { name, heads: known, needed, enough } of layouts) {
    const columns: Partial<StatementMapping> = { direction: heads.find(isDirectionHead) }
    for (const [column, names] of Object.entries(known)) columns[column as StatementColumn] = first(names)
    const ways = enough && source.toLowerCase() === name ? [...needed, enough] : needed
    const isIt = ways.some((one) => one.every((column) => columns[column] !== undefined))
    if (isIt && (columns.amount ?? columns.in) !== undefined) {
      const mapping = oneAmount(columns)
      return { name, columns: mapping, types: typeColumns(heads, mapping) }
    }
  }
  return null
}

/** Type columns not mapped otherwise. */
export const typeColumns = (heads: readonly string[], columns: StatementMapping): string[] => {
  const isType = headerFinder(typeHeads)
  const isMapped = headerFinder(Object.values(columns))
  return heads.filter((head) => (isType(head) || isDirectionHead(head)) && !isMapped(head))
}

// With both columns, reads the incoming one: the amount may lack a sign.
const oneAmount = (columns: Partial<StatementMapping>): StatementMapping => {
  const left = columns.in === undefined ? 'in' : 'amount'
  const found = Object.entries(columns).filter(([column, head]) => column !== left && head !== undefined)
  return Object.fromEntries(found) as StatementMapping
}
