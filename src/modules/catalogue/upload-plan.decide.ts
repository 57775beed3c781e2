import {
  commonProteins,
  dietAnswers,
  dietNames,
  ingredientUnits,
  type DishDiets,
  type Ingredient,
} from '#contracts/catalogue'
import { decimalFromNgwee } from '#kernel/money'
import { amountFromText } from '#kernel/parse-amount'
import { describedProteins, mealIn, oneLine, protein, type Meal, type MenuItem } from './menu-item.decide'

export type UploadCells = ReadonlyMap<string, string>

export type RowProblem = { row: number; column: string | null; message: string }

type CellProblem = { column: string; message: string }

const trimmed = (texts: string[]): string[] => texts.map((part) => part.trim()).filter((part) => part !== '')

const isNone = (text: string): boolean => /^(none|nil|null|n\s*(?:[./]\s*)?a\.?|[-–—.]*)$/i.test(text)

// A slash separates words, but not in "w/ rice" or "1/2 avocado".
const separators = /[,;|¦•·∙‧、\t\r\n]|(?<=\p{L}{2} ?)\/(?= ?\p{L}{2})/u

const plain = (text: string): string =>
  text
    .replaceAll('，', ',')
    .replaceAll('；', ';')
    .replaceAll('｜', '|')
    .replaceAll('／', '/')
    .replaceAll(/ +/g, ' ')

const parts = (text: string): string[] =>
  (isNone(text) ? [] : trimmed(plain(text).split(separators))).filter((part) => !isNone(part))

const notReckoned = (column: string, texts: readonly string[]): CellProblem[] =>
  texts
    .filter((text) => /^[#=]/.test(text))
    .map((text) => ({ column, message: `${text} is a spreadsheet error. Write the value instead` }))

const isCommonProtein = (name: string) => commonProteins.some((protein) => protein === name)

/** "beef and chicken" are two proteins, "ham and cheese" is one. */
const proteins = (text: string): string[] =>
  parts(text).flatMap((part) => {
    const joined = trimmed(part.split(/\b(?:and|or)\b|[&+]/i)).map(protein)
    return joined.every(isCommonProtein) ? joined : [protein(part)]
  })

const numbers = (text: string) =>
  parts(text).map((part) => (/^\d{1,3}$/.test(part) ? Number(part) : Number.NaN))

/** `K45` and `45,50` in digits; as typed what is no plain amount. */
const priceIn = (text: string): string => {
  const amount = amountFromText(text)
  return amount?.told === 'bare' ? decimalFromNgwee(amount.ngwee) : text
}

const truths = new Map([
  ['', true],
  ...['true', 'yes', '1'].map((word) => [word, true] as const),
  ...['false', 'no', '0'].map((word) => [word, false] as const),
])

/** A separator other than the bar counts where a protein's name and a colon follow. */
const descriptionsIn = (text: string, categories: readonly string[]): string[] => {
  const pairs = ['']
  for (const piece of text.split(/(?=[|,;/\r\n])/)) {
    const [named = '', ...rest] = piece.slice(1).split(':')
    const isNamed = rest.length > 0 && categories.includes(protein(named))
    if (piece.startsWith('|') || (isNamed && /^[,;/\r\n]/.test(piece))) pairs.push(piece.slice(1))
    else pairs[pairs.length - 1] += piece
  }
  return pairs
}

/** `protein:text` pairs joined by `|` or another separator before a protein's name; only the first colon divides. */
const readDescriptions = (text: string, categories: string[]) => {
  if (isNone(text)) return { value: {}, problems: [] }
  const problems: CellProblem[] = []
  const refuse = (message: string) => problems.push({ column: 'proteinDescriptions', message })
  const pairs = trimmed(descriptionsIn(text, categories)).flatMap((pair) => {
    const [named = '', ...rest] = pair.split(':')
    const name = protein(named)
    if (name === '' || rest.length === 0)
      refuse('Protein descriptions are written protein:description and joined by |')
    else if (!categories.includes(name)) refuse(`"${name}" is not among the categories`)
    else return [[name, rest.join(':')] as const]
    return []
  })
  return { value: Object.fromEntries(pairs), problems }
}

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** In any case, with or without a blank: "No pork" is `noPork`. */
export const dietNamed = (text: string) => dietNames.find((name) => name.toLowerCase() === lettersOf(text))

/** `diet:answer` pairs joined by `|`, a comma or another separator: `halal:yes|noPork:yes`. Diets that are not named are unknown. */
const readDiets = (text: string) => {
  const problems: CellProblem[] = []
  const value: Partial<DishDiets> = {}
  for (const pair of parts(text)) {
    const [named = '', said = '', ...rest] = pair.split(':')
    const name = dietNamed(named)
    const answer = dietAnswers.find((one) => one === lettersOf(said))
    const refuse = (message: string) => problems.push({ column: 'diets', message })
    if (!name || !answer || rest.length > 0)
      refuse(
        `"${pair}" is no diet. Write ${dietNames.join(', ')} with yes, no or unknown, as in halal:yes|noPork:yes`,
      )
    else if (value[name] !== undefined && value[name] !== answer)
      refuse(`${name} is both ${value[name]} and ${answer}`)
    else value[name] = answer
  }
  return { value, problems }
}

/** `name:unit:primary:secondary` joined by `|`: `Rice:g:120:150|Chicken:g:100:130`. */
const readIngredients = (text: string) => {
  const problems: CellProblem[] = []
  const value: Ingredient[] = []
  for (const part of isNone(text) ? [] : trimmed(plain(text).split('|'))) {
    const [name = '', said = '', primary = '', secondary = '', ...rest] = part.split(':').map(oneLine)
    const unit = ingredientUnits.find((one) => one === lettersOf(said))
    const amounts = [primary, secondary].every((amount) => /^\d+(\.\d+)?$/.test(amount))
    if (!name || !unit || !amounts || rest.length > 0)
      problems.push({
        column: 'ingredients',
        message: `"${part}" is no ingredient. Write name, unit (${ingredientUnits.join(', ')}) and the amounts of a primary and a secondary portion, as in Rice:g:120:150|Chicken:g:100:130`,
      })
    else value.push({ name, unit, primary: Number(primary), secondary: Number(secondary) })
  }
  return { value, problems }
}

/** Form fields of a row, unvalidated (columns and separators: administrator.md section 5). */
export const readUploadRow = (cells: UploadCells) => {
  const cell = (column: string) => (cells.get(column) ?? '').trim()
  const categories = proteins(cell('categories'))
  const descriptions = readDescriptions(cell('proteinDescriptions'), categories)
  const diets = readDiets(cell('diets'))
  const ingredients = readIngredients(cell('ingredients'))
  const isAvailable = truths.get(cell('isAvailable').toLowerCase())
  const form = {
    name: cell('name'),
    description: cell('description'),
    price: priceIn(cell('price')),
    type: cell('type').toLowerCase(),
    categories,
    proteinDescriptions: descriptions.value,
    weekNumbers: numbers(cell('weekNumbers')),
    daysOfWeek: numbers(cell('daysOfWeek')),
    allergens: cell('allergens') === '' ? null : [cell('allergens')],
    diets: diets.value,
    sideDishes: parts(cell('sideDishes')),
    isAvailable: isAvailable ?? true,
    leadDays: cell('leadDays') === '' ? 0 : (numbers(cell('leadDays'))[0] ?? Number.NaN),
    ingredients: ingredients.value,
  }
  const problems = [
    ...notReckoned('name', form.name.startsWith('#') ? [form.name] : []),
    ...notReckoned('categories', categories),
    ...notReckoned('sideDishes', form.sideDishes),
    ...descriptions.problems,
    ...diets.problems,
    ...ingredients.problems,
    ...(isAvailable === undefined
      ? [{ column: 'isAvailable', message: 'isAvailable must be true or false' }]
      : []),
  ]
  return { form, problems }
}

export const optionalColumns = [
  'description',
  'proteinDescriptions',
  'allergens',
  'diets',
  'sideDishes',
  'isAvailable',
  'leadDays',
  'ingredients',
] as const
export type OptionalColumn = (typeof optionalColumns)[number]

/** "Row 3, price: …"; the header is row 1. */
export const problemText = ({ row, column, message }: RowProblem): string =>
  column === null ? `Row ${row}: ${message}` : `Row ${row}, ${column}: ${message}`

type UploadPlan = {
  inserts: Meal[]
  updates: (Meal & { id: number })[]
  problems: RowProblem[]
}

type Offer = { meal: Meal; id: number | null; row: number | null }

const nameOf = (meal: Meal) => `${meal.type}/${meal.name.toLowerCase()}`

const overlap = (one: number[], other: number[]) => one.some((number) => other.includes(number))

const sharesADay = (one: Meal, other: Meal) =>
  overlap(one.weekNumbers, other.weekNumbers) && overlap(one.daysOfWeek, other.daysOfWeek)

/** A row updates the item of the same name (any case), type and a common day (docs/decisions/0005-bulk-upload-identity.md). */
export const planUpload = (
  rows: readonly { row: number; meal: Meal }[],
  menu: readonly MenuItem[],
  missing: readonly OptionalColumn[] = [],
): UploadPlan => {
  const offers = new Map<string, Offer[]>()
  const known = (meal: Meal) => offers.get(nameOf(meal)) ?? []
  for (const item of menu)
    offers.set(nameOf(item), [...known(item), { meal: mealIn(item), id: item.id, row: null }])
  const problems: RowProblem[] = []
  for (const { row, meal } of rows) {
    const same = known(meal).filter((offer) => sharesADay(offer.meal, meal))
    const problem = problemWith(same)
    if (problem) problems.push({ row, column: 'name', message: problem })
    else
      offers.set(nameOf(meal), [
        ...known(meal).filter((offer) => offer !== same[0]),
        placed(row, meal, { same: same[0], missing }),
      ])
  }
  const fromFile = [...offers.values()].flat().filter((offer) => offer.row !== null)
  const inOrder = fromFile.toSorted((one, other) => Number(one.row) - Number(other.row))
  return {
    inserts: inOrder.flatMap(({ id, meal }) => (id === null ? [meal] : [])),
    updates: inOrder.flatMap(({ id, meal }) => (id === null ? [] : [{ ...meal, id }])),
    problems,
  }
}

const problemWith = (same: Offer[]): string | null => {
  const earlier = same.find(({ row }) => row !== null)
  if (earlier) return `The same meal for the same day is in row ${earlier.row}`
  if (same.length > 1) return 'Several menu items have this name, type and day; change them one by one'
  return null
}

const keptBy = (item: Meal, meal: Meal, missing: readonly OptionalColumn[]): Partial<Meal> => {
  const { name, imageUrl, portionLimit } = item
  const untold = Object.fromEntries(missing.map((column) => [column, item[column]]))
  return {
    ...untold,
    ...(missing.includes('proteinDescriptions') && {
      proteinDescriptions: describedProteins(item.proteinDescriptions, meal.categories),
    }),
    name,
    imageUrl,
    portionLimit,
  }
}

type Found = { same: Offer | undefined; missing: readonly OptionalColumn[] }

const placed = (row: number, meal: Meal, { same, missing }: Found): Offer =>
  same
    ? { row, id: same.id, meal: { ...meal, ...keptBy(same.meal, meal, missing) } }
    : { row, id: null, meal }
