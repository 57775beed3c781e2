import { cached, invalidating } from '#platform/cached'
import type { Module } from '#platform/module'
import { allergensOfItems, allergenWords, itemsByIds, unarchivedItems } from './menu-items.rows'
import { menuCommands } from './menu.commands'
import { menuRoutes } from './menu.routes'
import { keepPicture } from './pictures/picture.commands'
import { pictureRoutes } from './pictures/picture.routes'
import { pictureRetention } from './pictures/pictures.rows'
import { portionRoutes } from './portions.routes'
import type { CatalogueNeeds } from './needs'
import { catalogueStatus } from './refusals'
import { uploadMenu } from './upload.commands'
import { uploadRoutes } from './upload.routes'

/** The menu: items, their pictures, availability, archive and name lock, and the bulk upload; for siblings, items as they are now. */
export const catalogueModule = (needs: CatalogueNeeds) => {
  const { knex, pool } = needs.database
  const menu = cached(needs.notifications, 'catalogue_menu', () => unarchivedItems(knex))
  const commands = invalidating(menuCommands(needs), menu.changed)
  const upload = invalidating({ uploadMenu: uploadMenu(needs) }, menu.changed)

  const module: Module = {
    name: 'catalogue',
    routes: [
      // Before the routes of one item, whose address takes any word for its id.
      ...portionRoutes(commands, needs),
      ...pictureRoutes({ keepPicture: keepPicture(needs) }, needs),
      ...menuRoutes(commands, { ...needs, menu: menu.read }),
      ...uploadRoutes(upload),
    ],
    views: [],
    reactors: [],
    jobs: [],
    sweeps: [],
    retentions: [pictureRetention(needs)],
    refusals: catalogueStatus,
  }

  return {
    ...module,
    itemsByIds: itemsByIds(pool),
    allergensOfItems: allergensOfItems(pool),
    allergenWords: () => allergenWords(knex),
  }
}
