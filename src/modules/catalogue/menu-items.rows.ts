import type { Knex } from 'knex'
import type { Contents } from '#contracts/allergens'
import { decimalFromNgwee } from '#kernel/money'
import { recordChanges } from '#platform/changes'
import type { Reader } from '#platform/database'
import type { By } from '#platform/event-store/command-handler'
import { itemRecord, type Meal, type MenuItem } from './menu-item.decide'

const mealColumns: Record<string, { property: keyof Meal; type: string }> = {
  name: { property: 'name', type: 'text' },
  description: { property: 'description', type: 'text' },
  price_ngwee: { property: 'price', type: 'integer' },
  image_url: { property: 'imageUrl', type: 'text' },
  type: { property: 'type', type: 'text' },
  categories: { property: 'categories', type: 'text[]' },
  protein_descriptions: { property: 'proteinDescriptions', type: 'jsonb' },
  week_numbers: { property: 'weekNumbers', type: 'integer[]' },
  days_of_week: { property: 'daysOfWeek', type: 'integer[]' },
  allergens: { property: 'allergens', type: 'text[]' },
  diets: { property: 'diets', type: 'jsonb' },
  side_dishes: { property: 'sideDishes', type: 'text[]' },
  is_available: { property: 'isAvailable', type: 'boolean' },
  portion_limit: { property: 'portionLimit', type: 'integer' },
  lead_days: { property: 'leadDays', type: 'integer' },
  ingredients: { property: 'ingredients', type: 'jsonb' },
}

const columns = Object.keys(mealColumns)
const given = Object.values(mealColumns).map(({ property }) => `given."${property}"`)
const shape = Object.values(mealColumns).map(({ property, type }) => `"${property}" ${type}`)
const read = Object.entries(mealColumns).map(([column, { property }]) => `item.${column} as "${property}"`)
const readItem = [
  'item.id',
  'item.is_archived as "isArchived"',
  'item.sold_out_dates as "soldOutDates"',
  ...read,
].join(', ')

export const selectItems = (knex: Knex) =>
  knex('catalogue.menu_items as item').select<MenuItem[]>(knex.raw(readItem))

export const allItems = async (knex: Knex): Promise<MenuItem[]> => selectItems(knex).orderBy('item.id')

export const unarchivedItems = async (knex: Knex): Promise<MenuItem[]> =>
  selectItems(knex).where('item.is_archived', false).orderBy('item.id')

// As bigint: an id beyond an integer matches nothing.
const amongIds = 'item.id = any(?::bigint[])'

export const findItems = async (knex: Knex, ids: readonly number[]): Promise<MenuItem[]> =>
  selectItems(knex)
    .whereRaw(amongIds, [[...ids]])
    .orderBy('item.id')

export const lockItems = async (transaction: Knex.Transaction, ids: readonly number[]): Promise<MenuItem[]> =>
  selectItems(transaction)
    .whereRaw(amongIds, [[...ids]])
    .orderBy('item.id')
    .forUpdate()

/** Archived ones too. Prepared: every checkout asks it. */
export const itemsByIds =
  (pool: Reader) =>
  async (ids: readonly number[]): Promise<Map<number, MenuItem>> => {
    const { rows } = await pool.query<MenuItem>({
      name: 'catalogue-items-by-ids',
      text: `select ${readItem} from catalogue.menu_items item where item.id = any($1::bigint[])`,
      values: [ids],
    })
    return new Map(rows.map((item) => [item.id, item]))
  }

/** Allergen spellings in use, at most 500. */
export const allergenWords = async (knex: Knex): Promise<string[]> => {
  const rows: { word: string }[] = await knex('catalogue.menu_items')
    .distinct(knex.raw('unnest(allergens) as word'))
    .orderBy('word')
    .limit(500)
  return rows.map(({ word }) => word)
}

/** Items with an allergen or a diet that they do not suit, archived ones too. Prepared: a sweep asks it every few seconds. */
export const contentsOfItems = (pool: Reader) => async (): Promise<Map<number, Contents>> => {
  const { rows } = await pool.query<Contents & { id: number }>({
    name: 'catalogue-contents-of-items',
    text: `select id, allergens, diets from catalogue.menu_items
      where allergens <> '{}' or diets @? '$.* ? (@ == "no")'`,
  })
  return new Map(rows.map(({ id, allergens, diets }) => [id, { allergens, diets }]))
}

type Declared = { actor: string; at: Date }

const isDeclared = `given.allergens is not null or given.diets::text ~ '"(yes|no)"'`

/** One statement for up to 10,000 meals, too many values for insert parameters. Answers in order. */
export const insertItems = async (
  knex: Knex,
  meals: readonly Meal[],
  { actor, at }: Declared,
): Promise<MenuItem[]> => {
  const { rows } = await knex.raw<{ rows: MenuItem[] }>(
    `insert into catalogue.menu_items as item (${columns.join(', ')}, is_archived, declared_by, declared_at)
     select ${given.join(', ')}, false,
       case when ${isDeclared} then ?::text end, case when ${isDeclared} then ?::timestamptz end
     from jsonb_to_recordset(?::jsonb) as given(${shape.join(', ')})
     returning ${readItem}`,
    [actor, at, JSON.stringify(meals)],
  )
  return rows.toSorted((one, other) => one.id - other.id)
}

export const updateItems = async (
  knex: Knex,
  meals: readonly (Meal & { id: number })[],
  { actor, at }: Declared,
): Promise<MenuItem[]> => {
  const isNew = '(item.allergens, item.diets) is distinct from (given.allergens, given.diets)'
  const { rows } = await knex.raw<{ rows: MenuItem[] }>(
    `update catalogue.menu_items item
     set ${columns.map((column, index) => `${column} = ${given[index]}`).join(', ')},
       declared_by = case when ${isNew} then ?::text else declared_by end,
       declared_at = case when ${isNew} then ?::timestamptz else declared_at end
     from jsonb_to_recordset(?::jsonb) as given(id integer, ${shape.join(', ')})
     where item.id = given.id returning ${readItem}`,
    [actor, at, JSON.stringify(meals)],
  )
  return rows
}

export const setFlag = async (
  knex: Knex,
  flag: 'is_available' | 'is_archived',
  ids: readonly number[],
  value: boolean,
): Promise<MenuItem[]> => {
  await knex('catalogue.menu_items as item')
    .whereRaw(amongIds, [[...ids]])
    .update({ [flag]: value })
  return findItems(knex, ids)
}

/** Items with a limit or a sold-out date. */
export const itemsInPortions = async (knex: Knex): Promise<MenuItem[]> =>
  selectItems(knex)
    .whereNot('item.is_archived', true)
    .whereRaw(`(item.portion_limit is not null or item.sold_out_dates <> '{}')`)
    .orderBy('item.id')

export const setSoldOutDate = async (
  transaction: Knex.Transaction,
  id: number,
  date: string,
  soldOut: boolean,
): Promise<MenuItem[]> => {
  const dates = soldOut ? 'sold_out_dates || ?::text' : 'array_remove(sold_out_dates, ?::text)'
  await transaction('catalogue.menu_items')
    .where({ id })
    .whereRaw('(?::text = any(sold_out_dates)) is distinct from ?', [date, soldOut])
    .update({ sold_out_dates: transaction.raw(dates, [date]) })
  return findItems(transaction, [id])
}

export const deleteItem = async (knex: Knex, id: number): Promise<boolean> =>
  (await knex('catalogue.menu_items').where({ id }).delete()) > 0

/** Makes other writers of the menu wait until this transaction ends; readers do not. */
export const lockMenu = async (transaction: Knex.Transaction): Promise<void> => {
  await transaction.raw('lock table catalogue.menu_items in share row exclusive mode')
}

type ItemChange = { before: MenuItem | null; after: MenuItem | null }

export const recordItemChanges = (
  transaction: Knex.Transaction,
  by: By & { at: Date },
  changes: readonly ItemChange[],
  words = '',
): Promise<void> =>
  recordChanges(
    transaction,
    by,
    changes.map(({ before, after }) => ({
      kind: 'catalogue',
      what: `Menu item "${(before ?? after)!.name}" ${before === null ? 'made' : after === null ? 'deleted' : 'changed'}${words}`,
      old: before && valuesOf(before),
      new: after && valuesOf(after),
      record: itemRecord((before ?? after)!.id),
    })),
  )

const valuesOf = ({ id: _id, price, ...item }: MenuItem) => ({ ...item, price: decimalFromNgwee(price) })
