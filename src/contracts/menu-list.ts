import * as z from 'zod/mini'
import { itemType, menuItem } from './catalogue'
import { direction, endpoint, numberUpTo, pageMetadata, searchText, wholeNumber, yesOrNo } from './endpoint'

export const itemSorts = ['added', 'name', 'type', 'price', 'offered', 'available'] as const
export type ItemSort = (typeof itemSorts)[number]

/** 50 a page, at most 100, oldest first. `search` matches name, description and proteins. `menuSize` also counts archived items. */
export const listMenuItems = endpoint('GET', '/api/menu-items', {
  query: z.object({
    page: z.optional(wholeNumber),
    pageSize: z.optional(wholeNumber),
    sort: z.optional(z.enum(itemSorts)),
    direction: z.optional(direction),
    search: z.optional(searchText),
    archived: z.optional(yesOrNo),
    available: z.optional(yesOrNo),
    type: z.optional(itemType),
    week: z.optional(numberUpTo(6)),
    day: z.optional(numberUpTo(5)),
  }),
  reply: z.object({ data: z.array(menuItem), metadata: pageMetadata, menuSize: z.number() }),
})

const itemIds = z.array(z.int().check(z.positive())).check(z.minLength(1), z.maxLength(10_000))

export const itemsHaveOrders = endpoint('POST', '/api/menu/has-orders-batch', {
  body: z.object({ menuItemIds: z.array(z.int().check(z.positive())).check(z.maxLength(10_000)) }),
  reply: z.record(z.string(), z.boolean()),
})

export const duplicateItems = endpoint('POST', '/api/menu/duplicate', {
  once: true,
  status: 201,
  body: z.object({ itemIds }),
  reply: z.array(menuItem),
})

export const bulkArchive = endpoint('POST', '/api/menu/bulk-archive', {
  body: z.object({ itemIds, isArchived: z.boolean() }),
  reply: z.array(menuItem),
})
