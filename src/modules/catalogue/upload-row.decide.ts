import { oneLine } from './text'

/** The cells of one row by the name of their column; a column that the file lacks is absent. */
export type UploadCells = ReadonlyMap<string, string>

/** What is wrong in one row; `column` is null where the row as a whole is. */
export type RowProblem = { row: number; column: string | null; message: string }

type CellProblem = { column: string; message: string }

const parts = (text: string, separator = ','): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')

const numbers = (text: string) =>
  parts(text).map((part) => (/^\d{1,3}$/.test(part) ? Number(part) : Number.NaN))

const truths = new Map([
  ['', true],
  ...['true', 'yes', '1'].map((word) => [word, true] as const),
  ...['false', 'no', '0'].map((word) => [word, false] as const),
])

/** `protein:text` pairs joined by `|`; the first colon divides, later ones belong to the text. */
const readDescriptions = (text: string, categories: string[]) => {
  const problems: CellProblem[] = []
  const refuse = (message: string) => problems.push({ column: 'proteinDescriptions', message })
  const pairs = parts(text, '|').flatMap((pair) => {
    const [protein = '', ...rest] = pair.split(':')
    const name = oneLine(protein).toLowerCase()
    if (name === '' || rest.length === 0)
      refuse('Protein descriptions are written protein:description and joined by |')
    else if (!categories.includes(name)) refuse(`"${name}" is not among the categories`)
    else return [[name, rest.join(':')] as const]
    return []
  })
  return { value: Object.fromEntries(pairs), problems }
}

/**
 * What a row says, in the shape of the menu item form, still to be validated as such
 * (columns and separators: administrator.md section 5).
 */
export const readUploadRow = (cells: UploadCells) => {
  const cell = (column: string) => (cells.get(column) ?? '').trim()
  const categories = parts(cell('categories')).map((part) => oneLine(part).toLowerCase())
  const descriptions = readDescriptions(cell('proteinDescriptions'), categories)
  const isAvailable = truths.get(cell('isAvailable').toLowerCase())
  const form = {
    name: cell('name'),
    description: cell('description'),
    price: cell('price'),
    type: cell('type').toLowerCase(),
    categories,
    proteinDescriptions: descriptions.value,
    weekNumbers: numbers(cell('weekNumbers')),
    daysOfWeek: numbers(cell('daysOfWeek')),
    allergens: cell('allergens').toLowerCase() === 'none' ? [] : parts(cell('allergens')),
    sideDishes: parts(cell('sideDishes')),
    isAvailable: isAvailable ?? true,
  }
  const problems =
    isAvailable === undefined
      ? [...descriptions.problems, { column: 'isAvailable', message: 'isAvailable must be true or false' }]
      : descriptions.problems
  return { form, problems }
}

/** "Row 3, price: …"; rows are counted as a spreadsheet does, the header is row 1. */
export const problemText = ({ row, column, message }: RowProblem): string =>
  column === null ? `Row ${row}: ${message}` : `Row ${row}, ${column}: ${message}`
