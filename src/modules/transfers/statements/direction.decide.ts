import type { StatementMapping } from '#contracts/transfers'
import { indexOfHead } from '#kernel/csv-headers'
import { amountFromText } from '#kernel/parse-amount'
import { directionOf } from '#kernel/parse-direction'
import { isDirectionHead } from './layouts.decide'

type Line = { cells: readonly string[] }

const directionHead = /\b(cr|dr|c|d|credit|debit|direction|in|out|i|o|h|s|sign|indicator|type|way)\b/i

/**
 * An unmapped column whose words mark outgoing amounts: without it payouts would be income. A telling head needs any two words. Null for
 * none.
 */
export const unmappedDirection = (
  { heads, rows }: { heads: readonly string[]; rows: readonly Line[] },
  { columns: mapping, types }: { columns: StatementMapping; types: readonly string[] },
): string | null => {
  if (mapping.direction !== undefined) return null
  const money = indexOfHead(heads, mapping.in ?? mapping.amount ?? '')
  const income = rows.filter(({ cells }) => (amountFromText(cells[money] ?? '')?.ngwee ?? 0) > 0)
  const { at, amount, in: moneyIn, out, phone, transactionId, status } = mapping
  const taken = [at, amount, moneyIn, out, phone, transactionId, status, ...types].map((head) =>
    head === undefined ? -1 : indexOfHead(heads, head),
  )
  const tells = (place: number) => {
    const words = income.map(({ cells }) => cells[place] ?? '').filter((word) => word !== '')
    if (isDirectionHead(heads[place]!) && new Set(words).size > 1) return true
    const ways = words.map(directionOf)
    const known = words.filter((_, index) => ways[index] !== null)
    if (!ways.includes('out') || known.length * 2 < words.length) return false
    // A single letter such as S or D may mean something else.
    const isPlain = ways.includes('in') || known.some((word) => word.length > 1)
    return isPlain || directionHead.test(heads[place]!.replaceAll(/[^\p{L}]/gu, ' '))
  }
  return heads.find((_, place) => !taken.includes(place) && tells(place)) ?? null
}

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

/**
 * Direction by accounts: the school's own appears in every row, or alone in nearly every row; `ownNumbers` decide ties. Null: no accounts
 * in the file.
 */
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
