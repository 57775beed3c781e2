import { cached, invalidating } from '#platform/cached'
import type { Module } from '#platform/module'
import { allergenCommands, allergenRoutes } from './allergens.routes'
import type { MenuItem } from './menu-item.decide'
import {
  contentsOfItems,
  allItems,
  declaredItems,
  type DeclaredItem,
  findItems,
  itemsByIds,
  itemsInPortions,
  unarchivedItems,
} from './menu-items.rows'
import { menuCommands, menuItemReply, menuRoutes, type CatalogueNeeds } from './menu.routes'
import { keepPicture, pictureRoutes } from './picture.routes'
import { pictureRetention } from './pictures.rows'
import { catalogueStatus, itemNotFound } from './refusals'
import { uploadMenu, uploadRoutes } from './upload.routes'

export const catalogueModule = (needs: CatalogueNeeds) => {
  const { knex, pool, reads } = needs.database
  const menu = cached(needs.notifications, 'catalogue_menu', () => unarchivedItems(knex))
  const allergens = allergenCommands(needs)
  const commands = invalidating(menuCommands(needs, allergens.allergens), menu.changed)
  const upload = invalidating({ uploadMenu: uploadMenu(needs, allergens.allergens) }, menu.changed)

  const module: Module = {
    name: 'catalogue',
    routes: [
      ...pictureRoutes({ keepPicture: keepPicture(needs) }, needs),
      ...menuRoutes(commands, needs),
      ...uploadRoutes(upload),
      ...allergenRoutes(needs, allergens),
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
    itemsByIds: itemsByIds(reads),
    contentsOfItems: contentsOfItems(pool),
    menu: menu.read,
    allItems: (): Promise<MenuItem[]> => allItems(knex),
    declaredItems: (): Promise<DeclaredItem[]> => declaredItems(knex),
    allergens: allergens.allergens,
    /** Throws `item_not_found`. */
    itemOf: async (id: number): Promise<MenuItem> => {
      const [item] = await findItems(knex, [id])
      if (!item) throw itemNotFound()
      return item
    },
    itemsInPortions: (): Promise<MenuItem[]> => itemsInPortions(knex),
    setSoldOut: commands.setSoldOut,
    itemNotFound,
    menuItemReply,
    allergyRule: allergens.readAllergyRule,
    saveAllergens: allergens.saveAllergens,
    writtenAllergies: allergens.writtenAllergies,
  }
}

export type Catalogue = ReturnType<typeof catalogueModule>
export type { CatalogueNeeds } from './menu.routes'
