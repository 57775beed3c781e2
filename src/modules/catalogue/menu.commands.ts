import type { Knex } from 'knex'
import type { By } from '#platform/event-store/command-handler'
import type { MenuItemFields } from '#contracts/catalogue'
import { assertDeletable, assertNameKept, copyOf, mealOf, type MenuItem } from './menu-item.decide'
import { recordItemChanges } from './item-changes.rows'
import {
  deleteItem,
  findItems,
  insertItems,
  lockItems,
  setFlag,
  setSoldOutDate,
  updateItems,
} from './menu-items.rows'
import type { CatalogueNeeds } from './needs'
import { changePicture } from './pictures/picture.commands'
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

type MenuNeeds = Pick<CatalogueNeeds, 'database' | 'ordering' | 'payments' | 'now'>

export const menuCommands = (needs: MenuNeeds) => {
  const { knex } = needs.database
  const hasOrders = async (id: number) => (await orderedItems(needs, [id])).has(id)

  /** Changes these items in one transaction, and writes down what became of each. */
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
    create: async (form: MenuItemFields, by: By): Promise<MenuItem> =>
      only(await inserting(by, (transaction) => insertItems(transaction, [mealOf(form)]))),

    /** What the form does not say of the portions stays as it is. */
    update: async (id: number, form: MenuItemFields, by: By): Promise<MenuItem> => {
      const item = only(await findItems(knex, [id]))
      const { portionLimit = item.portionLimit } = form
      const meal = mealOf({ ...form, portionLimit })
      assertNameKept(item, meal, await hasOrders(id))
      return only(await changing([id], by, (transaction) => updateItems(transaction, [{ ...meal, id }])))
    },

    duplicate: (ids: number[], by: By): Promise<MenuItem[]> =>
      inserting(by, async (transaction) => {
        const asked = distinct(ids)
        const items = inAskedOrder(asked, await findItems(transaction, asked))
        return insertItems(transaction, items.map(copyOf))
      }),

    setAvailable: async (id: number, isAvailable: boolean, by: By): Promise<MenuItem> =>
      only(
        await changing([id], by, (transaction) => setFlag(transaction, 'is_available', [id], isAvailable)),
      ),

    /** Archives or unarchives all of them or, when one is missing, none. */
    setArchived: (ids: number[], isArchived: boolean, by: By): Promise<MenuItem[]> => {
      const asked = distinct(ids)
      return changing(asked, by, async (transaction) =>
        inAskedOrder(asked, await setFlag(transaction, 'is_archived', asked, isArchived)),
      )
    },

    /** Stops or allows ordering of an item on a date. Throws `item_not_found`. */
    setSoldOut: async (id: number, { date, soldOut }: { date: string; soldOut: boolean }, by: By) =>
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
