import { isDeepStrictEqual } from 'node:util'
import type { Knex } from 'knex'
import { bulkUpload, menuForm, menuItemFields, menuMapping, type MenuMapping } from '#contracts/catalogue'
import { mostLeftOut, type LeftOutRow } from '#contracts/csv'
import type { QueryOf, ReplyOf } from '#contracts/endpoint'
import { indexOfHead, reasonLeftOut } from '#kernel/csv-headers'
import { otherCurrency } from '#kernel/foreign-money'
import { Refusal } from '#kernel/refusal'
import { recordChanges } from '#platform/changes'
import { refuseOtherMoney, type CsvTable } from '#platform/csv-file'
import type { By } from '#platform/event-store/command-handler'
import { jsonField, maxUploadBody, receiveUpload, type Upload } from '#platform/http/body'
import { replyJson, uploadRefusal } from '#platform/http/request'
import { rawRoute, withFeature } from '#platform/http/route'
import { parseInput } from '#platform/http/serve-route'
import { keepMapping, readMappedFile } from '#platform/kept-mappings'
import { inSlices } from '#platform/pacing'
import type { Ports } from '#platform/ports'
import { mealIn, mealOf, type Meal, type MenuItem } from './menu-item.decide'
import { recordItemChanges, insertItems, lockMenu, unarchivedItems, updateItems } from './menu-items.rows'
import { columnsLeftOut, columnsNamed, guessMenu, headsNotRead, isMenuHead } from './upload-columns.decide'
import {
  planUpload,
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
      const { mapping } = parseInput(menuForm, jsonField(upload.fields, 'mapping')) as {
        mapping?: MenuMapping
      }
      const outcome = await commands.uploadMenu({ file: upload.bytes, mapping }, by, { dryRun })
      replyJson(context, bulkUpload.status, bulkUpload.reply.parse(outcome))
    },
  }),
]

const kind = 'menu'
const maxRows = 10_000

type MenuFile = { file: Buffer; mapping?: MenuMapping | undefined }

type Outcome = { row: number; meal: Meal } | { problems: RowProblem[] }

/** Adds or updates meals from a CSV file; reports bad rows and stores good ones, or nothing with `dryRun`. */
export const uploadMenu =
  ({ database: { knex }, now }: Ports, allergenList: () => Promise<string[]>) =>
  async (file: MenuFile, by: By, { dryRun = false } = {}): Promise<ReplyOf<typeof bulkUpload>> => {
    const { outcomes, missing, heads, leftOut, ...told } = await readFile(knex, file, await allergenList())
    const meals = outcomes.flatMap((outcome) => ('meal' in outcome ? [outcome] : []))
    const { changed, ...plan } = await knex.transaction(async (transaction) => {
      // Concurrent uploads of one file must not both find the menu without it.
      await lockMenu(transaction)
      const menu = await unarchivedItems(transaction)
      const plan = planUpload(meals, menu, missing)
      const willChange = { ...plan, changed: changedOf(menu, plan.updates) }
      if (dryRun) return willChange
      if (file.mapping) await keepMapping(transaction, { kind, heads, mapping: file.mapping })
      const made = await insertItems(transaction, plan.inserts, { ...by, at: now() })
      const changed = await updateItems(transaction, plan.updates, { ...by, at: now() })
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
      ...told,
      leftOut: leftOut.slice(0, mostLeftOut),
      leftOutCount: leftOut.length,
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

type ReadFile = {
  outcomes: Outcome[]
  missing: OptionalColumn[]
  notRead: string[]
  leftOut: LeftOutRow[]
  notes: string[]
  heads: string[]
}

/** Throws `mapping_needed`, or a refusal when the file is no menu. */
const readFile = async (
  knex: Knex,
  { file, mapping: sent }: MenuFile,
  allergenList: readonly string[],
): Promise<ReadFile> => {
  const { table, read: mapping } = await readMappedFile(knex, {
    kind,
    bytes: file,
    sent,
    maxRows,
    isHead: isMenuHead,
    read: ({ heads }, mapped = columnsNamed(heads)) =>
      menuMapping.safeParse(mapped).success ? mapped : null,
    guess: guessMenu,
  })
  refuseOtherMoney(table, mapping.price!)
  const notRead = headsNotRead(table.heads, mapping, allergenList)
  const { outcomes, leftOut } = await inSlices(mealsOf(table, mapping, allergenList))
  const unread = table.errors.map((error) => ({ problems: [{ ...error, column: null }] }))
  return {
    outcomes: [...outcomes, ...unread],
    missing: columnsLeftOut(mapping),
    notRead,
    leftOut,
    notes: table.notes,
    heads: table.heads,
  }
}

function* mealsOf(
  { heads, rows }: CsvTable,
  mapping: MenuMapping,
  allergenList: readonly string[],
): Generator<undefined, { outcomes: Outcome[]; leftOut: LeftOutRow[] }> {
  const places = Object.entries(mapping).map(([column, head]) => [column, indexOfHead(heads, head)] as const)
  const currencyOf = otherCurrency(heads, rows)
  const outcomes: Outcome[] = []
  const leftOut: LeftOutRow[] = []
  for (const { row, cells } of rows) {
    yield
    const read = new Map(places.map(([column, place]) => [column, cells[place] ?? '']))
    const reason = reasonLeftOut({ heads, cells, read: [...read.values()] })
    const foreign = currencyOf(cells)
    if (reason !== null) leftOut.push({ row, reason, amount: null })
    else if (foreign !== null) outcomes.push({ problems: [{ row, column: 'price', message: foreign }] })
    else outcomes.push(mealOfRow(row, read, allergenList))
  }
  return { outcomes, leftOut }
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
