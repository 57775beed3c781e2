import { readAllergens } from '#contracts/allergens'
import { unknownDiets, type DishDiets, type MenuItemFields } from '#contracts/catalogue'
import type { Ingredient } from '#contracts/dish-fields'
import { cutText } from '#kernel/cut-text'
import { ngweeFromDecimal, type Ngwee } from '#kernel/money'
import { refused } from './refusals'

/** `price` is before discount. Lists are unique; `categories` (proteins) are lowercase, some with a `proteinDescriptions` text. */
export type Meal = Omit<
  MenuItemFields,
  'description' | 'price' | 'imageUrl' | 'allergens' | 'diets' | 'portionLimit' | 'leadDays' | 'ingredients'
> & {
  description: string | null
  price: Ngwee
  imageUrl: string | null
  allergens: string[] | null
  diets: DishDiets
  portionLimit: number | null
  /** School days before the date's own cutoff. */
  leadDays: number
  ingredients: Ingredient[]
}

/** `soldOutDates` (`2026-09-15`) stop ordering whatever the limit. */
export type MenuItem = Meal & { id: number; isArchived: boolean; soldOutDates: readonly string[] }

/** What its version is of. */
export const itemRecord = (id: number): string => `menu-item:${id}`

export const mealIn = ({
  id: _id,
  isArchived: _isArchived,
  soldOutDates: _soldOutDates,
  ...meal
}: MenuItem): Meal => meal

const maxNameLength = 120
const copyMark = ' (Copy)'

const invalid = (field: string, message: string) =>
  refused('item_invalid', message, { fields: { [field]: message } })

const ascending = (numbers: number[]) => [...new Set(numbers)].toSorted((one, other) => one - other)

export const protein = (text: string) => oneLine(text).toLowerCase()

export const describedProteins = (descriptions: Record<string, string>, categories: string[]) => {
  const texts = new Map(
    Object.entries(descriptions).map(([name, text]) => [protein(name), severalLines(text)] as const),
  )
  return Object.fromEntries(
    categories.flatMap((category) => {
      const text = texts.get(category)
      return text ? [[category, text]] : []
    }),
  )
}

/** Validates a form (administrator.md section 5) with the school's allergens (families.md section 3); throws `item_invalid`. */
export const mealOf = (form: MenuItemFields, allergenList: readonly string[]): Meal => {
  const name = oneLine(form.name)
  if (name === '') throw invalid('name', 'Name is required')
  const price = ngweeFromDecimal(form.price)
  if (price === null)
    throw invalid('price', 'Price must be a valid positive number with up to 2 decimal places')
  const categories = distinctLines(form.categories.map(protein))
  if (categories.length === 0) throw invalid('categories', 'Select at least one category')
  const allergens = readAllergens(form.allergens ?? [], allergenList)
  if (allergens.problem !== null) throw invalid('allergens', allergens.problem)
  return {
    ...form,
    name,
    description: severalLines(form.description ?? '') || null,
    price,
    imageUrl: oneLine(form.imageUrl ?? '') || null,
    categories,
    proteinDescriptions: describedProteins(form.proteinDescriptions, categories),
    weekNumbers: ascending(form.weekNumbers),
    daysOfWeek: ascending(form.daysOfWeek),
    allergens: form.allergens ? allergens.names : null,
    diets: form.diets ?? unknownDiets,
    sideDishes: distinctLines(form.sideDishes),
    portionLimit: form.portionLimit ?? null,
    leadDays: form.leadDays ?? 0,
    ingredients: (form.ingredients ?? []).map((one) => ({ ...one, name: oneLine(one.name) })),
  }
}

/** An ordered item keeps its name. Throws `name_locked`. */
export const assertNameKept = (item: MenuItem, meal: Meal, hasOrders: boolean): void => {
  if (hasOrders && meal.name !== item.name)
    throw refused(
      'name_locked',
      'This item has orders, so its name cannot be changed. Keep the current name or duplicate the item.',
      { fields: { name: 'The name cannot be changed because the item has orders' } },
    )
}

/** An ordered item can only be archived. Throws `item_has_orders`. */
export const assertDeletable = (hasOrders: boolean): void => {
  if (hasOrders)
    throw refused('item_has_orders', 'This item has orders, so it cannot be deleted. Archive it instead.')
}

export const copyOf = (item: MenuItem): Meal => ({
  ...mealIn(item),
  name: `${oneLine(cutText(item.name, maxNameLength - copyMark.length))}${copyMark}`,
})

const names = (items: MenuItem[]) => items.map(({ name }) => name)

export const orderability = (ids: readonly number[], items: ReadonlyMap<number, MenuItem>) => {
  const asked = [...new Set(ids)]
  const found = asked.flatMap((id) => items.get(id) ?? [])
  const archived = names(found.filter((item) => item.isArchived))
  const unavailable = names(found.filter((item) => !item.isArchived && !item.isAvailable))
  const missing = asked.filter((id) => !items.has(id)).map(String)
  return {
    valid: archived.length + unavailable.length + missing.length === 0,
    unavailable,
    archived,
    missing,
  }
}

const invisible = /[\p{Cs}\u200B\uFEFF\u202A-\u202E\u2066-\u2069]/gu
const control = /[\p{Cc}\u2028\u2029]/gu
const controlButNewline = /[^\P{Cc}\n]/gu

export const oneLine = (text: string): string =>
  text.normalize('NFC').replace(invisible, '').replace(control, ' ').replace(/\s+/g, ' ').trim()

/** Line ends become `\n`, other control characters a blank. */
export const severalLines = (text: string): string =>
  text
    .normalize('NFC')
    .replace(invisible, '')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(controlButNewline, ' ')
    .trim()

export const distinctLines = (texts: readonly string[]): string[] => {
  const lines = texts.map(oneLine).filter((line) => line !== '')
  return lines.filter(
    (line, index) => lines.findIndex((other) => other.toLowerCase() === line.toLowerCase()) === index,
  )
}
