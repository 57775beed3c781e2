import * as z from 'zod/mini'
import { leftOutOfFile, mappedColumn } from './csv'
import {
  endpoint,
  idParam,
  messageReply,
  nonEmpty,
  pageMetadata,
  wholeNumber,
  direction,
  numberUpTo,
  searchText,
  yesOrNo,
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
const portionsMessage = 'Portions are a whole number from 1 to 100,000'

/** A dish can ask to be ordered so many school days before its date's own cutoff. */
export const maxLeadDays = 5
const leadMessage = `Lead days are a whole number from 0 to ${maxLeadDays}`

export const ingredientUnits = ['g', 'ml', 'piece'] as const
const amountMessage = 'Amounts are numbers from 0 to 10,000'
const amountOfPortion = z.number(amountMessage).check(z.gte(0, amountMessage), z.lte(10_000, amountMessage))

const ingredient = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1, 'Name each ingredient'), atMost(40, 'An ingredient')),
  unit: z.enum(ingredientUnits, 'Units are g, ml and piece'),
  primary: amountOfPortion,
  secondary: amountOfPortion,
})
export type Ingredient = z.infer<typeof ingredient>

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
  portionLimit: z.nullish(
    z.int(portionsMessage).check(z.gte(1, portionsMessage), z.lte(100_000, portionsMessage)),
  ),
  /** Absent keeps the stored ones; so do `ingredients`. */
  leadDays: z.optional(z.int(leadMessage).check(z.gte(0, leadMessage), z.lte(maxLeadDays, leadMessage))),
  ingredients: z.optional(z.array(ingredient).check(z.maxLength(12, 'At most 12 ingredients'))),
})
export type MenuItemFields = z.infer<typeof menuItemFields>

const menuItem = z.object({
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
  ingredients: z.array(ingredient),
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

/** At most 62 days: limited items per date they are offered, and dates sold out by hand (`left` 0). An absent item is unlimited. */
export const listPortions = endpoint('GET', '/api/menu/portions', {
  query: z.object({ from: z.iso.date(), to: z.iso.date() }),
  reply: z.object({ data: z.array(portionsLeft) }),
})

export const setSoldOut = endpoint('PUT', '/api/menu/:id/sold-out', {
  params: idParam,
  body: z.object({ date: z.iso.date(), soldOut: z.boolean() }),
  reply: z.object({ orders: z.number() }),
})
