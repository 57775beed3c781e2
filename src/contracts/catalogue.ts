import * as z from 'zod/mini'
import { endpoint, idParam, messageReply, nonEmpty } from './endpoint'
import { keptPicture } from './pictures'

const itemTypes = ['primary', 'secondary'] as const
export const itemType = z.enum(itemTypes, 'Type must be primary or secondary')
export type ItemType = z.infer<typeof itemType>

export const commonProteins = ['beef', 'chicken', 'vegetarian', 'fish'] as const

const priceMessage = 'Price must be a valid positive number with up to 2 decimal places'
const atMost = (length: number, what: string) =>
  z.maxLength(length, `${what} can have at most ${length} characters`)
const shortText = nonEmpty('Required').check(atMost(80, 'Each entry'))
const weekMessage = 'Weeks are numbers from 1 to 6'
const dayMessage = 'Days are numbers from 1 to 5'
const portionsMessage = 'Portions are a whole number from 1 to 100,000'

const webAddress = z.url({ protocol: /^https?$/ })
const isPicture = (text: string): boolean =>
  text === '' || keptPicture(text) !== null || webAddress.safeParse(text).success

/** What an administrator fills in (administrator.md sections 2.3 and 5). `price` is decimal digits in kwacha. */
export const menuItemFields = z.object({
  name: nonEmpty('Name is required').check(atMost(120, 'Name')),
  description: z.nullish(z.string().check(z.trim(), atMost(2000, 'Description'))),
  price: z.string().check(z.regex(/^\d{1,6}(\.\d{1,2})?$/, priceMessage)),
  /** A picture that was uploaded (`uploadPicture`), or the address of one elsewhere. */
  imageUrl: z.nullish(z.string('Invalid URL').check(z.trim(), z.refine(isPicture, 'Invalid URL'))),
  type: itemType,
  categories: z
    .array(shortText)
    .check(z.minLength(1, 'Select at least one category'), z.maxLength(20, 'At most 20 categories')),
  proteinDescriptions: z._default(
    z.record(z.string(), z.string().check(atMost(500, 'Each description'))),
    {},
  ),
  weekNumbers: z
    .array(z.int(weekMessage).check(z.gte(1, weekMessage), z.lte(6, weekMessage)))
    .check(z.minLength(1, 'Select at least one week')),
  daysOfWeek: z
    .array(z.int(dayMessage).check(z.gte(1, dayMessage), z.lte(5, dayMessage)))
    .check(z.minLength(1, 'Select at least one day')),
  allergens: z._default(z.array(shortText).check(z.maxLength(40, 'At most 40 allergens')), []),
  sideDishes: z._default(z.array(shortText).check(z.maxLength(40, 'At most 40 side dishes')), []),
  isAvailable: z._default(z.boolean(), true),
  /** How many of it can be ordered for one date; null: any number; left out: as it is, or any number of a new item. */
  portionLimit: z.nullish(
    z.int(portionsMessage).check(z.gte(1, portionsMessage), z.lte(100_000, portionsMessage)),
  ),
})
export type MenuItemFields = z.infer<typeof menuItemFields>

export const menuItem = z.object({
  id: z.number(),
  name: z.string(),
  description: z.nullable(z.string()),
  price: z.string(),
  /** The price this user pays after their discount code; absent without one. */
  discountPrice: z.optional(z.string()),
  discountPercentage: z.optional(z.number()),
  imageUrl: z.nullable(z.string()),
  type: itemType,
  categories: z.array(z.string()),
  proteinDescriptions: z.record(z.string(), z.string()),
  weekNumbers: z.array(z.number()),
  daysOfWeek: z.array(z.number()),
  allergens: z.array(z.string()),
  sideDishes: z.array(z.string()),
  isAvailable: z.boolean(),
  /** How many of it can be ordered for one date; null: any number. */
  portionLimit: z.nullable(z.number()),
  isArchived: z.boolean(),
})
export type MenuItem = z.infer<typeof menuItem>

export const listMenu = endpoint('GET', '/api/menu', { reply: z.array(menuItem) })
export const getMenuItem = endpoint('GET', '/api/menu/:id', { params: idParam, reply: menuItem })

export const createMenuItem = endpoint('POST', '/api/menu', {
  status: 201,
  body: menuItemFields,
  reply: menuItem,
})

export const updateMenuItem = endpoint('PUT', '/api/menu/:id', {
  params: idParam,
  body: menuItemFields,
  reply: menuItem,
})

export const itemHasOrders = endpoint('GET', '/api/menu/:id/has-orders', {
  params: idParam,
  reply: z.object({ hasOrders: z.boolean() }),
})

export const setAvailability = endpoint('PATCH', '/api/menu/:id/availability', {
  params: idParam,
  body: z.object({ isAvailable: z.boolean() }),
  reply: menuItem,
})

export const setArchived = endpoint('PATCH', '/api/menu/:id/archive', {
  params: idParam,
  body: z.object({ isArchived: z.boolean() }),
  reply: menuItem,
})

export const deleteMenuItem = endpoint('DELETE', '/api/menu/:id', { params: idParam, reply: messageReply })

/** Which of these items can still be ordered: names of those that cannot, by reason. */
export const validateItems = endpoint('POST', '/api/menu-items/validate', {
  body: z.object({ menuItemIds: z.array(z.int().check(z.positive())).check(z.maxLength(200)) }),
  reply: z.object({
    valid: z.boolean(),
    unavailable: z.array(z.string()),
    archived: z.array(z.string()),
    missing: z.array(z.string()),
  }),
})
