import type { KitchenChange } from '#contracts/kitchen'
import { column, type RowOf } from '#kernel/column'
import { rowView } from '#platform/projections/row-view'
import {
  absenceMarked,
  absenceTakenBack,
  lunchOrdered,
  orderCancelled,
  orderChanged,
  orderReopened,
} from '../slot/events'
import { isActive } from '../slot/meal-slot'
import type { Order, OrderEvent } from '../slot/order'
import { isSameMeal } from '../slot/order-acts.decide'

export type CookedMeal = { itemId: number; name: string; category: string | null; sideDish: string | null }

const kitchenChangeColumns = {
  order_id: column<string>('text'),
  date: column<string>('date'),
  position: column<string>('text'),
  at: column<string | Date>('timestamptz'),
  kind: column<KitchenChange['kind']>('text'),
  was: column<CookedMeal | null>('jsonb'),
  is_now: column<CookedMeal | null>('jsonb'),
  late: column<boolean>('boolean'),
  kitchen_id: column<string>('text'),
  /** The other day of a move. */
  moved: column<string | null>('date'),
}
export type KitchenChangeRow = RowOf<typeof kitchenChangeColumns>

/** What changed for the kitchen on each day (kitchen-and-hatch.md section 1); the orders' view adds the rows. */
export const kitchenChangesView = rowView({
  table: 'ordering.kitchen_changes',
  columns: kitchenChangeColumns,
  primaryKey: 'position',
  events: [],
  key: () => '',
  evolve: (row: KitchenChangeRow | null): KitchenChangeRow | null => row,
})

const cooked = ({ item_id, item_name, category, side_dish }: Order): CookedMeal => ({
  itemId: item_id,
  name: item_name,
  category,
  sideDish: side_dish,
})

/** Cooking and handing out are no changes. */
export const kitchenChangesOf = (
  before: Order | null,
  after: Order | null,
  event: OrderEvent & { position: string },
): KitchenChangeRow[] => {
  if (!after) return []
  const row = rowOf(event, after)
  if (event.type === orderChanged.type && event.data.moved && before) {
    const { from, mealDate } = event.data.moved
    const left = { ...rowOf(event, before), kind: 'cancelled', was: cooked(before), is_now: null } as const
    const come = { ...row, kind: 'ordered', was: null, is_now: cooked(after) } as const
    return [
      { ...left, moved: mealDate },
      { ...come, position: `${row.position}+`, moved: from },
    ]
  }
  const change = changeOf(before, after, event)
  return change ? [{ ...row, ...change }] : []
}

const rowOf = (event: OrderEvent & { position: string }, order: Order) => ({
  order_id: order.id,
  kitchen_id: order.kitchen_id,
  date: order.meal_date,
  position: event.position,
  at: event.data.at,
  late: event.type === lunchOrdered.type && order.late,
  moved: null,
})

const changeOf = (
  before: Order | null,
  after: Order,
  { type, data }: OrderEvent,
): Pick<KitchenChangeRow, 'kind' | 'was' | 'is_now'> | null => {
  const meal = cooked(after)
  switch (type) {
    case lunchOrdered.type:
      return { kind: 'ordered', was: null, is_now: meal }
    case orderChanged.type:
      // Accepting an allergen changes nothing to cook.
      return isSameMeal(data.old, data.meal)
        ? null
        : { kind: 'changed', was: before && cooked(before), is_now: meal }
    case orderCancelled.type:
      return { kind: 'cancelled', was: meal, is_now: null }
    case orderReopened.type:
      return before && isActive(before) ? null : { kind: 'ordered', was: null, is_now: meal }
    case absenceMarked.type:
      return { kind: 'absent', was: meal, is_now: null }
    case absenceTakenBack.type:
      return { kind: 'absent', was: null, is_now: meal }
    default:
      return null
  }
}
