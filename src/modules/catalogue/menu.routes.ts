import * as contract from '#contracts/catalogue'
import * as bulk from '#contracts/menu-bulk'
import { listMenuItems } from '#contracts/menu-items'
import { decimalFromNgwee, discounted } from '#kernel/money'
import { pageMetadataOf } from '#platform/http/page-metadata'
import { route, signedIn, withFeature, type Principal } from '#platform/http/route'
import { orderability, type MenuItem } from './menu-item.decide'
import { allItems, findItems } from './menu-items.rows'
import { itemsPage } from './menu-list.rows'
import { orderedItems, type menuCommands } from './menu.commands'
import type { CatalogueNeeds } from './needs'
import { itemNotFound } from './refusals'

type ReadNeeds = Pick<CatalogueNeeds, 'database' | 'ordering' | 'payments'> & {
  /** What is not archived, oldest first. */
  menu: () => Promise<MenuItem[]>
}

const replyOf = ({ price, ...item }: MenuItem): contract.MenuItem => ({
  ...item,
  price: decimalFromNgwee(price),
})

/** The item with what a user with this discount (in percent) pays for it; nothing extra without a discount. */
const replyWith = (discountPercentage: number) => (item: MenuItem) =>
  discountPercentage > 0
    ? {
        ...replyOf(item),
        discountPrice: decimalFromNgwee(discounted(item.price, discountPercentage)),
        discountPercentage,
      }
    : replyOf(item)

const seesArchived = ({ role }: Principal) => role === 'admin'

const defaultPageSize = 50
const largestPageSize = 100

/** Menu Management: prices as they are on the menu, whoever asks. */
const listRoute = ({ database: { knex } }: Pick<ReadNeeds, 'database'>) =>
  route(listMenuItems, withFeature('menu'), async ({ query }) => {
    const { sort = 'added', direction = 'asc', ...filters } = query
    const page = Math.max(1, query.page ?? 1)
    const pageSize = Math.min(Math.max(1, query.pageSize ?? defaultPageSize), largestPageSize)
    const found = { sort, direction, offset: (page - 1) * pageSize, limit: pageSize }
    const { items, total, menuSize } = await itemsPage(knex, filters, found)
    return { data: items.map(replyOf), metadata: pageMetadataOf(total, page, pageSize), menuSize }
  })

const readRoutes = (needs: ReadNeeds) => {
  const { knex } = needs.database
  const { discountOf } = needs.ordering
  return [
    route(contract.listMenu, signedIn, async ({ user }) => {
      const items = seesArchived(user) ? await allItems(knex) : await needs.menu()
      return items.map(replyWith(await discountOf(user.userId)))
    }),
    route(contract.getMenuItem, signedIn, async ({ params, user }) => {
      const [item] = await findItems(knex, [params.id])
      if (!item || (item.isArchived && !seesArchived(user))) throw itemNotFound()
      return replyWith(await discountOf(user.userId))(item)
    }),
    route(contract.validateItems, signedIn, async ({ body }) => {
      const items = await findItems(knex, body.menuItemIds)
      return orderability(body.menuItemIds, new Map(items.map((item) => [item.id, item])))
    }),
    route(contract.itemHasOrders, withFeature('menu'), async ({ params: { id } }) => {
      if ((await findItems(knex, [id])).length === 0) throw itemNotFound()
      return { hasOrders: (await orderedItems(needs, [id])).has(id) }
    }),
    route(bulk.itemsHaveOrders, withFeature('menu'), async ({ body: { menuItemIds } }) => {
      const known = (await findItems(knex, menuItemIds)).map(({ id }) => id)
      const ordered = await orderedItems(needs, known)
      return Object.fromEntries(menuItemIds.map((id) => [String(id), ordered.has(id)]))
    }),
  ]
}

const changeRoutes = (commands: ReturnType<typeof menuCommands>) => {
  const mayChange = withFeature('menu')
  return [
    route(contract.createMenuItem, mayChange, async ({ body, actor, correlationId }) =>
      replyOf(await commands.create(body, { actor, correlationId })),
    ),
    route(contract.updateMenuItem, mayChange, async ({ params, body, actor, correlationId }) =>
      replyOf(await commands.update(params.id, body, { actor, correlationId })),
    ),
    route(bulk.duplicateItems, mayChange, async ({ body, actor, correlationId }) =>
      (await commands.duplicate(body.itemIds, { actor, correlationId })).map(replyOf),
    ),
    route(contract.setAvailability, mayChange, async ({ params, body, actor, correlationId }) =>
      replyOf(await commands.setAvailable(params.id, body.isAvailable, { actor, correlationId })),
    ),
    route(contract.setArchived, mayChange, async ({ params, body, actor, correlationId }) => {
      const [item] = await commands.setArchived([params.id], body.isArchived, { actor, correlationId })
      return replyOf(item as MenuItem)
    }),
    route(bulk.bulkArchive, mayChange, async ({ body, actor, correlationId }) =>
      (await commands.setArchived(body.itemIds, body.isArchived, { actor, correlationId })).map(replyOf),
    ),
    route(contract.deleteMenuItem, mayChange, async ({ params, actor, correlationId }) => {
      await commands.remove(params.id, { actor, correlationId })
      return { message: 'Menu item deleted successfully' }
    }),
  ]
}

export const menuRoutes = (commands: ReturnType<typeof menuCommands>, needs: ReadNeeds) => [
  listRoute(needs),
  ...readRoutes(needs),
  ...changeRoutes(commands),
]
