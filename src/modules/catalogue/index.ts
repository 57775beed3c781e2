import { cached, invalidating } from '#platform/cached'
import type { Module } from '#platform/module'
import type { Notifications } from '#platform/notifications'
import { itemsOfCart, unarchivedItems } from './menu-items.rows'
import type { MenuItem } from './menu-item'
import { menuCommands } from './menu.commands'
import type { CommandNeeds } from './menu.commands'
import { menuRoutes } from './menu.routes'
import type { MenuReadNeeds } from './menu.routes'
import { catalogueStatus } from './refusals'
import { uploadMenu } from './upload.commands'
import { uploadRoutes } from './upload.routes'

export type CatalogueNeeds = CommandNeeds &
  Omit<MenuReadNeeds, 'menu'> & { notifications: Pick<Notifications, 'subscribe' | 'publisher'> }

/** The menu: items, their availability, archive and name lock, and the bulk upload; for siblings, items as they are now. */
export const catalogueModule = (needs: CatalogueNeeds) => {
  const { knex, pool } = needs.database
  const menu = cached(needs, 'catalogue_menu', () => unarchivedItems(knex))
  const commands = invalidating(menuCommands(needs), menu.changed)
  const upload = invalidating({ uploadMenu: uploadMenu(needs) }, menu.changed)

  const module: Module = {
    name: 'catalogue',
    routes: [...menuRoutes(commands, { ...needs, menu: menu.read }), ...uploadRoutes(upload)],
    views: [],
    reactors: [],
    jobs: [],
    sweeps: [],
    refusals: catalogueStatus,
  }

  return {
    ...module,

    /** Those of the items that exist, archived or not. */
    itemsByIds: async (ids: readonly number[]): Promise<Map<number, MenuItem>> =>
      new Map((await itemsOfCart(pool, ids)).map((item) => [item.id, item])),
  }
}
