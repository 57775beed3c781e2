import * as z from 'zod/mini'
import { ingredients, leadDays, portionLimit } from './dish-fields'
import {
  calendarDay,
  dayRange,
  endpoint,
  idParam,
  messageReply,
  nonEmpty,
  givenVersion,
  shownVersion,
} from './endpoint'
import { keptPicture } from './pictures'

const itemTypes = ['primary', 'secondary'] as const
export const itemType = z.enum(itemTypes, 'Type must be primary or secondary')
export type ItemType = z.infer<typeof itemType>

export const commonProteins = ['beef', 'chicken', 'vegetarian', 'fish'] as const

export const dietNames = ['halal', 'vegetarian', 'noPork', 'noBeef'] as const
export type DietName = (typeof dietNames)[number]

export const dietAnswers = ['yes', 'no', 'unknown'] as const
const dietAnswer = z._default(z.enum(dietAnswers, 'A diet is yes, no or unknown'), 'unknown')

/** What the kitchen says of a dish; `noPork: 'no'` means that there is pork in it. */
const dishDiets = z.strictObject(
  { halal: dietAnswer, vegetarian: dietAnswer, noPork: dietAnswer, noBeef: dietAnswer },
  `The diets are ${dietNames.join(', ')}`,
)
export type DishDiets = z.infer<typeof dishDiets>

export const unknownDiets: DishDiets = dishDiets.parse({})

const priceMessage = 'Price must be a valid positive number with up to 2 decimal places'
const atMost = (length: number, what: string) =>
  z.maxLength(length, `${what} can have at most ${length} characters`)
const shortText = nonEmpty('Required').check(atMost(80, 'Each entry'))
const weekMessage = 'Weeks are numbers from 1 to 6'
const dayMessage = 'Days are numbers from 1 to 5'

const webAddress = z.url({ protocol: /^https?$/ })
const isPicture = (text: string): boolean =>
  text === '' || keptPicture(text) !== null || webAddress.safeParse(text).success

/** `price` is decimal digits in kwacha (administrator.md sections 2.3 and 5). */
export const menuItemFields = z.object({
  name: nonEmpty('Name is required').check(atMost(120, 'Name')),
  description: z.nullish(z.string().check(z.trim(), atMost(2000, 'Description'))),
  price: z.string().check(z.regex(/^\d{1,6}(\.\d{1,2})?$/, priceMessage)),
  /** An uploaded picture (`uploadPicture`) or the address of one elsewhere. */
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
  /** Any words the school's list knows (`readAllergens`); null: not stated, absent keeps the stored ones. */
  allergens: z.nullish(
    z.array(z.string().check(atMost(500, 'Each entry'))).check(z.maxLength(40, 'At most 40 allergens')),
  ),
  /** Absent keeps the stored ones; a diet that it does not name is unknown. */
  diets: z.optional(dishDiets),
  sideDishes: z._default(z.array(shortText).check(z.maxLength(40, 'At most 40 side dishes')), []),
  isAvailable: z._default(z.boolean(), true),
  portionLimit: z.nullish(portionLimit),
  /** Absent keeps the stored ones, as `ingredients` do. */
  leadDays: z.optional(leadDays),
  ingredients: z.optional(ingredients),
})
export type MenuItemFields = z.infer<typeof menuItemFields>

export const menuItem = z.object({
  id: z.number(),
  name: z.string(),
  description: z.nullable(z.string()),
  price: z.string(),
  discountPrice: z.optional(z.string()),
  discountPercentage: z.optional(z.number()),
  imageUrl: z.nullable(z.string()),
  type: itemType,
  categories: z.array(z.string()),
  proteinDescriptions: z.record(z.string(), z.string()),
  weekNumbers: z.array(z.number()),
  daysOfWeek: z.array(z.number()),
  /** Null: not stated. Empty: none. */
  allergens: z.nullable(z.array(z.string())),
  diets: dishDiets,
  sideDishes: z.array(z.string()),
  isAvailable: z.boolean(),
  leadDays: z.number(),
  ingredients,
  /** Portions per date; null for no limit. */
  portionLimit: z.nullable(z.number()),
  isArchived: z.boolean(),
  ...shownVersion,
})
export type MenuItem = z.infer<typeof menuItem>

export const listMenu = endpoint('GET', '/api/menu', { reply: z.array(menuItem) })
export const getMenuItem = endpoint('GET', '/api/menu/:id', { params: idParam, reply: menuItem })

export const createMenuItem = endpoint('POST', '/api/menu', {
  once: true,
  status: 201,
  body: menuItemFields,
  reply: menuItem,
})

export const updateMenuItem = endpoint('PUT', '/api/menu/:id', {
  params: idParam,
  body: z.extend(menuItemFields, givenVersion),
  reply: menuItem,
})

export const itemHasOrders = endpoint('GET', '/api/menu/:id/has-orders', {
  params: idParam,
  reply: z.object({ hasOrders: z.boolean() }),
})

export const setAvailability = endpoint('PATCH', '/api/menu/:id/availability', {
  params: idParam,
  body: z.object({ isAvailable: z.boolean(), ...givenVersion }),
  reply: menuItem,
})

export const setArchived = endpoint('PATCH', '/api/menu/:id/archive', {
  params: idParam,
  body: z.object({ isArchived: z.boolean(), ...givenVersion }),
  reply: menuItem,
})

export const deleteMenuItem = endpoint('DELETE', '/api/menu/:id', { params: idParam, reply: messageReply })

export const validateItems = endpoint('POST', '/api/menu-items/validate', {
  body: z.object({ menuItemIds: z.array(z.int().check(z.positive())).check(z.maxLength(200)) }),
  reply: z.object({
    valid: z.boolean(),
    unavailable: z.array(z.string()),
    archived: z.array(z.string()),
    missing: z.array(z.string()),
  }),
})

/** A null limit means unlimited, and sold out by hand on this date. Administrators also see `taken` (live orders and reservations). */
const portionsLeft = z.object({
  menuItemId: z.number(),
  date: z.string(),
  limit: z.nullable(z.number()),
  left: z.number(),
  taken: z.optional(z.number()),
  soldOut: z.optional(z.boolean()),
})
export type PortionsLeft = z.infer<typeof portionsLeft>

/** Limited items per date they are offered, and dates sold out by hand (`left` 0). An absent item is unlimited. */
export const listPortions = endpoint('GET', '/api/menu/portions', {
  query: z.object({ from: calendarDay, to: calendarDay }).check(dayRange(62)),
  reply: z.object({ data: z.array(portionsLeft) }),
})

export const setSoldOut = endpoint('PUT', '/api/menu/:id/sold-out', {
  params: idParam,
  body: z.object({ date: z.iso.date(), soldOut: z.boolean() }),
  reply: z.object({ orders: z.number() }),
})
