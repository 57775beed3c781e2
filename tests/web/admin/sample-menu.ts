import {
  type MenuItem,
  unknownDiets,
  itemsHaveOrders,
  listMenuItems,
  listPortions,
} from '#contracts/catalogue'
import type { QueryOf } from '#contracts/endpoint'
import type { FakeServer } from './fake-server'
import { onePage } from './sample-settings'

export const menuItemOf = (id: number, more: Partial<MenuItem> = {}): MenuItem => ({
  id,
  name: `Item ${id}`,
  description: null,
  price: '45.00',
  imageUrl: null,
  type: 'primary',
  categories: ['beef'],
  proteinDescriptions: {},
  weekNumbers: [1, 2, 3, 4, 5, 6],
  daysOfWeek: [1, 2, 3, 4, 5],
  allergens: [],
  diets: unknownDiets,
  sideDishes: [],
  isAvailable: true,
  portionLimit: null,
  leadDays: 0,
  ingredients: [],
  isArchived: false,
  version: 'filled',
  ...more,
})

/** Beef Stew was ordered, Fish Cakes were not, Old Soup is in the archive and was ordered. */
export const sampleMenu = (): MenuItem[] => [
  menuItemOf(1, {
    name: 'Beef Stew',
    price: '60.50',
    description: 'Slow-cooked with greens',
    proteinDescriptions: { beef: 'Tender chunks' },
    sideDishes: ['Nshima'],
    allergens: ['Milk'],
  }),
  menuItemOf(2, {
    name: 'Fish Cakes',
    type: 'secondary',
    categories: ['fish'],
    weekNumbers: [2],
    daysOfWeek: [3],
  }),
  menuItemOf(3, { name: 'Old Soup', isArchived: true }),
  menuItemOf(4, { name: 'Pancakes', isAvailable: false }),
]

type Asked = QueryOf<typeof listMenuItems>

/** What the server would find in the menu; that it sorts and searches is its own matter. */
export const pageOfMenu = (
  items: MenuItem[],
  { page = 1, archived, available, week, day, type }: Asked = {},
  perPage = 50,
) => {
  const found = items.filter(
    (item) =>
      (archived === undefined || item.isArchived === archived) &&
      (available === undefined || item.isAvailable === available) &&
      (week === undefined || item.weekNumbers.includes(week)) &&
      (day === undefined || item.daysOfWeek.includes(day)) &&
      (type === undefined || item.type === type),
  )
  const totalPages = Math.max(1, Math.ceil(found.length / perPage))
  return {
    data: found.slice((page - 1) * perPage, page * perPage),
    metadata: { ...onePage, page, total: found.length, totalPages },
    menuSize: items.length,
  }
}

/** Serves a menu that is read again after each change; `items` may be changed by the answers of a test. */
export const serveMenu = (server: FakeServer, items: MenuItem[] = sampleMenu()): MenuItem[] => {
  server.on(listMenuItems, ({ query }) => pageOfMenu(items, query))
  server.on(listPortions, { data: [] })
  server.on(itemsHaveOrders, ({ body }) => {
    const { menuItemIds } = body as { menuItemIds: number[] }
    return Object.fromEntries(menuItemIds.map((id) => [String(id), id === 1 || id === 3]))
  })
  return items
}
