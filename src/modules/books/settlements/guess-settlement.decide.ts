import { settlementMapping, type SettlementColumn, type SettlementMapping } from '#contracts/settlements'
import {
  guessColumns,
  holdsAmounts,
  holdsDates,
  holdsIds,
  holdsSomeAmounts,
  type ColumnRule,
} from '#kernel/guess-columns'
import { outcomeOf, unmappedDirection, unmappedStatus } from '#kernel/parse-amount'
import { settledType, unmappedType } from './settlement.decide'

type Table = Parameters<typeof unmappedType>[0]

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
  { column: 'at', head: /dat|time|\bon\b/, not: /settle|pay ?out|value/, fits: holdsDates },
  { column: 'at', head: /./, fits: holdsDates, alone: true },
  { column: 'net', head: afterwards, fits: holdsSomeAmounts },
  { column: 'reserve', head: /reserve|holdback|retention/, fits: holdsAmounts },
  { column: 'fee', head: /fee|charge|commission|mdr/, not: /charge ?back/, fits: holdsAmounts },
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
  const type = unmappedType(table, read.data)
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
