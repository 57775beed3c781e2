import * as z from 'zod/mini'
import { itemType, menuItem } from './catalogue'
import { endpoint, pageMetadata, wholeNumber } from './endpoint'
import { direction, numberUpTo, searchText, yesOrNo } from './sorting'

/** `added` is the order in which the items came, `offered` the weeks and then the days. */
export const itemSorts = ['added', 'name', 'type', 'price', 'offered', 'available'] as const
export type ItemSort = (typeof itemSorts)[number]

/**
 * The menu as Menu Management lists it: 50 a page unless asked otherwise, at most 100, oldest first unless asked
 * otherwise. A filter that is absent takes all. `search` is found in name, description and proteins, without regard
 * to case. `menuSize` counts every item, whatever is filtered, archived ones too.
 */
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
