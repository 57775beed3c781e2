import type { Knex } from 'knex'
import type { Direction } from '#contracts/sorting'
import type { ItemSort } from '#contracts/menu-items'
import type { MenuItem } from './menu-item.decide'
import { selectItems } from './menu-items.rows'

/** Which items; a filter that is absent takes all. A week is 1 to 6, a day 1 to 5. */
export type ItemFilters = {
  search?: string | undefined
  archived?: boolean | undefined
  available?: boolean | undefined
  type?: MenuItem['type'] | undefined
  week?: number | undefined
  day?: number | undefined
}

type ItemPage = { sort: ItemSort; direction: Direction; offset: number; limit: number }

const orders: Record<ItemSort, readonly string[]> = {
  added: [],
  name: ['lower(item.name)'],
  type: ['item.type'],
  price: ['item.price_ngwee'],
  offered: ['item.week_numbers', 'item.days_of_week'],
  available: ['item.is_available'],
}

/** Items that are equal in what is sorted by stand in the order in which they came. */
const orderOf = ({ sort, direction }: ItemPage) =>
  [...orders[sort], 'item.id'].map((key) => `${key} ${direction}`).join(', ')

const found = (knex: Knex, { search = '', archived, available, type, week, day }: ItemFilters) => {
  const text = `concat_ws(' ', item.name, item.description, array_to_string(item.categories, ' '))`
  const query = selectItems(knex).whereRaw(`strpos(lower(${text}), lower(?)) > 0`, [search])
  if (archived !== undefined) query.where('item.is_archived', archived)
  if (available !== undefined) query.where('item.is_available', available)
  if (type !== undefined) query.where('item.type', type)
  if (week !== undefined) query.whereRaw('? = any(item.week_numbers)', [week])
  if (day !== undefined) query.whereRaw('? = any(item.days_of_week)', [day])
  return query
}

/** One page of the items found, how many are found, and how many there are whatever is asked. */
export const itemsPage = async (
  knex: Knex,
  filters: ItemFilters,
  page: ItemPage,
): Promise<{ items: MenuItem[]; total: number; menuSize: number }> => {
  const [items, counted, all] = await Promise.all([
    found(knex, filters).orderByRaw(orderOf(page)).offset(page.offset).limit(page.limit),
    found(knex, filters).clearSelect().count({ total: '*' }).first(),
    knex('catalogue.menu_items').count({ total: '*' }).first(),
  ])
  return { items, total: Number(counted?.total), menuSize: Number(all?.total) }
}
