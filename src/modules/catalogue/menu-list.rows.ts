import type { Pool } from 'pg'
import type { Direction } from '#contracts/sorting'
import type { ItemSort } from '#contracts/menu-items'
import type { MenuItem } from './menu-item.decide'
import { readItem } from './menu-items.rows'

/** Which items; a filter that is absent takes all. A week is 1 to 6, a day 1 to 5. */
export type ItemFilters = {
  search?: string | undefined
  archived?: boolean | undefined
  available?: boolean | undefined
  type?: MenuItem['type'] | undefined
  week?: number | undefined
  day?: number | undefined
}

export type ItemPage = { sort: ItemSort; direction: Direction; offset: number; limit: number }

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

const found = `strpos(lower(concat_ws(' ', item.name, item.description, array_to_string(item.categories, ' '))), lower($1)) > 0
  and ($2::boolean is null or item.is_archived = $2)
  and ($3::boolean is null or item.is_available = $3)
  and ($4::text is null or item.type = $4)
  and ($5::int is null or $5 = any(item.week_numbers))
  and ($6::int is null or $6 = any(item.days_of_week))`

const valuesOf = ({ search = '', archived, available, type, week, day }: ItemFilters) => [
  search,
  archived ?? null,
  available ?? null,
  type ?? null,
  week ?? null,
  day ?? null,
]

/** One page of the items found, how many are found, and how many there are whatever is asked. */
export const itemsPage = async (
  pool: Pool,
  filters: ItemFilters,
  page: ItemPage,
): Promise<{ items: MenuItem[]; total: number; menuSize: number }> => {
  const values = valuesOf(filters)
  const [{ rows: items }, counted] = await Promise.all([
    pool.query<MenuItem>(
      `select ${readItem} from catalogue.menu_items item where ${found}
       order by ${orderOf(page)} offset $7 limit $8`,
      [...values, page.offset, page.limit],
    ),
    pool.query<{ total: number; menuSize: number }>(
      `select count(*) filter (where ${found})::int as total, count(*)::int as "menuSize"
       from catalogue.menu_items item`,
      values,
    ),
  ])
  return { items, ...counted.rows[0]! }
}
