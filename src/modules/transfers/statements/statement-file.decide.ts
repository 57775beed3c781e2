import type { StatementMapping } from '#contracts/transfers'
import { cutText } from '#kernel/cut-text'
import { otherCurrency } from '#kernel/foreign-money'
import { amountFromText, directionOf, outcomeOf } from '#kernel/parse-amount'
import { dateReader, orderOfDates, type DateReader } from '#kernel/parse-date'
import { proofOf, type BalanceLine, type Proof } from './balance.decide'
import { isNothing, statementLines, type StatementLine, type TableLine } from './statement-lines.decide'
import { checkTransactionIds, type Incoming, type IncomingRow } from './statement-row'

type RowProblem = { row: number; message: string }

export type Table = {
  heads: readonly string[]
  rows: readonly TableLine[]
  errors: readonly RowProblem[]
  notes: readonly string[]
}

export type Reading = {
  columns: StatementMapping
  ownNumbers: readonly string[]
  idKey: (transactionId: string) => string
  zone: string
  now: Date
}

/** What a row says of a payment, as far as it says it. */
export type Facts = Omit<Incoming, 'at' | 'amount'> & { at: Date | null; amount: number | null }

/** A row that does not count and that somebody may count in. */
export type RowAside = Facts & { row: number; reason: string }

/** Each row of the file stands once in `incoming`, `leftOut` or `errors`. */
export type ReadStatement = {
  rows: number
  incoming: IncomingRow[]
  leftOut: RowAside[]
  errors: RowProblem[]
  /** Errors whose fault is the direction, the type or a missing field. */
  unsure: RowAside[]
  proof: 'balance' | null
  /** All rows agree with the balance: no word is asked for. */
  isProven: boolean
  notes: string[]
  /** Why nothing counts: unknown own account, or invalid transaction ids. */
  doubt: { about: 'own account' } | { about: 'transaction ids'; why: string } | null
}

const longestId = 100
// Maximum ngwee of an integer column.
const maxAmount = 2_000_000_000

/** Successful incoming money only; uncertain rows are reported. Dates without offset are in `zone`. Yields per row, for `inSlices`. */
export function* readStatement(table: Table, reading: Reading): Generator<undefined, ReadStatement> {
  const { columns, idKey } = reading
  const { lines, accounts } = yield* statementLines(table, reading)
  const dates = lines.map(({ cell }) => cell('at')).filter((text) => text !== columns.at)
  const readDate = dateReader(dates, reading)
  const { proof, note } = yield* proven(lines, { table, columns, readDate })
  const carried = proof?.isWhole ? datesAbove(lines) : new Map<number, string>()
  const isNoIncome = (row: number) => proof?.ways.get(row) === 'out' || proof?.differing.has(row)
  const isBare = lines.some(({ row, telling }) => telling.way === null && isNoIncome(row))
  const how: How = {
    columns,
    readDate,
    carried,
    proof,
    isBare,
    currencyOf: otherCurrency(table.heads, table.rows),
  }
  const read: IncomingRow[] = []
  const found = { leftOut: [] as RowAside[], errors: [...table.errors], unsure: [] as RowAside[] }
  for (const line of lines) {
    yield
    const { row } = line
    const outcome = outcomeOfRow(line, how)
    if ('incoming' in outcome) read.push({ row, ...outcome.incoming })
    else if ('reason' in outcome) found.leftOut.push({ row, reason: outcome.reason, ...factsOf(line, how) })
    else {
      found.errors.push({ row, message: outcome.error })
      if (outcome.isUnsure) found.unsure.push({ row, reason: outcome.error, ...factsOf(line, how) })
    }
  }
  const ids = checkTransactionIds(read, idKey)
  const noIds = ids.noIds === null ? null : ({ about: 'transaction ids', why: ids.noIds } as const)
  return {
    ...found,
    rows: table.rows.length + table.errors.length,
    incoming: ids.payments,
    errors: [...found.errors, ...ids.errors].toSorted((one, other) => one.row - other.row),
    proof: proof ? 'balance' : null,
    isProven: proof?.isWhole ?? false,
    notes: [
      ...table.notes,
      note,
      orderOfDates(dates, reading),
      carriedNote(carried),
      proof?.isWhole ? null : outgoingNote(columns),
    ].filter((one) => one !== null),
    doubt: accounts === 'unclear' && !proof?.isWhole ? { about: 'own account' } : noIds,
  }
}

type Whole = Proof & { isWhole: boolean }

/** By the balances of the file, where they are mapped. */
function* proven(
  lines: readonly StatementLine[],
  { table, columns, readDate }: { table: Table; columns: StatementMapping; readDate: DateReader },
): Generator<undefined, { proof: Whole | null; note: string | null }> {
  if (columns.balance === undefined) return { proof: null, note: null }
  const fee = table.heads.findIndex(
    (head) => /\bfees?\b/i.test(head) && !Object.values(columns).includes(head),
  )
  const balanced: BalanceLine[] = []
  for (const line of lines) {
    yield
    const at = readDate(line.cell('at'))
    balanced.push({
      row: line.row,
      at: at instanceof Date ? +at : null,
      size: line.failed === null ? Math.abs(line.amount?.ngwee ?? 0) : 0,
      fee: Math.abs(amountFromText(line.cells[fee] ?? '')?.ngwee ?? 0),
      told: line.telling.way,
      balance: amountFromText(line.cell('balance'))?.ngwee ?? null,
      isSum: line.sum !== null,
    })
  }
  const { proof, agreed, compared } = proofOf(balanced)
  if (proof !== null || compared === 0) return { proof, note: null }
  const note = `${columns.balance} does not move by the amounts of the rows (${agreed} of ${compared}), so it proves nothing and was not used`
  return { proof, note }
}

/** A bank may write the date on the first row of a day alone. */
const datesAbove = (lines: readonly StatementLine[]): Map<number, string> => {
  const above = new Map<number, string>()
  let last = ''
  for (const { row, cell, money, sum } of lines) {
    if (cell('at') !== '') last = cell('at')
    else if (last !== '' && sum === null && !isNothing(money)) above.set(row, last)
  }
  return above
}

const carriedNote = ({ size }: ReadonlyMap<number, string>): string | null => {
  if (size === 0) return null
  return `${size} ${size === 1 ? 'row without a date has the date above it' : 'rows without a date have the date above them'}`
}

const outgoingNote = ({ in: incoming, amount }: StatementMapping): string | null => {
  const head = incoming ?? amount ?? ''
  return directionOf(head) === 'out' ? `Money in is read from the column ${head}` : null
}

type How = {
  columns: StatementMapping
  readDate: DateReader
  carried: ReadonlyMap<number, string>
  proof: Whole | null
  /** The balance shows that some amounts without a sign are no income. */
  isBare: boolean
  currencyOf: (cells: readonly string[]) => string | null
}

type Outcome = { incoming: Incoming } | { reason: string } | { error: string; isUnsure: boolean }

const leftOut = (reason: string): Outcome => ({ reason })
const wrong = (error: string): Outcome => ({ error, isUnsure: false })
const unsure = (error: string): Outcome => ({ error, isUnsure: true })

const outcomeOfRow = (line: StatementLine, how: How): Outcome => {
  const { row, cell, money, amount, sum, failed } = line
  const differs = how.proof?.differing.get(row)
  if (cell('at') !== '' && cell('at') === how.columns.at) return leftOut('the headings again')
  if (sum !== null && !how.proof?.ways.has(row)) return leftOut(`balance: ${cutText(sum, 100)}`)
  if (isNothing(money) && !isNothing(cell('balance'))) return leftOut('balance')
  if (isNothing(money)) return leftOut(cell('at') === '' ? onlyText(cell('text')) : 'no amount')
  if (failed !== null) return leftOut(cutText(failed, 100))
  if (amount === null) return wrong(`The amount ${money} cannot be read`)
  if (amount.ngwee === 0) return leftOut('no amount')
  if (Math.abs(amount.ngwee) > maxAmount) return wrong(`The amount ${money} is too large`)
  if (differs !== undefined) return unsure(differs)
  return notIncoming(line, how) ?? incomingOf(line, how)
}

/** A bank may go on with a text in the next line. */
const onlyText = (text: string): string => (text === '' ? 'no amount' : `no amount: ${cutText(text, 100)}`)

/** Null: money came in. */
const notIncoming = (line: StatementLine, { proof, isBare }: How): Outcome | null => {
  const { row, telling, outgoingType: type } = line
  const way = proof?.ways.get(row)
  if (way !== undefined) return way === 'out' ? leftOut('money out') : twoWays(line)
  if (telling.problem !== null) return unsure(telling.problem)
  if (telling.way === 'out') return leftOut('money out')
  if (line.isOwnNumber) return leftOut('money out: from your own number')
  if (type !== null)
    return telling.way === 'in' ? unsure(`${type}: money in or out?`) : leftOut(`money out: ${type}`)
  if (isBare && telling.way === null)
    return unsure('This row does not say whether its money came in or went out')
  return twoWays(line)
}

const twoWays = ({ cell, amount }: StatementLine): Outcome | null => {
  const out = cell('out')
  if (out === '' || (amount?.ngwee ?? 0) < 0) return null
  const paidOut = amountFromText(out)
  if (paidOut?.ngwee) return wrong('This row has money in and money out')
  return paidOut === null && !isNothing(out) ? wrong(`The amount ${out} cannot be read`) : null
}

const incomingOf = (line: StatementLine, how: How): Outcome => {
  const { cell, cells, row } = line
  const foreign = how.currencyOf(cells)
  if (foreign !== null) return wrong(foreign)
  const status = cell('status')
  if (how.columns.status && status === '')
    return unsure('This row does not say whether its money came: its status is empty')
  if (status !== '' && outcomeOf(status) === null)
    return wrong(`We do not know whether ${status} means that the money came`)
  if (cell('transactionId').length > longestId)
    return wrong(`The transaction id has more than ${longestId} letters`)
  const date = cell('at') || (how.carried.get(row) ?? '')
  if (date === '') return unsure('This row has no date')
  const at = how.readDate(date)
  if (typeof at === 'string') return wrong(at)
  const facts = factsOf(line, how)
  return { incoming: { ...facts, at, amount: facts.amount! } }
}

const factsOf = ({ row, cell, amount }: StatementLine, { readDate, carried }: How): Facts => {
  const date = cell('at') || (carried.get(row) ?? '')
  const at = date === '' ? null : readDate(date)
  const size = Math.abs(amount?.ngwee ?? 0)
  return {
    at: at instanceof Date ? at : null,
    amount: size === 0 || size > maxAmount ? null : size,
    payer: written(cell('payer'), 200),
    phone: phoneIn(cell('phone')),
    text: written(cell('text'), 2000),
    transactionId: written(cell('transactionId'), longestId),
  }
}

const written = (text: string, most: number): string | null => {
  const plain = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return plain === '' || /^(-+|n\/?a|null|none|nil)$/i.test(plain) ? null : cutText(plain, most)
}

/** The number in `FRI:260977123456/MSISDN`, `+260 977 123 456` or `0977-123456`. */
export const phoneIn = (text: string): string | null =>
  /\+?\d{9,15}/.exec(text.replaceAll(/[\s()-]/g, ''))?.[0] ?? null
