import {
  settlementMapping,
  type SettlementColumn,
  type SettlementMapping,
  type SettlementType,
} from '#contracts/settlements'
import { indexOfHead } from '#kernel/csv-headers'
import {
  guessColumns,
  holdsAmounts,
  holdsDates,
  holdsIds,
  holdsSomeAmounts,
  type ColumnRule,
} from '#kernel/guess-columns'
import { outcomeOf, unmappedDirection, unmappedStatus } from '#kernel/parse-amount'
import { amountIn, settledType } from './settlement.decide'

type Table = Parameters<typeof unmappedDirection>[0]

const ourReference = /\bLP-[A-Z0-9-]{4,}/i
const providerToken = /^[\dA-F]{8}(-[\dA-F]{4}){3}-[\dA-F]{12}$/i

const every = (is: RegExp) => (filled: readonly string[]) =>
  filled.length > 0 && filled.every((cell) => is.test(cell))
const some = (is: (cell: string) => boolean) => (filled: readonly string[]) => filled.some(is)

const aside =
  /fee|charge|commission|mdr|discount|reserve|hold|retention|\btax|\bvat\b|balance|rate|\bno\b|count/
const afterwards = /\bnet\b|pay ?out|settled amount|amount settled|due to|received/

const rules: readonly ColumnRule<SettlementColumn>[] = [
  { column: 'token', head: /./, fits: every(providerToken) },
  { column: 'companyRef', head: /./, fits: every(ourReference) },
  {
    column: 'companyRef',
    head: /(company|merchant|booking|order|our|customer) (ref|no|id|number)/,
    fits: holdsIds,
  },
  {
    column: 'transRef',
    head: /trans(action)?|txn|payment|receipt|provider/,
    followedBy: /ref|id|no|number/,
    fits: holdsIds,
  },
  { column: 'transRef', head: /rrn/, fits: holdsIds },
  { column: 'transRef', head: /\bref(erence)?\b/, fits: holdsIds },
  {
    column: 'at',
    head: /trans(action)?|txn|pa(y|id)|purchase|order|creat/,
    followedBy: /dat|time|\bon\b|\bat\b/,
    fits: holdsDates,
  },
  { column: 'at', head: /\bcreated\b/, fits: holdsDates },
  { column: 'at', head: /dat|time|\bon\b/, not: /settle|pay ?out|value|available/, fits: holdsDates },
  { column: 'at', head: /./, fits: holdsDates, alone: true },
  { column: 'net', head: afterwards, fits: holdsSomeAmounts },
  { column: 'reserve', head: /reserve|holdback|retention/, fits: holdsAmounts },
  { column: 'fee', head: /fee|charge|commission|mdr/, not: /charge(d| ?back)/, fits: holdsAmounts },
  { column: 'gross', head: /gross/, fits: holdsSomeAmounts },
  {
    column: 'gross',
    head: /amount|amt|value|total|\bsum\b|kwacha|zmw/,
    not: aside,
    fits: holdsSomeAmounts,
  },
  { column: 'gross', head: /./, not: aside, fits: holdsSomeAmounts, alone: true },
  {
    column: 'type',
    head: /type|category|kind|event|operation/,
    fits: some((cell) => settledType(cell) !== null),
  },
  { column: 'status', head: /status|state|result|outcome/, fits: some((cell) => outcomeOf(cell) !== null) },
]

/** What an unknown settlement's columns probably are, for a person to check. */
export function* guessSettlement(
  table: Table,
): Generator<undefined, { guess: SettlementMapping; isWhole: boolean }> {
  const guess: SettlementMapping = yield* guessColumns(table, rules)
  const read = settlementMapping.safeParse(guess)
  if (!read.success) return { guess, isWhole: false }
  const status = guess.status ? null : unmappedStatus(table, Object.values(guess))
  const type = yield* unmappedType(table, read.data)
  const direction = yield* directionNeeded(table, { ...read.data, ...(type && { type }) })
  return {
    guess: { ...guess, ...(status && { status }), ...(type && { type }), ...(direction && { direction }) },
    isWhole: true,
  }
}

/** A column left out of a mapping that says which way amounts went: money that went back would count as payments. Yields per column. */
export function* directionNeeded(
  table: Table,
  mapping: SettlementMapping,
): Generator<undefined, string | null> {
  if (mapping.direction !== undefined || mapping.type) return null
  const aside = table.heads.filter((head) => /fee|charge|commission|tax|reserve/i.test(head))
  return yield* unmappedDirection(table, {
    money: mapping.gross ?? '',
    taken: [...Object.values(mapping), ...aside],
  })
}

/**
 * A column of types left out of a mapping although row signs contradict it: refunds would count as payments, chargebacks and payouts as
 * refunds. Its head says so, or most of its words are types, as PURCHASE beside REFUND. Null for none. Yields per column.
 */
export function* unmappedType(
  { heads, rows }: Table,
  mapping: SettlementMapping,
): Generator<undefined, string | null> {
  if (mapping.type !== undefined) return null
  const gross = indexOfHead(heads, mapping.gross ?? '')
  const signed = rows.flatMap(({ cells }) => {
    const amount = amountIn(cells[gross] ?? '')
    return amount === null ? [] : [{ cells, bySign: amount < 0 ? 'refund' : 'payment' }]
  })
  const first = signed.slice(0, 50)
  for (const [place, head] of heads.entries()) {
    yield
    if (Object.values(mapping).includes(head)) continue
    const typesOf = (some: typeof signed) =>
      some.flatMap(({ cells, bySign }) => (cells[place] ? [{ type: settledType(cells[place]), bySign }] : []))
    const isNamed = /(type|category|kind|event)$/i.test(head)
    if (!isNamed && !areTypes(typesOf(first))) continue
    const types = typesOf(signed)
    const differing = types.filter(({ type, bySign }) => type !== bySign)
    const isTelling = isNamed
      ? types.some(({ type }) => type !== null) && differing.length > 0
      : areTypes(types) && differing.some(({ type }) => type !== null)
    if (isTelling) return head
  }
  return null
}

const areTypes = (types: readonly { type: SettlementType | null }[]): boolean =>
  types.filter(({ type }) => type !== null).length * 2 > types.length
