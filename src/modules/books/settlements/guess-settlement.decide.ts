import { settlementMapping, type SettlementColumn, type SettlementMapping } from '#contracts/settlements'
import {
  guessColumns,
  holdsAmounts,
  holdsDates,
  holdsIds,
  isFilled,
  type ColumnRule,
} from '#kernel/guess-columns'
import { outcomeOf, unmappedStatus } from '#kernel/parse-amount'
import { settledType, unmappedType } from './settlement.decide'

type Table = Parameters<typeof unmappedType>[0]

const ourReference = /\bLP-[A-Z0-9-]{4,}/i
const providerToken = /^[\dA-F]{8}(-[\dA-F]{4}){3}-[\dA-F]{12}$/i

const every = (is: RegExp) => isFilled((filled) => filled.every((cell) => is.test(cell)))
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
    head: /(trans(action)?|txn|payment|receipt|provider).*(ref|id|no|number)|rrn/,
    fits: holdsIds,
  },
  { column: 'transRef', head: /\bref(erence)?\b/, fits: holdsIds },
  {
    column: 'at',
    head: /(trans(action)?|txn|pa(y|id)|purchase|order|creat).*(dat|time|\bon\b|\bat\b)/,
    fits: holdsDates,
  },
  { column: 'at', head: /dat|time|\bon\b/, not: /settle|pay ?out|value/, fits: holdsDates },
  { column: 'at', head: /./, fits: holdsDates, alone: true },
  { column: 'net', head: afterwards, fits: isFilled(holdsAmounts) },
  { column: 'reserve', head: /reserve|holdback|retention/, fits: holdsAmounts },
  { column: 'fee', head: /fee|charge|commission|mdr/, not: /charge ?back/, fits: holdsAmounts },
  { column: 'gross', head: /gross/, fits: isFilled(holdsAmounts) },
  {
    column: 'gross',
    head: /amount|amt|value|total|\bsum\b|kwacha|zmw/,
    not: aside,
    fits: isFilled(holdsAmounts),
  },
  { column: 'gross', head: /./, not: aside, fits: isFilled(holdsAmounts), alone: true },
  {
    column: 'type',
    head: /type|category|kind|event|operation/,
    fits: some((cell) => settledType(cell) !== null),
  },
  { column: 'status', head: /status|state|result|outcome/, fits: some((cell) => outcomeOf(cell) !== null) },
]

/** What an unknown settlement's columns probably are, for a person to check. */
export const guessSettlement = (table: Table): { guess: Partial<SettlementMapping>; isWhole: boolean } => {
  const guess: Partial<SettlementMapping> = guessColumns(table, rules)
  const read = settlementMapping.safeParse(guess)
  if (!read.success) return { guess, isWhole: false }
  const status = guess.status ? null : unmappedStatus(table, Object.values(guess))
  const type = unmappedType(table, read.data)
  return { guess: { ...guess, ...(status && { status }), ...(type && { type }) }, isWhole: true }
}
