import type { MenuItemFields } from '#contracts/catalogue'
import { assertDeletable, assertNameKept, copyOf, mealOf, type MenuItem } from './menu-item.decide'
import { deleteItem, findItems, insertItems, setFlag, updateItems } from './menu-items.rows'
import type { CatalogueNeeds } from './needs'
import { itemNotFound } from './refusals'

/** Which of these items were ever ordered, or are being paid for: they keep their names, and are not deleted. */
export const orderedItems = async (
  { ordering, payments }: Pick<CatalogueNeeds, 'ordering' | 'payments'>,
  ids: readonly number[],
): Promise<ReadonlySet<number>> =>
  new Set([...(await ordering.itemsWithOrders(ids)), ...(await payments.itemsInPayment(ids))])

const present = (item: MenuItem | undefined): MenuItem => {
  if (!item) throw itemNotFound()
  return item
}

const only = (items: MenuItem[]): MenuItem => present(items[0])

/** All of the asked items in the order asked for; one that is missing refuses the whole. */
const inAskedOrder = (ids: number[], items: MenuItem[]): MenuItem[] => {
  const byId = new Map(items.map((item) => [item.id, item]))
  return ids.map((id) => present(byId.get(id)))
}

const distinct = (ids: number[]) => [...new Set(ids)]

export const menuCommands = (needs: Pick<CatalogueNeeds, 'database' | 'ordering' | 'payments'>) => {
  const { knex } = needs.database
  const hasOrders = async (id: number) => (await orderedItems(needs, [id])).has(id)

  return {
    create: async (form: MenuItemFields): Promise<MenuItem> => only(await insertItems(knex, [mealOf(form)])),

    update: async (id: number, form: MenuItemFields): Promise<MenuItem> => {
      const item = only(await findItems(knex, [id]))
      const meal = mealOf(form)
      assertNameKept(item, meal, await hasOrders(id))
      return only(await updateItems(knex, [{ ...meal, id }]))
    },

    duplicate: (ids: number[]): Promise<MenuItem[]> =>
      knex.transaction(async (transaction) => {
        const asked = distinct(ids)
        const items = inAskedOrder(asked, await findItems(transaction, asked))
        return insertItems(transaction, items.map(copyOf))
      }),

    setAvailable: async (id: number, isAvailable: boolean): Promise<MenuItem> =>
      only(await setFlag(knex, 'is_available', [id], isAvailable)),

    /** Archives or unarchives all of them or, when one is missing, none. */
    setArchived: (ids: number[], isArchived: boolean): Promise<MenuItem[]> =>
      knex.transaction(async (transaction) => {
        const asked = distinct(ids)
        return inAskedOrder(asked, await setFlag(transaction, 'is_archived', asked, isArchived))
      }),

    remove: async (id: number): Promise<void> => {
      only(await findItems(knex, [id]))
      assertDeletable(await hasOrders(id))
      if (!(await deleteItem(knex, id))) throw itemNotFound()
    },
  }
}
