import type { StatementColumn, StatementMapping } from '#contracts/transfers'
import { indexOfHead } from '#kernel/csv-headers'
import { amountFromText, directionOf, outcomeOf, type ParsedAmount } from '#kernel/parse-amount'
import { isSum } from '#kernel/sum-rows'
import { accountsOf, isOwnNumber, typeColumns, type AccountsRead } from './layouts.decide'

export type TableLine = { row: number; cells: readonly string[] }
type Table = { heads: readonly string[]; rows: readonly TableLine[] }

/** What a row says of the way of its money; `problem` where that is no answer. */
type Telling = { way: 'in' | 'out' | null; problem: string | null }

export type StatementLine = TableLine & {
  cell: (column: StatementColumn) => string
  /** As it is written: what came in, else what went out. */
  money: string
  /** In ngwee, negative where a sign says that it went out; null where it cannot be read. */
  amount: ParsedAmount | null
  telling: Telling
  /** A text that makes the row a balance or total, a type that says money went out, a status that says no money came. */
  sum: string | null
  outgoingType: string | null
  failed: string | null
  isOwnNumber: boolean
}

const outgoing =
  /refund|revers|withdraw|cash ?out|charge|\bfees?\b|disburse|debit|payout|b2c|airtime|commission|\blevy\b|\btax\b|salar|payroll|merchant to|to (bank|customer)\b/i

export const isNothing = (cell: string): boolean => /^([-–—.]*|n\/?a|nil|none|null)$/i.test(cell)

const bare = (cell: string): string =>
  cell
    .replace(/^="(.*)"$/, '$1')
    .replace(/^'/, '')
    .trim()

type How = { columns: StatementMapping; ownNumbers: readonly string[] }

/** One for each row. `accounts` are how the file tells the way of money by who sent and got it. Yields per row. */
export function* statementLines(
  { heads, rows }: Table,
  { columns, ownNumbers }: How,
): Generator<undefined, { lines: StatementLine[]; accounts: AccountsRead }> {
  const places = new Map(
    Object.entries(columns).map(([column, head]) => [column, head ? indexOfHead(heads, head) : -1]),
  )
  const typePlaces = typeColumns(heads, columns).map((head) => indexOfHead(heads, head))
  const textIn = (cells: readonly string[], column: string) => bare(cells[places.get(column) ?? -1] ?? '')
  // The school's own number in every row is not the payer's.
  const isOwn = (cells: readonly string[]) => isOwnNumber(textIn(cells, 'phone'), ownNumbers)
  const hasPayers = rows.some(({ cells }) => !isOwn(cells))
  const outgoingWord = outgoingWords()
  const lines: StatementLine[] = []
  for (const { row, cells } of rows) {
    yield
    const cell = (column: StatementColumn) => textIn(cells, column)
    const [incoming, paidOut] = [cell(columns.in ? 'in' : 'amount'), cell('out')]
    const isOut =
      columns.in !== undefined &&
      (isNothing(incoming) || amountFromText(incoming)?.ngwee === 0) &&
      !isNothing(paidOut)
    const read = amountFromText(isOut ? paidOut : incoming)
    const payerPlaces = ['payer', 'phone', 'at', 'transactionId'].map((column) => places.get(column))
    lines.push({
      row,
      cells,
      cell,
      money: isOut ? paidOut : incoming,
      amount: read && isOut ? { ngwee: -Math.abs(read.ngwee), told: 'minus' } : read,
      telling: { way: null, problem: null },
      sum: cells.find((text, place) => !payerPlaces.includes(place) && isSum(text)) ?? null,
      outgoingType: typePlaces.map((place) => cells[place] ?? '').find(outgoingWord) ?? null,
      failed: columns.status ? whyNoMoney(cell('status')) : null,
      isOwnNumber: hasPayers && isOwn(cells),
    })
  }
  const accounts = accountsIn({ heads, rows }, lines, { columns, ownNumbers })
  tellWays(lines, columns, accounts)
  return { lines, accounts }
}

const outgoingWords = () => {
  const known = new Map<string, boolean>()
  return (word: string): boolean => {
    const is = known.get(word) ?? (outgoing.test(word) || directionOf(word) === 'out')
    known.set(word, is)
    return is
  }
}

const whyNoMoney = (status: string): string | null => {
  const outcome = outcomeOf(status)
  return outcome === 'failed' || outcome === 'taken back' ? `${outcome}: ${status}` : null
}

/** Used when nothing else tells direction. */
const accountsIn = (
  { heads, rows }: Table,
  lines: readonly StatementLine[],
  { columns, ownNumbers }: How,
): AccountsRead => {
  if (columns.direction || columns.in) return null
  // Failed rows also show the school's account; fees may not.
  const read = accountsOf({ heads, rows }, ownNumbers)
  const accounts =
    read === 'unclear'
      ? accountsOf({ heads, rows: lines.filter((one) => !one.outgoingType && !one.isOwnNumber) }, ownNumbers)
      : read
  const hasSigns = lines.some(({ amount }) => amount && amount.ngwee < 0)
  return accounts === 'unclear' && hasSigns ? null : accounts
}

const tellWays = (
  lines: readonly StatementLine[],
  columns: StatementMapping,
  accounts: AccountsRead,
): void => {
  const isCounted = ({ failed }: StatementLine) => failed === null
  const counted = lines.filter(isCounted)
  const isMarked =
    !columns.in && counted.some(({ amount }) => amount && ['plus', 'credit', 'debit'].includes(amount.told))
  const isSigned = counted.some(({ amount }) => amount && amount.ngwee < 0)
  const wayOf = typeof accounts === 'function' ? accounts : null
  for (const line of lines) {
    if (columns.direction) line.telling = toldByWord(line)
    else if (columns.in) line.telling = { way: (line.amount?.ngwee ?? 0) < 0 ? 'out' : 'in', problem: null }
    else line.telling = toldByAmount(line, { isMarked, isSigned, wayOf })
  }
}

const toldByWord = ({ cell, money, amount }: StatementLine): Telling => {
  const word = cell('direction')
  const direction = directionOf(word)
  const isOut = (amount?.ngwee ?? 0) < 0
  const isIn = amount?.told === 'credit' || amount?.told === 'plus'
  if ((isOut && direction === 'in') || (isIn && direction === 'out'))
    return { way: null, problem: `${money} and ${word} contradict each other` }
  if (isOut) return { way: 'out', problem: null }
  if (direction !== null) return { way: direction, problem: null }
  const problem =
    word === ''
      ? 'This row does not say whether its money came in or went out'
      : `We do not know whether ${word} means money in or money out`
  return { way: null, problem }
}

type AmountWays = {
  /** Some amounts are signed, so unsigned ones are not. */
  isMarked: boolean
  isSigned: boolean
  wayOf: ((cells: readonly string[]) => 'in' | 'out' | 'unknown') | null
}

const toldByAmount = (
  { cells, money, amount }: StatementLine,
  { isMarked, isSigned, wayOf }: AmountWays,
): Telling => {
  if (!amount) return { way: null, problem: null }
  if (amount.ngwee < 0) return { way: 'out', problem: null }
  if (isMarked && amount.told === 'bare')
    return {
      way: null,
      problem: `The amount ${money} does not say whether it came in or went out, as others do`,
    }
  const way = wayOf?.(cells)
  if (way === 'unknown') return { way: null, problem: 'Neither account in this row is yours' }
  return { way: way ?? (isSigned || amount.told !== 'bare' ? 'in' : null), problem: null }
}
