import { readAllergens } from '#contracts/allergens'
import { csvColumns, menuMapping, type CsvColumn, type MenuMapping } from '#contracts/menu-upload'
import { indexOfHead } from '#kernel/csv-headers'
import { guessColumns, holdsWords, type ColumnRule } from '#kernel/guess-columns'
import { refused } from './refusals'
import { dietNamed, optionalColumns } from './upload-plan.decide'

const lettersOf = (title: string) =>
  title
    .normalize('NFKD')
    .replace(/ \(\d+\)$/, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

const otherNames = new Map<string, CsvColumn>([
  ...['side', 'sides', 'sidedish', 'sideoptions'].map((head) => [head, 'sideDishes'] as const),
  ['diet', 'diets'],
  ...['category', 'protein', 'proteins', 'proteinoptions'].map((head) => [head, 'categories'] as const),
])

/** "Sides" is `sideDishes`; a column that mentions allergens is never ignored. */
const columnNamed = (title: string): CsvColumn | null => {
  const letters = lettersOf(title)
  if (/al+erg|^(maycontain|contain)s?$/.test(letters)) return 'allergens'
  return otherNames.get(letters) ?? csvColumns.find((column) => column.toLowerCase() === letters) ?? null
}

/** Needs two known column names: a line of values has none. */
export const isMenuHead = (heads: readonly string[]): boolean =>
  heads.filter((head) => columnNamed(head) !== null).length > 1

/** Column of each head by its name. Throws `columns_twice`. */
export const columnsNamed = (heads: readonly string[]): MenuMapping => {
  const named = heads.map(columnNamed)
  const twice = csvColumns.find((column) => named.indexOf(column) !== named.lastIndexOf(column))
  if (twice) throw refused('columns_twice', `The file has two columns ${twice}: leave one of them`)
  return Object.fromEntries(named.flatMap((column, place) => (column ? [[column, heads[place]]] : [])))
}

/** Heads that a mapping leaves. Throws for one of allergens, or of one allergen or diet with ticks: ignoring it would protect nobody. */
export const headsNotRead = (
  heads: readonly string[],
  mapping: MenuMapping,
  allergenList: readonly string[],
): string[] => {
  const read = new Set(Object.values(mapping).map((head) => head && indexOfHead(heads, head)))
  const left = heads.filter((_head, place) => !read.has(place))
  for (const head of left) {
    if (columnNamed(head) === 'allergens')
      throw refused(
        'columns_twice',
        `The column ${head} holds allergens too: write those of each meal into one column`,
      )
    const words = head.split(/[^\p{L}]+/u)
    if (columnNamed(head) === null && readAllergens([head, ...words], allergenList).names.length > 0)
      throw refused(
        'allergen_column',
        `The column ${head} is an allergen. Write the allergens of each meal into one column allergens.`,
      )
    if (columnNamed(head) === null && dietNamed(head))
      throw refused(
        'diet_column',
        `The column ${head} is a diet. Write the diets of each meal into one column diets, as in halal:yes|noPork:yes.`,
      )
  }
  return left
}

export const columnsLeftOut = (mapping: MenuMapping) =>
  optionalColumns.filter((column) => mapping[column] === undefined)

const most = (is: RegExp) => (filled: readonly string[]) =>
  filled.length > 0 && filled.filter((cell) => is.test(cell)).length * 2 > filled.length

const rules: readonly ColumnRule<CsvColumn>[] = [
  {
    column: 'price',
    head: /price|cost|amount|fee|charge|kwacha|zmw|\bk\b/,
    fits: most(/^(k|zmw)? ?\d[\d,.]*$/i),
  },
  { column: 'type', head: /./, fits: most(/^(primary|secondary)$/i) },
  { column: 'weekNumbers', head: /week/, fits: most(/^[1-6\s,;|/]+$/) },
  { column: 'daysOfWeek', head: /day/, fits: most(/^[1-5\s,;|/]+$/) },
  { column: 'categories', head: /categor|protein|meat/, fits: holdsWords },
  { column: 'categories', head: /./, fits: most(/^(beef|chicken|vegetarian|fish)\b/i), alone: true },
  { column: 'name', head: /name|dish|meal|item|title|food|lunch/, fits: holdsWords },
  { column: 'description', head: /descri|detail|about/, fits: holdsWords },
  { column: 'isAvailable', head: /availab|\bon sale\b|active/, fits: most(/^(true|false|yes|no|0|1)$/i) },
]

type Table = Parameters<typeof guessColumns>[0]

/** What an unknown menu's columns probably are, for a person to check. */
export function* guessMenu(table: Table): Generator<undefined, { guess: MenuMapping; isWhole: boolean }> {
  const known = columnsNamed(table.heads)
  const taken = new Set<string>(Object.values(known))
  const found = Object.entries(yield* guessColumns(table, rules)).filter(([, head]) => !taken.has(head))
  const guess: MenuMapping = { ...Object.fromEntries(found), ...known }
  return { guess, isWhole: menuMapping.safeParse(guess).success }
}
