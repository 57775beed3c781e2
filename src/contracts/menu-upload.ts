import * as z from 'zod/mini'
import { leftOutOfFile, mappedColumn } from './csv'
import { endpoint } from './endpoint'

export const csvColumns = [
  'name',
  'description',
  'price',
  'type',
  'categories',
  'proteinDescriptions',
  'weekNumbers',
  'daysOfWeek',
  'allergens',
  'sideDishes',
  'isAvailable',
  'diets',
  'leadDays',
  'ingredients',
] as const

export type CsvColumn = (typeof csvColumns)[number]

const neededColumns = ['name', 'price', 'type', 'categories', 'weekNumbers', 'daysOfWeek'] as const
const headOfColumn = Object.fromEntries(csvColumns.map((column) => [column, mappedColumn]))

export const menuMapping = z
  .strictObject(headOfColumn as Record<CsvColumn, typeof mappedColumn>)
  .check(
    ...neededColumns.map((column) =>
      z.refine<MenuMapping>((mapping) => mapping[column] !== undefined, `Choose the column ${column}`),
    ),
  )
export type MenuMapping = { [Column in CsvColumn]?: string | undefined }
export const menuForm = z.object({ mapping: z.optional(menuMapping) })

/**
 * Multipart `file` and `mapping`, which is kept by the headings. 422 `mapping_needed` without a column that is needed. `dryRun` stores
 * nothing and answers what would change. `notRead`: heads of no column. Rows are successCount + leftOutCount + errorCount.
 */
export const bulkUpload = endpoint('POST', '/api/menu/bulk-upload', {
  query: z.object({ dryRun: z.optional(z.enum(['true', 'false'])) }),
  reply: z.object({
    successCount: z.number(),
    createdCount: z.number(),
    changedCount: z.number(),
    changed: z.array(z.object({ id: z.number(), name: z.string() })),
    errorCount: z.number(),
    errors: z.array(z.string()),
    notRead: z.array(z.string()),
    ...leftOutOfFile,
  }),
})
