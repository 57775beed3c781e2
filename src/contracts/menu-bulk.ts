import * as z from 'zod/mini'
import { menuItem } from './catalogue'
import { endpoint } from './endpoint'

const itemIds = z.array(z.int().check(z.positive())).check(z.minLength(1), z.maxLength(10_000))

export const itemsHaveOrders = endpoint('POST', '/api/menu/has-orders-batch', {
  body: z.object({ menuItemIds: z.array(z.int().check(z.positive())).check(z.maxLength(10_000)) }),
  reply: z.record(z.string(), z.boolean()),
})

export const duplicateItems = endpoint('POST', '/api/menu/duplicate', {
  status: 201,
  body: z.object({ itemIds }),
  reply: z.array(menuItem),
})

export const bulkArchive = endpoint('POST', '/api/menu/bulk-archive', {
  body: z.object({ itemIds, isArchived: z.boolean() }),
  reply: z.array(menuItem),
})

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
] as const

/**
 * Multipart with one field `file`; the errors name row and column. With `dryRun` nothing is stored, and the answer is
 * what would be. `changed` are the items that were there before.
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
  }),
})
