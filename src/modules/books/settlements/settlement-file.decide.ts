import type { Settlement, SettlementColumn, SettlementMapping, SettlementType } from '#contracts/settlements'
import type { Ngwee } from '#kernel/money'
import { schoolMoment, type SchoolDate } from '#kernel/school-time'
import { indexOfHead } from '#kernel/table-heads'
import { ngweeFromText } from '#kernel/written-amount'
import { dayOrderOf, instantFromText, type DayOrder } from '#kernel/written-date'

/** How a file names a payment; null where it does not. */
export type SettledNames = { token: string | null; transRef: string | null; companyRef: string | null }

const otherAmounts = ['fee', 'reserve', 'net'] as const
type OtherAmounts = Record<(typeof otherAmounts)[number], number | null>

/** One line of the provider's file. `gross` in ngwee, never negative; the other amounts as they are written. */
export type SettledLine = SettledNames &
  OtherAmounts & { row: number; type: SettlementType; date: SchoolDate | null; gross: Ngwee }

type ReadSettlement = { settled: SettledLine[]; errors: Settlement['errors'] }
type Cell = (column: SettlementColumn) => string

// Whole ngwee of a column of the database; nothing that a school is paid comes near it.
const largestAmount = 2_000_000_000

/** Reads the lines below the head; what cannot be read is reported and left out. */
export const readSettlement = (
  lines: readonly { row: number; cells: readonly string[] }[],
  { heads, mapping, zone }: { heads: readonly string[]; mapping: SettlementMapping; zone: string },
): ReadSettlement => {
  const cellOf = (cells: readonly string[], column: SettlementColumn): string => {
    const head = mapping[column]
    const cell = head === undefined ? '' : (cells[indexOfHead(heads, head)] ?? '')
    return cell.replace(/^="(.*)"$/, '$1').trim()
  }
  const order = dayOrderOf(lines.map(({ cells }) => cellOf(cells, 'at')))
  const settled: SettledLine[] = []
  const errors: ReadSettlement['errors'] = []
  for (const { row, cells } of lines) {
    const read = readLine((column) => cellOf(cells, column), order, zone)
    if (typeof read === 'string') errors.push({ row, message: read })
    else if (read !== null) settled.push({ row, ...read })
  }
  return { settled, errors }
}

/** Null for what names no payment, as a line of sums does; a text where it cannot be read. */
const readLine = (cell: Cell, order: DayOrder, zone: string): Omit<SettledLine, 'row'> | string | null => {
  const named = (column: SettlementColumn) => cell(column).slice(0, 100) || null
  const names = { token: named('token'), transRef: named('transRef'), companyRef: named('companyRef') }
  if (Object.values(names).every((name) => name === null)) return null
  const gross = amountIn(cell('gross'))
  if (gross === null) return `The amount ${cell('gross')} cannot be read`
  const type = typeIn(cell('type'), gross)
  if (type === null) return `Nobody knows whether ${cell('type')} is a payment, a refund or a chargeback`
  const others: OtherAmounts = { fee: null, reserve: null, net: null }
  for (const column of otherAmounts) {
    if (cell(column) === '') continue
    others[column] = amountIn(cell(column))
    if (others[column] === null) return `The amount ${cell(column)} cannot be read`
  }
  const at = cell('at') === '' ? null : instantFromText(cell('at'), order, zone)
  if (at === null && cell('at') !== '') return `The date ${cell('at')} cannot be read`
  return { ...names, ...others, type, gross: Math.abs(gross), date: at && schoolMoment(at, zone).date }
}

const amountIn = (text: string): number | null => {
  const amount = ngweeFromText(text)
  return amount === null || Math.abs(amount) > largestAmount ? null : amount
}

/** A payment below nothing went back. */
const typeIn = (text: string, gross: number): SettlementType | null => {
  if (/charge[ _-]?back|dispute/i.test(text)) return 'chargeback'
  if (/refund|revers/i.test(text)) return 'refund'
  if (text !== '' && !/pay|sale|purchase|capture|charge|settle|transaction/i.test(text)) return null
  return gross < 0 ? 'refund' : 'payment'
}

/** The sums of a file, in ngwee; null for a column that no line has. */
export const totalsOf = (settled: readonly SettledLine[]): { gross: number } & OtherAmounts => {
  const sumOf = (column: (typeof otherAmounts)[number]) => {
    const amounts = settled.flatMap((line) => line[column] ?? [])
    return amounts.length === 0 ? null : sum(amounts)
  }
  const gross = sum(settled.map((line) => (line.type === 'payment' ? line.gross : -line.gross)))
  return { gross, fee: sumOf('fee'), reserve: sumOf('reserve'), net: sumOf('net') }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)
