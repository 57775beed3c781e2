import { bulkUpload, menuItemFields, csvColumns } from '#contracts/catalogue'
import type { QueryOf } from '#contracts/endpoint'
import { replyJson, uploadRefusal } from '#platform/http/request'
import { rawRoute, withFeature } from '#platform/http/route'
import { parseInput } from '#platform/http/serve-route'
import { maxUploadBody, receiveUpload, type Upload } from '#platform/http/body'
import type { Ports } from '#platform/ports'
import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import { readAllergens } from '#contracts/allergens'
import { Refusal } from '#kernel/refusal'
import { recordChanges } from '#platform/changes'
import { readCsvTable } from '#platform/csv-file'
import type { By } from '#platform/event-store/command-handler'
import { recordItemChanges, insertItems, lockMenu, unarchivedItems, updateItems } from './menu-items.rows'
import { mealIn, mealOf, type Meal, type MenuItem } from './menu-item.decide'
import { refused } from './refusals'
import {
  planUpload,
  dietNamed,
  optionalColumns,
  problemText,
  readUploadRow,
  type OptionalColumn,
  type RowProblem,
  type UploadCells,
} from './upload-plan.decide'
const isCsv = ({ fileName, mimeType }: Upload) =>
  fileName.toLowerCase().endsWith('.csv') || /^(text|application)\/(x-)?csv\b/.test(mimeType.toLowerCase())

export const uploadRoutes = (commands: { uploadMenu: ReturnType<typeof uploadMenu> }) => [
  rawRoute({
    method: bulkUpload.method,
    path: bulkUpload.path,
    access: withFeature('menu'),
    options: { maxBodyBytes: maxUploadBody },
    serve: async (context, { by }) => {
      const query = parseInput(bulkUpload.query, context.query) as QueryOf<typeof bulkUpload>
      const upload = await receiveUpload(context)
      if (!isCsv(upload)) throw uploadRefusal('not_csv', 'Invalid File Type: Please select a CSV file')
      const dryRun = query.dryRun === 'true'
      const outcome = await commands.uploadMenu(upload.bytes, by, { dryRun })
      replyJson(context, bulkUpload.status, bulkUpload.reply.parse(outcome))
    },
  }),
]

const maxRows = 10_000

const requiredColumns = ['name', 'price', 'type', 'categories', 'weekNumbers', 'daysOfWeek']

type Outcome = { row: number; meal: Meal } | { problems: RowProblem[] }

/** Adds or updates meals from a CSV file; reports bad rows and stores good ones, or nothing with `dryRun`. */
export const uploadMenu =
  ({ database: { knex }, now }: Ports, allergenList: () => Promise<string[]>) =>
  async (file: Buffer, by: By, { dryRun = false } = {}) => {
    const { outcomes, missing } = await readFile(file, await allergenList())
    const meals = outcomes.flatMap((outcome) => ('meal' in outcome ? [outcome] : []))
    const { changed, ...plan } = await knex.transaction(async (transaction) => {
      // Concurrent uploads of one file must not both find the menu without it.
      await lockMenu(transaction)
      const menu = await unarchivedItems(transaction)
      const plan = planUpload(meals, menu, missing)
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

const changedOf = (menu: readonly MenuItem[], updates: readonly (Meal & { id: number })[]) => {
  const before = new Map(menu.map((item) => [item.id, mealIn(item)]))
  return updates
    .filter(({ id, ...meal }) => !isDeepStrictEqual(meal, before.get(id)))
    .map(({ id, name }) => ({ id, name }))
}

type Uploaded = Record<'menu' | 'made' | 'changed', readonly MenuItem[]>

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

type ReadFile = { outcomes: Outcome[]; missing: OptionalColumn[] }

/** Throws a refusal when the file is no menu. */
const readFile = async (file: Buffer, allergenList: readonly string[]): Promise<ReadFile> => {
  const { heads, rows, errors } = await readCsvTable(file, { maxRows, isHead })
  const header = readHeader(heads)
  refuseAllergenColumns(heads, allergenList)
  refuseDietColumns(heads)
  const outcomes = rows.map(({ row, cells }) => {
    const named = header.map((column, index) => [column, cells[index]!] as const)
    return mealOfRow(row, new Map(named), allergenList)
  })
  const unread = errors.map((error) => ({ problems: [{ ...error, column: null }] }))
  const columns = new Set<string>(header)
  return {
    outcomes: [...outcomes, ...unread],
    missing: optionalColumns.filter((column) => !columns.has(column)),
  }
}

/** Needs two known column names: a line of values has none. */
const isHead = (heads: readonly string[]): boolean => heads.filter(isColumn).length > 1

const isColumn = (title: string) => csvColumns.some((column) => column === columnNamed(title))

/** Refuses one column per allergen with ticks: ignoring it would protect nobody. */
const refuseAllergenColumns = (heads: readonly string[], allergenList: readonly string[]): void => {
  const strange = heads.find(
    (head) => !isColumn(head) && readAllergens([head], allergenList).names.length > 0,
  )
  if (strange)
    throw refused(
      'allergen_column',
      `The column ${strange} is an allergen. Write the allergens of each meal into one column allergens.`,
    )
}

/** Refuses one column per diet with ticks, for the same reason. */
const refuseDietColumns = (heads: readonly string[]): void => {
  const strange = heads.find((head) => !isColumn(head) && dietNamed(head))
  if (strange)
    throw refused(
      'diet_column',
      `The column ${strange} is a diet. Write the diets of each meal into one column diets, as in halal:yes|noPork:yes.`,
    )
}

const lettersOf = (title: string) =>
  title
    .normalize('NFKD')
    .replace(/ \(\d+\)$/, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

const otherNames = new Map<string, (typeof csvColumns)[number]>([
  ...['side', 'sides', 'sidedish', 'sideoptions'].map((head) => [head, 'sideDishes'] as const),
  ['diet', 'diets'],
  ...['category', 'protein', 'proteins', 'proteinoptions'].map((head) => [head, 'categories'] as const),
])

/** "Sides" is `sideDishes`; a column that mentions allergens is never ignored. */
const columnNamed = (title: string) => {
  const letters = lettersOf(title)
  if (/al+erg|^(maycontain|contain)s?$/.test(letters)) return 'allergens'
  return otherNames.get(letters) ?? csvColumns.find((column) => column.toLowerCase() === letters) ?? title
}

const readHeader = (heads: readonly string[]): string[] => {
  const header = heads.map(columnNamed)
  const missing = requiredColumns.filter((column) => !header.includes(column))
  if (missing.length > 0)
    throw refused('columns_missing', `The file lacks the columns ${missing.join(', ')}`, {
      extra: { missing },
    })
  const twice = csvColumns.find((column) => header.indexOf(column) !== header.lastIndexOf(column))
  if (twice) throw refused('columns_twice', `The file has two columns ${twice}: leave one of them`)
  return header
}

const mealOfRow = (row: number, cells: UploadCells, allergenList: readonly string[]): Outcome => {
  const { form, problems } = readUploadRow(cells)
  const parsed = menuItemFields.safeParse(form)
  const found = new Map<string, string>(problems.map(({ column, message }) => [column, message]))
  for (const { path, message } of parsed.error?.issues ?? [])
    if (!found.has(String(path[0]))) found.set(String(path[0]), message)
  if (found.size > 0 || !parsed.data)
    return { problems: [...found].map(([column, message]) => ({ row, column, message })) }
  return cleanMeal(row, parsed.data, allergenList)
}

const cleanMeal = (row: number, ...read: Parameters<typeof mealOf>): Outcome => {
  try {
    return { row, meal: mealOf(...read) }
  } catch (error) {
    if (!(error instanceof Refusal) || !error.fields) throw error
    return { problems: Object.entries(error.fields).map(([column, message]) => ({ row, column, message })) }
  }
}
