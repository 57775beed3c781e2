import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import { CsvError, parse } from 'csv-parse'
import { menuItemFields } from '#contracts/catalogue'
import { csvColumns } from '#contracts/menu-bulk'
import { Refusal } from '#kernel/refusal'
import { recordChanges } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { uploadRefusal } from '#platform/http/http-refusals'
import { inSlices } from '#platform/http/upload'
import { recordItemChanges } from './item-changes.rows'
import { mealIn, mealOf, type Meal, type MenuItem } from './menu-item.decide'
import { insertItems, lockMenu, unarchivedItems, updateItems } from './menu-items.rows'
import type { CatalogueNeeds } from './needs'
import { refused } from './refusals'
import { planUpload } from './upload-plan.decide'
import { problemText, readUploadRow, type RowProblem, type UploadCells } from './upload-row.decide'

// Below the header.
const mostRows = 10_000

// Several times what a row can hold whose every cell is as long as a meal allows.
const longestRow = 128 * 1024

const requiredColumns = ['name', 'price', 'type', 'categories', 'weekNumbers', 'daysOfWeek']

type ReadRow = { row: number; cells: UploadCells; surplus: boolean }
type Outcome = { row: number; meal: Meal } | { problems: RowProblem[] }

/**
 * Adds the meals of a CSV file to the menu or, where they are there, updates them. Bad rows are reported, good ones
 * stored; with `dryRun` nothing is.
 */
export const uploadMenu =
  ({ database: { knex }, now }: Pick<CatalogueNeeds, 'database' | 'now'>) =>
  async (file: Buffer, by: By, { dryRun = false } = {}) => {
    const outcomes = await readFile(file)
    const meals = outcomes.flatMap((outcome) => ('meal' in outcome ? [outcome] : []))
    const { changed, ...plan } = await knex.transaction(async (transaction) => {
      // Two uploads of one file at once must not both find the menu without it.
      await lockMenu(transaction)
      const menu = await unarchivedItems(transaction)
      const plan = planUpload(meals, menu)
      const willChange = { ...plan, changed: changedOf(menu, plan.updates) }
      if (dryRun) return willChange
      const made = await insertItems(transaction, plan.inserts)
      const changed = await updateItems(transaction, plan.updates)
      await recordUpload(transaction, { ...by, at: now() }, { menu, made, changed })
      return willChange
    })
    const problems = [
      ...outcomes.flatMap((outcome) => ('meal' in outcome ? [] : outcome.problems)),
      ...plan.problems,
    ]
    return {
      successCount: plan.inserts.length + plan.updates.length,
      createdCount: plan.inserts.length,
      changedCount: changed.length,
      changed,
      errorCount: new Set(problems.map(({ row }) => row)).size,
      errors: problems.toSorted((one, other) => one.row - other.row).map(problemText),
    }
  }

/** Those of the updates that do not stand on the menu just so. */
const changedOf = (menu: readonly MenuItem[], updates: readonly (Meal & { id: number })[]) => {
  const before = new Map(menu.map((item) => [item.id, mealIn(item)]))
  return updates
    .filter(({ id, ...meal }) => !isDeepStrictEqual(meal, before.get(id)))
    .map(({ id, name }) => ({ id, name }))
}

type Uploaded = Record<'menu' | 'made' | 'changed', readonly MenuItem[]>

/** One entry for the upload, and one for each item that it made or changed. */
const recordUpload = async (
  transaction: Knex.Transaction,
  by: By & { at: Date },
  { menu, made, changed }: Uploaded,
): Promise<void> => {
  if (made.length + changed.length === 0) return
  const what = `Menu uploaded from a file: ${made.length} items made, ${changed.length} found there`
  await recordChanges(transaction, by, [{ kind: 'catalogue', what, old: null, new: null }])
  const before = new Map(menu.map((item) => [item.id, item]))
  const changes = [
    ...made.map((after) => ({ before: null, after })),
    ...changed.map((after) => ({ before: before.get(after.id) ?? null, after })),
  ]
  await recordItemChanges(transaction, by, changes, ' by upload')
}

/** What each row that holds anything means; throws a refusal when the file as a whole is no menu. */
const readFile = async (file: Buffer): Promise<Outcome[]> => {
  if (!isUtf8(file))
    throw uploadRefusal('upload_malformed', 'The file is not UTF-8 text. Save it as CSV UTF-8.')
  let header: string[] | null = null
  const outcomes: Outcome[] = []
  for await (const { row, record } of records(file)) {
    if (record.every((cell) => cell.trim() === '')) continue
    if (header === null) header = readHeader(record)
    else outcomes.push(mealOfRow(readRow(row, record, header)))
    if (outcomes.length > mostRows)
      throw uploadRefusal('too_many_rows', `A file can have at most ${mostRows.toLocaleString('en')} rows`)
  }
  if (header === null) throw refused('columns_missing', 'The file is empty')
  return outcomes
}

// Spreadsheets write semicolons where commas stand in numbers.
const delimiterOf = (file: Buffer): ',' | ';' => {
  const [header = ''] = file
    .subarray(0, longestRow)
    .toString()
    .trimStart()
    .split(/[\r\n]/, 1)
  const known = (delimiter: string) =>
    header.split(delimiter).filter((title) => isColumn(title.replaceAll('"', ''))).length
  return known(';') > known(',') ? ';' : ','
}

// The parser counts what stands in cells, so a line of nothing but separators costs it seconds.
const hasLongerLine = (file: Buffer): boolean => {
  let start = 0
  while (file.length - start > longestRow) {
    const next = file.subarray(start, start + longestRow + 1)
    const end = Math.max(next.lastIndexOf('\n'), next.lastIndexOf('\r'))
    if (end === -1) return true
    start += end + 1
  }
  return false
}

/** The records of the file with their row as a spreadsheet counts it. */
const records = async function* (file: Buffer) {
  if (hasLongerLine(file)) throw uploadRefusal('upload_malformed', 'The file has a line of more than 128 KiB')
  const parser = Readable.from(inSlices(file)).pipe(
    parse({
      bom: true,
      delimiter: delimiterOf(file),
      info: true,
      max_record_size: longestRow,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    }),
  )
  try {
    for await (const { record, info } of parser)
      yield { row: (info.records + info.empty_lines) as number, record: record as string[] }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw uploadRefusal(
      'upload_malformed',
      `The file cannot be read after row ${parser.info.records}: is a quote left open?`,
    )
  }
}

const isColumn = (title: string) => csvColumns.some((column) => column === columnNamed(title))

const columnNamed = (title: string) =>
  csvColumns.find((column) => column.toLowerCase() === title.trim().toLowerCase()) ?? title

const readHeader = (record: string[]): string[] => {
  const header = record.map(columnNamed)
  const missing = requiredColumns.filter((column) => !header.includes(column))
  if (missing.length > 0)
    throw refused('columns_missing', `The file lacks the columns ${missing.join(', ')}`, {
      extra: { missing },
    })
  return header
}

const readRow = (row: number, record: string[], header: string[]): ReadRow => ({
  row,
  cells: new Map(header.map((column, index) => [column, record[index] ?? ''] as const).toReversed()),
  surplus: record.slice(header.length).some((cell) => cell.trim() !== ''),
})

const mealOfRow = ({ row, cells, surplus }: ReadRow): Outcome => {
  if (surplus)
    return {
      problems: [{ row, column: null, message: 'More cells than columns; put lists into double quotes' }],
    }
  const { form, problems } = readUploadRow(cells)
  const parsed = menuItemFields.safeParse(form)
  const found = new Map<string, string>(problems.map(({ column, message }) => [column, message]))
  for (const { path, message } of parsed.error?.issues ?? [])
    if (!found.has(String(path[0]))) found.set(String(path[0]), message)
  if (found.size > 0 || !parsed.data)
    return { problems: [...found].map(([column, message]) => ({ row, column, message })) }
  return cleanMeal(row, parsed.data)
}

const cleanMeal = (row: number, form: Parameters<typeof mealOf>[0]): Outcome => {
  try {
    return { row, meal: mealOf(form) }
  } catch (error) {
    if (!(error instanceof Refusal) || !error.fields) throw error
    return { problems: Object.entries(error.fields).map(([column, message]) => ({ row, column, message })) }
  }
}
