import type { KitchenChange } from '#contracts/kitchen'
import { parseOrderId } from '#kernel/id'
import { rowView } from '#platform/projections/row-view'
import {
  absenceMarked,
  absenceTakenBack,
  lunchOrdered,
  orderCancelled,
  orderChanged,
  orderCompleted,
  orderReopened,
  orderWithdrawn,
} from '../slot/events'
import { isSameMeal } from '../slot/family-orders.decide'
import type { OrderedMeal } from '../slot/meal-slot'

/** What is cooked, without the remark: that is a family's own words. */
type CookedMeal = { itemId: number; name: string; category: string | null; sideDish: string | null }
type Change = Pick<KitchenChange, 'at' | 'kind'> & { from: CookedMeal | null; to: CookedMeal | null }

/** What changed about an order for the kitchen, oldest first; `to_cook` while it is placed. */
export type KitchenChangesRow = {
  order_id: string
  date: string
  to_cook: boolean
  meal: CookedMeal
  changes: Change[]
  changed_at: string | Date
}

const cooked = ({
  item,
  category,
  sideDish,
}: Pick<OrderedMeal, 'item' | 'category' | 'sideDish'>): CookedMeal => ({
  itemId: item.id,
  name: item.name,
  category,
  sideDish,
})

const withChange = (row: KitchenChangesRow, change: Change, more: Partial<KitchenChangesRow> = {}) => ({
  ...row,
  ...more,
  changes: [...row.changes, change],
  changed_at: change.at,
})

/** That a meal was cooked or given out is no change for the kitchen; a lunch that was never placed leaves no row. */
export const kitchenChangesView = rowView({
  table: 'ordering.kitchen_changes',
  columns: {
    order_id: 'text',
    date: 'date',
    to_cook: 'boolean',
    meal: 'jsonb',
    changes: 'jsonb',
    changed_at: 'timestamptz',
  },
  primaryKey: 'order_id',
  events: [
    lunchOrdered,
    orderChanged,
    orderCancelled,
    orderCompleted,
    orderReopened,
    orderWithdrawn,
    absenceMarked,
    absenceTakenBack,
  ],
  key: ({ data }) => data.orderId,
  evolve: (row: KitchenChangesRow | null, { type, data }): KitchenChangesRow | null => {
    const { orderId, at } = data
    if (type === lunchOrdered.type) {
      const meal = cooked(data)
      const date = parseOrderId(orderId)!.lunch.date
      const changes: Change[] = [{ at, kind: 'ordered', from: null, to: meal }]
      return { order_id: orderId, date, to_cook: true, meal, changes, changed_at: at }
    }
    if (!row || type === orderWithdrawn.type) return null
    switch (type) {
      case orderChanged.type: {
        // That somebody accepts the same meal is nothing to cook otherwise.
        if (isSameMeal(data.old, data.meal)) return row
        const meal = cooked(data.meal)
        return withChange(row, { at, kind: 'changed', from: cooked(data.old), to: meal }, { meal })
      }
      case orderCancelled.type:
        return withChange(row, { at, kind: 'cancelled', from: row.meal, to: null }, { to_cook: false })
      case orderReopened.type:
        return row.to_cook
          ? row
          : withChange(row, { at, kind: 'ordered', from: null, to: row.meal }, { to_cook: true })
      case absenceMarked.type:
        return withChange(row, { at, kind: 'absent', from: row.meal, to: null })
      case absenceTakenBack.type:
        return withChange(row, { at, kind: 'absent', from: null, to: row.meal })
      default:
        return row
    }
  },
})
