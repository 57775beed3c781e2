import type { StatementMapping, StatementColumn } from '#contracts/transfers'
import { indexOfHead, headerFinder } from '#kernel/csv-headers'
import { isDirectionHead } from '#kernel/parse-amount'

type Line = { cells: readonly string[] }

const accountHeads: readonly (readonly [string, string])[] = [
  ['From', 'To'],
  ['From FRI', 'To FRI'],
  ['From MSISDN', 'To MSISDN'],
  ['Sender MSISDN', 'Receiver MSISDN'],
  ['Payer MSISDN', 'Payee MSISDN'],
  ['Sender Mobile Number', 'Receiver Mobile Number'],
]

export const isOwnNumber = (phone: string, ownNumbers: readonly string[]): boolean =>
  phone !== '' && ownNumbers.map(accountKey).includes(accountKey(phone))

type Way = 'in' | 'out' | 'unknown'
/** `unclear`: several accounts, or none, could be the school's. */
export type AccountsRead = ((cells: readonly string[]) => Way) | 'unclear' | null

const accountKey = (cell: string): string =>
  /\d{9,}/.exec(cell.replaceAll(/[\s()+-]/g, ''))?.[0].slice(-9) ?? cell.replaceAll(/\s/g, '').toUpperCase()

/** The school's own account is in every row, or alone in nearly every row; `ownNumbers` decide ties. Null without accounts in the file. */
export const accountsOf = (
  { heads, rows }: { heads: readonly string[]; rows: readonly Line[] },
  ownNumbers: readonly string[],
): AccountsRead => {
  const places = accountHeads.map((pair) => pair.map((head) => indexOfHead(heads, head)))
  const [from, to] = places.find((pair) => !pair.includes(-1)) ?? []
  if (from === undefined || to === undefined) return null
  const partiesOf = (cells: readonly string[]) =>
    [from, to].map((place) => accountKey(cells[place] ?? '')) as [string, string]
  const parties = rows.map(({ cells }) => partiesOf(cells)).filter((pair) => pair.some((key) => key !== ''))
  const numbered = parties.filter((pair) => pair.some((key) => /^\d{9}$/.test(key)))
  const own = ownAccount(parties, ownNumbers.map(accountKey))
  // Non-numbers may be no accounts.
  if (own === null) return numbered.length * 2 <= parties.length ? null : 'unclear'
  return (cells) => {
    const [payer, payee] = partiesOf(cells)
    if (payer === own) return 'out'
    return payee === own ? 'in' : 'unknown'
  }
}

const nearlyAll = 0.9

const ownAccount = (
  parties: readonly (readonly [string, string])[],
  ownNumbers: readonly string[],
): string | null => {
  const counts = new Map<string, number>()
  for (const pair of parties)
    for (const key of new Set(pair)) if (key !== '') counts.set(key, (counts.get(key) ?? 0) + 1)
  const inAtLeast = (rows: number) => [...counts].flatMap(([key, count]) => (count >= rows ? [key] : []))
  const everywhere = inAtLeast(parties.length)
  const candidates = everywhere.length > 0 ? everywhere : inAtLeast(parties.length * nearlyAll)
  if (candidates.length === 1) return candidates[0]!
  const ours = (candidates.length > 0 ? candidates : [...counts.keys()]).filter((key) =>
    ownNumbers.includes(key),
  )
  return ours.length === 1 ? ours[0]! : null
}

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

const balanceHeads = ['Balance', 'Running Balance', 'Balance After', 'Closing Balance', 'Available Balance']

const typeHeads = [
  'Type',
  'Transaction Type',
  'Txn Type',
  'Service Type',
  'Transfer Type',
  'Transfer Subtype',
  'Product',
]

type RecognisedLayout = { name: KnownLayout['name']; columns: StatementMapping }

export const recognisedLayout = (heads: readonly string[], source: string): RecognisedLayout | null => {
  const has = headerFinder(heads)
  const first = (names: readonly string[]) => names.find(has)
  for (const { name, heads: known, needed, enough } of layouts) {
    const columns: StatementMapping = { direction: heads.find(isDirectionHead), balance: first(balanceHeads) }
    for (const [column, names] of Object.entries(known)) columns[column as StatementColumn] = first(names)
    const ways = enough && source.toLowerCase() === name ? [...needed, enough] : needed
    const isIt = ways.some((one) => one.every((column) => columns[column] !== undefined))
    if (isIt && (columns.amount ?? columns.in) !== undefined) return { name, columns: oneAmount(columns) }
  }
  return null
}

/** Columns that say what a payment was; of files whose mapping says nothing of types, by their heads. */
export const typeColumns = (heads: readonly string[], { type, ...columns }: StatementMapping): string[] => {
  if (type !== undefined) return type === null ? [] : [type]
  const isType = headerFinder(typeHeads)
  const isMapped = headerFinder(Object.values(columns).filter((head) => head !== null && head !== undefined))
  const isDirection = (head: string) => columns.direction !== null && isDirectionHead(head)
  return heads.filter((head) => (isType(head) || isDirection(head)) && !isMapped(head))
}

// With both columns, reads the incoming one: the amount may lack a sign.
const oneAmount = (columns: StatementMapping): StatementMapping => {
  const left = columns.in === undefined ? 'in' : 'amount'
  const found = Object.entries(columns).filter(([column, head]) => column !== left && head !== undefined)
  return Object.fromEntries(found) as StatementMapping
}
