import type {
  Settlement,
  SettlementColumn,
  SettlementMapping,
  SettlementType,
  SettlementState,
} from '#contracts/settlements'
import { indexOfHead, reasonLeftOut } from '#kernel/csv-headers'
import { cutText } from '#kernel/cut-text'
import { otherCurrency } from '#kernel/foreign-money'
import { groupedBy } from '#kernel/grouped-by'
import { type Ngwee, sum } from '#kernel/money'
import { directionOf, ngweeFromText, outcomeOf } from '#kernel/parse-amount'
import { dateReader, orderOfDates, type DateReader } from '#kernel/parse-date'
import { schoolMoment, type SchoolDate } from '#kernel/school-time'
import { isSum } from '#kernel/sum-rows'

type SettledNames = { token: string | null; transRef: string | null; companyRef: string | null }

const otherAmounts = ['fee', 'reserve', 'net'] as const
type OtherAmounts = Record<(typeof otherAmounts)[number], number | null>

/** `gross` in ngwee, not negative; other amounts as written. */
export type SettledLine = SettledNames &
  OtherAmounts & { row: number; type: SettlementType; date: SchoolDate | null; gross: Ngwee }

/** Each row of the file stands once in `settled`, `leftOut` or `errors`; amounts left out in ngwee. */
type ReadSettlement = {
  settled: SettledLine[]
  leftOut: { row: number; reason: string; amount: Ngwee | null }[]
  errors: Settlement['errors']
  notes: string[]
}
type Cell = (column: SettlementColumn) => string
/** `isSigned`: refunds are negative in the file. */
type How = {
  readDate: DateReader
  zone: string
  mapping: SettlementMapping
  isSigned: boolean
}

// Maximum ngwee of an integer column.
const maxAmount = 2_000_000_000

type Table = {
  heads: readonly string[]
  rows: readonly { row: number; cells: readonly string[] }[]
  errors: Settlement['errors']
  notes: readonly string[]
}

/** Yields per row. */
export function* readSettlement(
  { heads, rows, errors: noRows, notes }: Table,
  { mapping, zone, now }: { mapping: SettlementMapping; zone: string; now: Date },
): Generator<undefined, ReadSettlement> {
  const places = new Map(
    Object.entries(mapping).map(([column, head]) => [column, head ? indexOfHead(heads, head) : -1]),
  )
  const cellOf = (cells: readonly string[], column: SettlementColumn): string =>
    (cells[places.get(column) ?? -1] ?? '').replace(/^="(.*)"$/, '$1').trim()
  const dates = rows.map(({ cells }) => cellOf(cells, 'at'))
  const readDate = dateReader(dates, { now, zone })
  const isSigned =
    Boolean(mapping.direction) ||
    rows.some(({ cells }) =>
      (['gross', 'net'] as const).some((column) => (amountIn(cellOf(cells, column)) ?? 0) < 0),
    )
  const read: ReadSettlement = {
    settled: [],
    leftOut: [],
    errors: [...noRows],
    notes: [...notes, ...[orderOfDates(dates, { now, zone })].filter((note) => note !== null)],
  }
  const currencyOf = otherCurrency(heads, rows)
  const how = { readDate, zone, mapping, isSigned }
  for (const { row, cells } of rows) {
    yield
    const cell: Cell = (column) => cellOf(cells, column)
    const aside = asideOf(cell, { heads, cells })
    const line = aside ?? currencyOf(cells) ?? readLine(cell, how)
    if (typeof line === 'string') read.errors.push({ row, message: line })
    else if ('reason' in line) read.leftOut.push({ row, ...line })
    else read.settled.push({ row, ...line })
  }
  read.errors.sort((one, other) => one.row - other.row)
  return read
}

type Aside = { reason: string; amount: number | null }

/** Headings again, sums and lines between payments; null where a payment is named. */
const asideOf = (
  cell: Cell,
  { heads, cells }: Record<'heads' | 'cells', readonly string[]>,
): Aside | null => {
  const names = (['token', 'transRef', 'companyRef'] as const).map(cell)
  const reason = reasonLeftOut({ heads, cells, read: cells })
  if (reason !== null) return { reason, amount: null }
  if (names.some((name) => name !== '' && !isSumName(name))) return null
  const words = cells.find((text) => /\p{L}{3}/u.test(text))
  const amount = amountIn(cell('gross'))
  return {
    reason: words === undefined ? 'names no payment' : `names no payment: ${cutText(words, 100)}`,
    amount: amount === null || amount === 0 ? null : Math.abs(amount),
  }
}

/** `Total`, `Subtotal: Visa`, `Carried forward`. */
const isSumName = (name: string): boolean => isSum(name) || /\b(sub)?totals?\b/i.test(name)

/** A text for an unreadable or unsettled line. */
const readLine = (cell: Cell, how: How): Omit<SettledLine, 'row'> | string => {
  const named = (column: SettlementColumn) => cutText(cell(column), 100) || null
  const names = { token: named('token'), transRef: named('transRef'), companyRef: named('companyRef') }
  const gross = directed(amountIn(cell('gross')), cell, how)
  if (gross === 0 || cell('gross') === '') return 'This row has no amount'
  if (gross === null) return `The amount ${cell('gross')} cannot be read`
  if (typeof gross === 'string') return gross
  const others: OtherAmounts = { fee: null, reserve: null, net: null }
  for (const column of otherAmounts) {
    if (cell(column) === '') continue
    others[column] = amountIn(cell(column))
    if (others[column] === null) return `The amount ${cell(column)} cannot be read`
  }
  const type = how.mapping.type ? settledType(cell('type')) : gross < 0 ? 'refund' : 'payment'
  if (type === null) return `${cell('type') || 'The type is empty'} is not a payment, refund or chargeback`
  const net = how.mapping.direction ? null : others.net
  const wrong = wrongSign(type, { gross, net }, how) ?? notSettled(type, cell('status'), how)
  if (wrong !== null) return wrong
  const at = cell('at') === '' ? null : how.readDate(cell('at'))
  if (typeof at === 'string') return at
  const date = at && schoolMoment(at, how.zone).date
  return { ...names, ...others, type, gross: Math.abs(gross), date }
}

/** Negative where the column of directions says that it went out; a text where that says nothing, or another thing than a sign. */
const directed = (gross: number | null, cell: Cell, { mapping }: How): number | string | null => {
  if (!mapping.direction || gross === null) return gross
  const word = cell('direction')
  const way = directionOf(word)
  if (way === null)
    return `We do not know whether ${word || 'an empty direction'} means money in or money out`
  if (way === 'in' && gross < 0) return `${cell('gross')} and ${word} contradict each other`
  return way === 'out' ? -Math.abs(gross) : gross
}

export const amountIn = (text: string): number | null => {
  const amount = ngweeFromText(text)
  return amount === null || Math.abs(amount) > maxAmount ? null : amount
}

const chargeback = /charge ?backs?\b|\bdisputes?d?\b/
const goneBack = /\brefund(s|ed)?\b|\brevers(al|als|ed|e)\b|\breturn(s|ed)?\b/
const payment =
  /\b(payments?|paid|sales?|purchases?|captures?d?|charges?d?|settled|transactions?|card|checkout|orders?|funds received|received|receipts?|collect(ed|ions?))\b/
// The provider's own entries, disputes won, and statuses that may be no money yet.
const other =
  /\b(payouts?|pay outs?|transfers?|withdrawals?|fees?|tax|vat|commission|interest|adjustments?|reserves?|release|balance|top ?up|won|representments?|reinstate\w*|service|subscription|bank|settlements?)\b|\b(authori[sz]\w*|attempts?|requests?|requested|tests?|verification|corrections?|protection|withdrawn|closed|resolved|recover\w*|links?|un)\b/

/** Null for other texts, failures, and reversed disputes or refunds. */
export const settledType = (text: string): SettlementType | null => {
  const words = text
    .normalize('NFKC')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  if (other.test(words) || outcomeOf(words) === 'failed') return null
  if (chargeback.test(words)) return goneBack.test(words) ? null : 'chargeback'
  if (goneBack.test(words)) return (words.match(/refund|revers|return/g) ?? []).length > 1 ? null : 'refund'
  return payment.test(words) ? 'payment' : null
}

/** A payment out or a refund in counts as something else, like a failed refund. */
const wrongSign = (
  type: SettlementType,
  { gross, net }: { gross: number; net: number | null },
  { isSigned }: How,
): string | null => {
  const cameIn = gross > 0 && (net ?? gross) > 0
  const fits = type === 'payment' ? gross >= 0 : !isSigned || !cameIn
  return fits ? null : `The sign of this amount does not fit a ${type}`
}

const notSettled = (type: SettlementType, status: string, { mapping }: How): string | null => {
  if (!mapping.status) return null
  const outcome = outcomeOf(status)
  if (outcome === 'done' || (outcome === 'taken back' && type !== 'payment')) return null
  if (outcome === null)
    return `We do not know whether ${status || 'an empty status'} means that the money was settled`
  return `${status} means that no money was settled`
}

export const totalsOf = (settled: readonly SettledLine[]): { gross: number } & OtherAmounts => {
  const sumOf = (column: (typeof otherAmounts)[number]) => {
    const amounts = settled.flatMap((line) => line[column] ?? [])
    return amounts.length === 0 ? null : sum(amounts)
  }
  const gross = sum(settled.map((line) => (line.type === 'payment' ? line.gross : -line.gross)))
  return { gross, fee: sumOf('fee'), reserve: sumOf('reserve'), net: sumOf('net') }
}

/** `token` and `ref` are the provider's, `reference` is ours. */
type CardNames = {
  attemptId: string
  token: string | null
  ref: string | null
  reference: string | null
}

export type CardMovement = {
  id: string
  attemptId: string
  type: 'payment' | 'refund'
  amount: Ngwee
  date: SchoolDate
}

/** Amounts in ngwee. `row` is null for what the file lacks. */
export type ComparedRow = {
  row: number | null
  type: SettlementType
  state: SettlementState
  reference: string | null
  ours: Ngwee | null
  theirs: Ngwee | null
}

type Ours = { payments: readonly CardNames[]; movements: readonly CardMovement[] }
type Days = { from: SchoolDate; to: SchoolDate }

/** Pairs each line with one of our movements, equal amounts first. Chargebacks are not in the books. `found`: movements in the file. */
export const compareLines = (
  lines: readonly SettledLine[],
  { payments, movements }: Ours,
): { rows: ComparedRow[]; found: CardMovement[] } => {
  const paymentNamed = paymentFinder(payments)
  const free = groupedBy(movements, ({ attemptId, type }) => `${attemptId} ${type}`)
  const taken = new Map<SettledLine, CardMovement>()
  const take = (isIt: (movement: CardMovement, line: SettledLine) => boolean) => {
    for (const line of lines) {
      const candidates = free.get(`${paymentNamed(line)?.attemptId} ${line.type}`) ?? []
      const place = taken.has(line) ? -1 : candidates.findIndex((movement) => isIt(movement, line))
      if (place !== -1) taken.set(line, candidates.splice(place, 1)[0]!)
    }
  }
  take((movement, line) => movement.amount === line.gross)
  take(() => true)
  const rows = lines.map((line): ComparedRow => {
    const ours = taken.get(line)?.amount ?? null
    const reference = paymentNamed(line)?.reference ?? line.companyRef ?? line.transRef ?? line.token
    return {
      row: line.row,
      type: line.type,
      state: stateOf(ours, line.gross),
      reference,
      ours,
      theirs: line.gross,
    }
  })
  return { rows, found: [...taken.values()] }
}

const stateOf = (ours: Ngwee | null, theirs: Ngwee): SettlementState => {
  if (ours === null) return 'missing_here'
  return ours === theirs ? 'matched' : 'amount_differs'
}

const written = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')

/** By token, then the provider's reference, then ours. */
const paymentFinder = (payments: readonly CardNames[]) => {
  const by = (name: 'token' | 'ref' | 'reference') =>
    new Map(
      payments.flatMap((payment) => (payment[name] ? [[written(payment[name]), payment] as const] : [])),
    )
  const [token, ref, reference] = [by('token'), by('ref'), by('reference')]
  return (names: SettledNames): CardNames | undefined =>
    token.get(written(names.token ?? '')) ??
    ref.get(written(names.transRef ?? '')) ??
    reference.get(written(names.companyRef ?? ''))
}

export const daysCovered = (lines: readonly SettledLine[], found: readonly CardMovement[]): Days | null => {
  const written = lines.flatMap(({ type, date }) => (type === 'chargeback' || date === null ? [] : [date]))
  const days = (written.length > 0 ? written : found.map(({ date }) => date)).toSorted()
  return days.length === 0 ? null : { from: days[0]!, to: days.at(-1)! }
}

export const missingThere = (
  { payments, movements }: Ours,
  found: readonly CardMovement[],
): ComparedRow[] => {
  const known = new Set(found.map(({ id }) => id))
  const references = new Map(payments.map(({ attemptId, reference }) => [attemptId, reference]))
  return movements.flatMap(({ id, attemptId, type, amount }): ComparedRow[] => {
    if (known.has(id)) return []
    const reference = references.get(attemptId) ?? null
    return [{ row: null, type, state: 'missing_there', reference, ours: amount, theirs: null }]
  })
}
