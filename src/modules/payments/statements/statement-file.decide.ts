import type { StatementColumn } from '#contracts/statements'
import { indexOfHead } from '#kernel/table-heads'
import { ngweeFromText } from '#kernel/written-amount'
import { dayOrderOf, instantFromText, type DayOrder } from '#kernel/written-date'
import type { Columns } from './layouts.decide'
import type { Incoming } from './statement-row'

type Line = { row: number; cells: readonly string[] }

/** What is wrong with a row; `row` as a spreadsheet counts it. */
type RowProblem = { row: number; message: string }

export type ReadStatement = {
  /** How many lines stand below the head. */
  rows: number
  incoming: Incoming[]
  errors: RowProblem[]
}

// Whole ngwee of a column of the database; no transfer to a school comes near it.
const largestAmount = 2_000_000_000

const done = /success|complete|settled|posted|processed|paid|approved|credited|^(ok|done|ts)$/i
const notDone =
  /fail|unsuccess|not success|unpaid|incomplete|revers|pending|process(?!ed)|declin|reject|cancel|expired|refund|error|^(tf|ta|tip|tp)$/i
const outgoing = /refund|revers|withdraw|cash ?out|charge|\bfee\b|disburse|debit|payout|b2c|airtime/i
const shortenedNumber = /^\d([.,]\d+)?E\+\d+$/i

/**
 * Reads the lines of a statement below its head as incoming payments: only money that came in successfully counts; what
 * cannot be read is reported and left out. Dates without an offset are of the school's `zone`.
 */
export const readStatement = (
  lines: readonly Line[],
  { heads, columns, zone }: { heads: readonly string[]; columns: Columns; zone: string },
): ReadStatement => {
  const read = cellReader(heads, columns)
  const order = dayOrderOf(lines.map(({ cells }) => read(cells, 'at')))
  const isPaidByUs = paidByOneself(heads, lines)
  const incoming: Incoming[] = []
  const errors: RowProblem[] = []
  for (const { row, cells } of lines) {
    const cell = (column: Column) => read(cells, column)
    if (isPaidByUs(cells)) continue
    const found = readLine(cell, columns, order, zone)
    if (typeof found === 'string') errors.push({ row, message: found })
    else if (found !== null) incoming.push(found)
  }
  return { rows: lines.length, incoming, errors }
}

type Column = StatementColumn | 'type'

/** A cell by its column, without what spreadsheets put around it; '' where there is none. */
const cellReader = (heads: readonly string[], columns: Columns) => {
  const places = new Map(
    Object.entries(columns).map(([column, head]) => [
      column,
      head === undefined ? -1 : indexOfHead(heads, head),
    ]),
  )
  return (cells: readonly string[], column: Column): string =>
    (cells[places.get(column) ?? -1] ?? '')
      .replace(/^="(.*)"$/, '$1')
      .replace(/^'/, '')
      .trim()
}

/** The payment of a line; null where no money came in, a text where it cannot be read. */
const readLine = (
  cell: (column: Column) => string,
  columns: Columns,
  order: DayOrder,
  zone: string,
): Incoming | string | null => {
  const money = cell(columns.in === undefined ? 'amount' : 'in')
  if (money === '' || outgoing.test(cell('type'))) return null
  const amount = ngweeFromText(money)
  // A dash or a zero stands where nothing came in; a repeated head is no payment.
  if (amount === null && (/^[-–—]$/.test(money) || cell('at') === columns.at)) return null
  if (amount === null) return `The amount ${money} cannot be read`
  if (amount <= 0) return null
  if (amount > largestAmount) return `The amount ${money} is too large`
  const status = columns.status === undefined ? null : cell('status')
  if (status === '' || (status !== null && notDone.test(status))) return null
  if (status !== null && !done.test(status)) return `Nobody knows whether ${status} means that the money came`
  // The sum at the end of a statement has an amount and no date.
  if (cell('at') === '') return null
  const at = instantFromText(cell('at'), order, zone)
  if (at === null) return `The date ${cell('at')} cannot be read`
  const transactionId = written(cell('transactionId'), 100)
  if (transactionId !== null && shortenedNumber.test(transactionId))
    return `A spreadsheet has shortened the transaction id to ${transactionId}. Download the file again and upload it as it is.`
  return {
    at,
    amount,
    payer: written(cell('payer'), 200),
    phone: phoneIn(cell('phone')),
    text: written(cell('text'), 500),
    transactionId,
  }
}

/** What stands in a cell, on one line; null for nothing and what stands for nothing. */
const written = (text: string, most: number): string | null => {
  const plain = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return plain === '' || /^(-+|n\/?a|null|none|nil)$/i.test(plain) ? null : plain.slice(0, most)
}

/** The number in `FRI:260977123456/MSISDN`, `+260 977 123 456` or `0977-123456`. */
const phoneIn = (text: string): string | null =>
  /\+?\d{9,15}/.exec(text.replaceAll(/[\s()-]/g, ''))?.[0] ?? null

/** In a mobile money statement most of the rows are paid to the school itself; tells the rows that are paid by it. */
const paidByOneself = (heads: readonly string[], lines: readonly Line[]) => {
  const [from, to] = [indexOfHead(heads, 'From'), indexOfHead(heads, 'To')]
  if (from === -1 || to === -1) return () => false
  const counts = new Map<string, number>()
  for (const { cells } of lines) counts.set(cells[to] ?? '', (counts.get(cells[to] ?? '') ?? 0) + 1)
  counts.delete('')
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one)
  return (cells: readonly string[]) => most !== undefined && cells[from] === most[0]
}
