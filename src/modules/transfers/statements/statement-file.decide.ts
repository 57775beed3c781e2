import type { StatementColumn, StatementMapping } from '#contracts/transfers'
import { indexOfHead, otherCurrency } from '#kernel/csv-headers'
import { amountFromText, directionOf, outcomeOf, type ParsedAmount } from '#kernel/parse-amount'
import { dateReader, type DateReader } from '#kernel/parse-date'
import { accountsOf, isOwnNumber, type AccountsRead, typeColumns } from './layouts.decide'
import { checkTransactionIds, type Incoming, type IncomingRow } from './statement-row'

type Line = { row: number; cells: readonly string[] }

type RowProblem = { row: number; message: string }

export type Table = { heads: readonly string[]; rows: readonly Line[]; errors: readonly RowProblem[] }

export type Reading = {
  columns: StatementMapping
  ownNumbers: readonly string[]
  idKey: (transactionId: string) => string
  zone: string
  now: Date
}

export type ReadStatement = {
  rows: number
  incoming: IncomingRow[]
  errors: RowProblem[]
  /** Why nothing counts: unknown own account, or invalid transaction ids. */
  doubt: { about: 'own account' } | { about: 'transaction ids'; why: string } | null
}

// Maximum ngwee of an integer column.
const maxAmount = 2_000_000_000

/** Successful incoming money only; uncertain rows are reported. Dates without offset are in `zone`. Yields per row, for `inSlices`. */
export function* readStatement(table: Table, reading: Reading): Generator<undefined, ReadStatement> {
  const lines = yield* moneyLines(table, reading)
  const accounts = accountsIn(table, lines, reading)
  const dates = lines.map(({ cell }) => cell('at'))
  const how: How = {
    readDate: dateReader(dates, reading),
    isMarked: lines.some(({ amount }) => amount && ['plus', 'credit', 'debit'].includes(amount.told)),
    hasDirection: reading.columns.direction !== undefined,
    currencyOf: otherCurrency(table.heads),
    wayOf: accounts === 'unclear' ? null : accounts,
  }
  const read: IncomingRow[] = []
  const errors = [...table.errors]
  for (const line of lines) {
    const found = line.isOutgoing ? null : readLine(line, how)
    if (typeof found === 'string') errors.push({ row: line.row, message: found })
    else if (found !== null) read.push({ row: line.row, ...found })
    yield
  }
  const ids = checkTransactionIds(read, reading.idKey)
  const noIds = ids.noIds === null ? null : ({ about: 'transaction ids', why: ids.noIds } as const)
  return {
    rows: table.rows.length + table.errors.length,
    incoming: ids.payments,
    errors: [...errors, ...ids.errors].toSorted((one, other) => one.row - other.row),
    doubt: accounts === 'unclear' ? { about: 'own account' } : noIds,
  }
}

type Cell = (column: StatementColumn) => string

/** Not failed; `amount` null: unreadable. */
type MoneyLine = Line & { cell: Cell; money: string; amount: ParsedAmount | null; isOutgoing: boolean }

const outgoing =
  /refund|revers|withdraw|cash ?out|charge|\bfees?\b|disburse|debit|payout|b2c|airtime|commission|\blevy\b|\btax\b|salar|payroll|merchant to|to (bank|customer)\b/i

function* moneyLines(
  { heads, rows }: Table,
  { columns, ownNumbers }: Reading,
): Generator<undefined, MoneyLine[]> {
  const places = new Map(Object.entries(columns).map(([column, head]) => [column, indexOfHead(heads, head)]))
  const typePlaces = typeColumns(heads, columns).map((head) => indexOfHead(heads, head))
  const textIn = (cells: readonly string[], column: string) => bare(cells[places.get(column) ?? -1] ?? '')
  // The school's own number in every row is not the payer's.
  const isOwn = (cells: readonly string[]) => isOwnNumber(textIn(cells, 'phone'), ownNumbers)
  const hasPayers = rows.some(({ cells }) => !isOwn(cells))
  const lines: MoneyLine[] = []
  for (const { row, cells } of rows) {
    yield
    const cell: Cell = (column) => textIn(cells, column)
    const money = cell(columns.in === undefined ? 'amount' : 'in')
    // Dashes mean nothing came in; skips repeated heads.
    if (money === '' || /^[-–—]$/.test(money) || cell('at') === columns.at) continue
    if (columns.status !== undefined && isNoStatusOfMoney(cell('status'))) continue
    const isOutgoing =
      (hasPayers && isOwn(cells)) ||
      typePlaces.some((place) => outgoing.test(cells[place]!) || directionOf(cells[place]!) === 'out')
    lines.push({ row, cells, cell, money, amount: amountFromText(money), isOutgoing })
  }
  return lines
}

const isNoStatusOfMoney = (status: string): boolean => {
  const outcome = outcomeOf(status)
  return status === '' || outcome === 'failed' || outcome === 'taken back'
}

const bare = (cell: string): string =>
  cell
    .replace(/^="(.*)"$/, '$1')
    .replace(/^'/, '')
    .trim()

/** Used when nothing else tells direction. */
const accountsIn = (
  { heads, rows }: Table,
  lines: readonly MoneyLine[],
  { columns, ownNumbers }: Reading,
): AccountsRead => {
  if (columns.direction !== undefined || columns.in !== undefined) return null
  // Failed rows also show the school's account; fees may not.
  const read = accountsOf({ heads, rows }, ownNumbers)
  const accounts =
    read === 'unclear'
      ? accountsOf({ heads, rows: lines.filter(({ isOutgoing }) => !isOutgoing) }, ownNumbers)
      : read
  const hasSigns = lines.some(({ amount }) => amount && amount.ngwee < 0)
  return accounts === 'unclear' && hasSigns ? null : accounts
}

type How = {
  readDate: DateReader
  /** Some amounts are signed, so unsigned ones are not. */
  isMarked: boolean
  hasDirection: boolean
  currencyOf: (cells: readonly string[]) => string | null
  wayOf: ((cells: readonly string[]) => 'in' | 'out' | 'unknown') | null
}

/** Null: no money came in; a text: unreadable. */
const readLine = (line: MoneyLine, how: How): Incoming | string | null => {
  const { cell, money, amount } = line
  if (amount === null) return `The amount ${money} cannot be read`
  if (amount.ngwee === 0) return null
  if (Math.abs(amount.ngwee) > maxAmount) return `The amount ${money} is too large`
  // The final sum has an amount without a date.
  if (cell('at') === '') return null
  const way = how.hasDirection ? toldWay(line, amount) : amountWay(line, amount, how)
  if (way !== 'in') return way === 'out' ? null : way
  const wrong = otherMoney(line) ?? how.currencyOf(line.cells)
  if (wrong !== null) return wrong
  const status = cell('status')
  if (status !== '' && outcomeOf(status) === null)
    return `We do not know whether ${status} means that the money came`
  const at = how.readDate(cell('at'))
  if (typeof at === 'string') return at
  return {
    at,
    amount: amount.ngwee,
    payer: written(cell('payer'), 200),
    phone: phoneIn(cell('phone')),
    text: written(cell('text'), 500),
    transactionId: written(cell('transactionId'), 100),
  }
}

// "Balance" alone is what payers of a rest write.
const sum =
  /^(((opening|closing|starting|ending|previous|available|ledger) balance|balance (b|c|b\/|c\/)\.?f(wd)?|balance (brought|carried) (forward|down)|(brought|carried) forward|[bc]\/f|(grand |sub[ -]?)?totals?( (credits?|debits?|in|out|received|paid))?|(anfangs|end)?saldo( \w+)?|kontostand|solde( \w+)?)\W*)$/i

const nothing = /^([-\u2013\u2014.]*|n\/?a|nil|none|null)$/i

const otherMoney = ({ cell, cells }: MoneyLine): string | null => {
  const out = cell('out')
  const paidOut = amountFromText(out)
  if (paidOut?.ngwee) return 'This row has money in and money out'
  if (paidOut === null && !nothing.test(out)) return `The amount ${out} cannot be read`
  return cells.some((text) => sum.test(text)) ? 'This row is a balance or a total, not a payment' : null
}

const toldWay = ({ cell, money }: MoneyLine, { ngwee, told }: ParsedAmount): string => {
  const word = cell('direction')
  const direction = directionOf(word)
  const isOut = ngwee < 0
  const isIn = told === 'credit' || told === 'plus'
  if ((isOut && direction === 'in') || (isIn && direction === 'out'))
    return `${money} and ${word} contradict each other`
  if (isOut) return 'out'
  if (direction !== null) return direction
  return word === ''
    ? 'This row does not say whether its money came in or went out'
    : `We do not know whether ${word} means money in or money out`
}

const amountWay = ({ cells, money }: MoneyLine, { ngwee, told }: ParsedAmount, how: How): string => {
  if (ngwee < 0) return 'out'
  if (how.isMarked && told === 'bare')
    return `The amount ${money} does not say whether it came in or went out, as others do`
  const way = how.wayOf?.(cells) ?? 'in'
  return way === 'unknown' ? 'Neither account in this row is yours' : way
}

const written = (text: string, most: number): string | null => {
  const plain = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return plain === '' || /^(-+|n\/?a|null|none|nil)$/i.test(plain) ? null : plain.slice(0, most)
}

/** The number in `FRI:260977123456/MSISDN`, `+260 977 123 456` or `0977-123456`. */
const phoneIn = (text: string): string | null =>
  /\+?\d{9,15}/.exec(text.replaceAll(/[\s()-]/g, ''))?.[0] ?? null
