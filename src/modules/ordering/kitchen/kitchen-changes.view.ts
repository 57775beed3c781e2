import type { KitchenChange } from '#contracts/kitchen'
import type { EventOf } from '#kernel/event'
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
import { isSameMeal } from '../slot/order-permissions.decide'
import type { OrderedMeal } from '../slot/meal-slot'

type CookedMeal = { itemId: number; name: string; category: string | null; sideDish: string | null }

/** One change from one event, before and after. `position` is the event's. */
export type KitchenChangeRow = {
  event_id: string
  order_id: string
  date: string
  position: string
  at: string | Date
  kind: KitchenChange['kind']
  was: CookedMeal | null
  is_now: CookedMeal | null
}

type KitchenMealRow = { order_id: string; date: string; to_cook: boolean; meal: CookedMeal }

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

const dateOf = (orderId: string): string => parseOrderId(orderId)!.lunch.date

/** `kitchenMealsView` adds changes of existing orders. */
export const kitchenChangesView = rowView({
  table: 'ordering.kitchen_changes',
  columns: {
    event_id: 'uuid',
    order_id: 'text',
    date: 'date',
    position: 'text',
    at: 'timestamptz',
    kind: 'text',
    was: 'jsonb',
    is_now: 'jsonb',
  },
  primaryKey: 'event_id',
  events: [lunchOrdered],
  key: ({ id }) => id,
  evolve: (_row: KitchenChangeRow | null, event): KitchenChangeRow =>
    changeRow(event, { kind: 'ordered', was: null, is_now: cooked(event.data) }),
})

type Recorded = { id: string; position: string; data: { orderId: string; at: string } }
type Change = Pick<KitchenChangeRow, 'kind' | 'was' | 'is_now'>

const changeRow = ({ id, position, data: { orderId, at } }: Recorded, change: Change): KitchenChangeRow => ({
  event_id: id,
  order_id: orderId,
  date: dateOf(orderId),
  position,
  at,
  ...change,
})

const mealEvents = [
  lunchOrdered,
  orderChanged,
  orderCancelled,
  orderCompleted,
  orderReopened,
  orderWithdrawn,
  absenceMarked,
  absenceTakenBack,
] as const

/** Cooking and handing out are no changes; a withdrawn lunch has no row. */
export const kitchenMealsView = rowView({
  table: 'ordering.kitchen_meals',
  columns: { order_id: 'text', date: 'date', to_cook: 'boolean', meal: 'jsonb' },
  primaryKey: 'order_id',
  events: mealEvents,
  key: ({ data }) => data.orderId,
  evolve: (row: KitchenMealRow | null, { type, data }): KitchenMealRow | null => {
    if (type === lunchOrdered.type) {
      const { orderId } = data
      return { order_id: orderId, date: dateOf(orderId), to_cook: true, meal: cooked(data) }
    }
    if (!row || type === orderWithdrawn.type) return null
    switch (type) {
      case orderChanged.type:
        return { ...row, meal: cooked(data.meal) }
      case orderCancelled.type:
        return { ...row, to_cook: false }
      case orderReopened.type:
        return { ...row, to_cook: true }
      default:
        return row
    }
  },
  posting: {
    to: kitchenChangesView,
    rowsOf: (before, after, event) => {
      const change = before && after && changeOf(before, after, event)
      return change ? [changeRow(event, change)] : []
    },
  },
})

const changeOf = (
  { to_cook: wasToCook, meal: was }: KitchenMealRow,
  { meal }: KitchenMealRow,
  { type, data }: EventOf<(typeof mealEvents)[number]>,
): Change | null => {
  switch (type) {
    case orderChanged.type:
      // Accepting an allergen changes nothing to cook.
      return isSameMeal(data.old, data.meal) ? null : { kind: 'changed', was, is_now: meal }
    case orderCancelled.type:
      return { kind: 'cancelled', was: meal, is_now: null }
    case orderReopened.type:
      return wasToCook ? null : { kind: 'ordered', was: null, is_now: meal }
    case absenceMarked.type:
      return { kind: 'absent', was: meal, is_now: null }
    case absenceTakenBack.type:
      return { kind: 'absent', was: null, is_now: meal }
    default:
      return null
  }
}
