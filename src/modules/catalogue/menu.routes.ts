import type { Knex } from 'knex'
import { allergenNames } from '#contracts/allergens'
import * as contract from '#contracts/catalogue'
import type { MenuItemFields, ItemSort } from '#contracts/catalogue'
import type { Direction } from '#contracts/endpoint'
import { decimalFromNgwee } from '#kernel/money'
import type { By } from '#platform/event-store/command-handler'
import { pageMetadataOf } from '#platform/http/paging'
import { answeredOnce, route, signedIn, withFeature } from '#platform/http/route'
import type { Ports } from '#platform/ports'
import { refuseChangedRecord, withVersion } from '#platform/versions'
import {
  orderability,
  assertDeletable,
  assertNameKept,
  copyOf,
  itemRecord,
  mealOf,
  type MenuItem,
} from './menu-item.decide'
import {
  findItems,
  deleteItem,
  insertItems,
  lockItems,
  setFlag,
  setSoldOutDate,
  updateItems,
  selectItems,
  recordItemChanges,
} from './menu-items.rows'
import { changePicture } from './pictures.rows'
import { itemNotFound } from './refusals'

export type CatalogueNeeds = Ports & {
  itemsInUse: (ids: readonly number[]) => Promise<ReadonlySet<number>>
}

export const menuItemReply = (item: MenuItem): contract.MenuItem => ({
  ...withVersion(itemRecord(item.id), shown(item)),
  id: item.id,
})

const shown = ({ id: _id, soldOutDates: _dates, price, ...item }: MenuItem) => ({
  ...item,
  price: decimalFromNgwee(price),
  allergens: item.allergens && allergenNames(item.allergens),
})

const defaultPageSize = 50
const maxPageSize = 100

const listRoute = ({ database: { knex } }: Ports) =>
  route(contract.listMenuItems, withFeature('menu'), async ({ query }) => {
    const { sort = 'added', direction = 'asc', ...filters } = query
    const page = Math.max(1, query.page ?? 1)
    const pageSize = Math.min(Math.max(1, query.pageSize ?? defaultPageSize), maxPageSize)
    const found = { sort, direction, offset: (page - 1) * pageSize, limit: pageSize }
    const { items, total, menuSize } = await itemsPage(knex, filters, found)
    return { data: items.map(menuItemReply), metadata: pageMetadataOf(total, page, pageSize), menuSize }
  })

const readRoutes = (needs: CatalogueNeeds) => {
  const { knex } = needs.database
  return [
    route(contract.validateItems, signedIn, async ({ body }) => {
      const items = await findItems(knex, body.menuItemIds)
      return orderability(body.menuItemIds, new Map(items.map((item) => [item.id, item])))
    }),
    route(contract.itemHasOrders, withFeature('menu'), async ({ params: { id } }) => {
      if ((await findItems(knex, [id])).length === 0) throw itemNotFound()
      return { hasOrders: (await needs.itemsInUse([id])).has(id) }
    }),
    route(contract.itemsHaveOrders, withFeature('menu'), async ({ body: { menuItemIds } }) => {
      const known = (await findItems(knex, menuItemIds)).map(({ id }) => id)
      const ordered = await needs.itemsInUse(known)
      return Object.fromEntries(menuItemIds.map((id) => [String(id), ordered.has(id)]))
    }),
  ]
}

const changeRoutes = (commands: ReturnType<typeof menuCommands>) => {
  const mayChange = withFeature('menu')
  return [
    route(
      contract.createMenuItem,
      mayChange,
      async ({ body, by }) => menuItemReply(await commands.create(body, by)),
      answeredOnce,
    ),
    route(contract.updateMenuItem, mayChange, async ({ params, body, by }) =>
      menuItemReply(await commands.update(params.id, body, by)),
    ),
    route(
      contract.duplicateItems,
      mayChange,
      async ({ body, by }) => (await commands.duplicate(body.itemIds, by)).map(menuItemReply),
      answeredOnce,
    ),
    route(contract.setAvailability, mayChange, async ({ params, body, by }) =>
      menuItemReply(await commands.setAvailable(params.id, body, by)),
    ),
    route(contract.setArchived, mayChange, async ({ params, body, by }) => {
      const [item] = await commands.setArchived([params.id], body, by)
      return menuItemReply(item as MenuItem)
    }),
    route(contract.bulkArchive, mayChange, async ({ body, by }) =>
      (await commands.setArchived(body.itemIds, body, by)).map(menuItemReply),
    ),
    route(contract.deleteMenuItem, mayChange, async ({ params, by }) => {
      await commands.remove(params.id, by)
      return { message: 'Menu item deleted successfully' }
    }),
  ]
}

export const menuRoutes = (commands: ReturnType<typeof menuCommands>, needs: CatalogueNeeds) => [
  listRoute(needs),
  ...readRoutes(needs),
  ...changeRoutes(commands),
]

const present = (item: MenuItem | undefined): MenuItem => {
  if (!item) throw itemNotFound()
  return item
}

const only = (items: MenuItem[]): MenuItem => present(items[0])

const inAskedOrder = (ids: number[], items: MenuItem[]): MenuItem[] => {
  const byId = new Map(items.map((item) => [item.id, item]))
  return ids.map((id) => present(byId.get(id)))
}

const distinct = (ids: number[]) => [...new Set(ids)]

export const menuCommands = (needs: CatalogueNeeds, allergenList: () => Promise<string[]>) => {
  const { knex } = needs.database
  const declared = ({ actor }: By) => ({ actor, at: needs.now() })
  const hasOrders = async (id: number) => (await needs.itemsInUse([id])).has(id)

  const changing = (
    ids: number[],
    by: By,
    change: (transaction: Knex.Transaction, before: MenuItem[]) => Promise<MenuItem[]>,
  ): Promise<MenuItem[]> =>
    knex.transaction(async (transaction) => {
      const before = await lockItems(transaction, ids)
      const after = new Map((await change(transaction, before)).map((item) => [item.id, item]))
      const changes = before.map((item) => ({ before: item, after: after.get(item.id) ?? null }))
      for (const pair of changes) await changePicture(transaction, pair, needs.now())
      await recordItemChanges(transaction, { ...by, at: needs.now() }, changes)
      return [...after.values()]
    })

  const inserting = (
    by: By,
    insert: (transaction: Knex.Transaction) => Promise<MenuItem[]>,
  ): Promise<MenuItem[]> =>
    knex.transaction(async (transaction) => {
      const items = await insert(transaction)
      const changes = items.map((item) => ({ before: null, after: item }))
      for (const pair of changes) await changePicture(transaction, pair, needs.now())
      await recordItemChanges(transaction, { ...by, at: needs.now() }, changes)
      return items
    })

  return {
    create: async (form: MenuItemFields, by: By): Promise<MenuItem> => {
      const meal = mealOf(form, await allergenList())
      return only(await inserting(by, (transaction) => insertItems(transaction, [meal], declared(by))))
    },

    /** Absent allergens, diets, portions, lead days and ingredients stay. */
    update: async (
      id: number,
      { version, ...form }: Versioned<MenuItemFields>,
      by: By,
    ): Promise<MenuItem> => {
      const item = only(await findItems(knex, [id]))
      const { portionLimit, allergens, diets, leadDays, ingredients } = item
      const stored = { portionLimit, allergens, diets, leadDays, ingredients }
      const meal = mealOf({ ...stored, ...withoutAbsent(form) }, await allergenList())
      assertNameKept(item, meal, await hasOrders(id))
      return only(
        await changing([id], by, async (transaction, before) => {
          await refuseChangedItem(transaction, before, version, meal)
          return updateItems(transaction, [{ ...meal, id }], declared(by))
        }),
      )
    },

    duplicate: (ids: number[], by: By): Promise<MenuItem[]> =>
      inserting(by, async (transaction) => {
        const asked = distinct(ids)
        const items = inAskedOrder(asked, await findItems(transaction, asked))
        return insertItems(transaction, items.map(copyOf), declared(by))
      }),

    setAvailable: async (
      id: number,
      { version, isAvailable }: Versioned<{ isAvailable: boolean }>,
      by: By,
    ): Promise<MenuItem> =>
      only(
        await changing([id], by, async (transaction, before) => {
          await refuseChangedItem(transaction, before, version, { isAvailable })
          return setFlag(transaction, 'is_available', [id], isAvailable)
        }),
      ),

    setArchived: (
      ids: number[],
      { version, isArchived }: Versioned<{ isArchived: boolean }>,
      by: By,
    ): Promise<MenuItem[]> => {
      const asked = distinct(ids)
      return changing(asked, by, async (transaction, before) => {
        await refuseChangedItem(transaction, before, version, { isArchived })
        return inAskedOrder(asked, await setFlag(transaction, 'is_archived', asked, isArchived))
      })
    },

    setSoldOut: async (
      id: number,
      { date, soldOut }: { date: string; soldOut: boolean },
      by: By,
    ): Promise<MenuItem> =>
      only(await changing([id], by, (transaction) => setSoldOutDate(transaction, id, date, soldOut))),

    remove: async (id: number, by: By): Promise<void> => {
      only(await findItems(knex, [id]))
      assertDeletable(await hasOrders(id))
      await changing([id], by, async (transaction) => {
        if (!(await deleteItem(transaction, id))) throw itemNotFound()
        return []
      })
    },
  }
}

const withoutAbsent = <Form extends object>(form: Form): Form =>
  Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined)) as Form

type Versioned<Form> = Form & { version?: string | undefined }

const refuseChangedItem = async (
  transaction: Knex.Transaction,
  [item]: readonly MenuItem[],
  version: string | undefined,
  yours: Partial<MenuItem>,
): Promise<void> => {
  if (!item) return
  const record = itemRecord(item.id)
  await refuseChangedRecord(transaction, { record, version, before: item, change: yours, shown })
}

type ItemFilters = {
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

const itemsPage = async (
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
