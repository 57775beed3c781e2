import type { EventOf } from '#kernel/event'
import { portionKeptUntil } from '#kernel/meal-line'
import type { orderChanged } from './events'
import type { Order, OrderedMeal } from './order'

type Change = EventOf<typeof orderChanged>['data']

/** What another meal changes of an order, its cutoff and lapse where lead days do. */
export const mealChanged = (order: Order, change: Change): Partial<Order> => {
  const { cutoffAt = order.cutoff_at } = change.closes ?? {}
  return {
    ...mealColumns(change.meal),
    cutoff_at: cutoffAt,
    lapses_at: shifted(order.lapses_at, order.cutoff_at, cutoffAt),
    portion_until: portionAfterChange(order.portion_until, cutoffAt, change),
    substituted: order.substituted || change.by === 'administrator',
    changes: order.changes + 1,
  }
}

const mealColumns = (meal: OrderedMeal) => ({
  item_id: meal.item.id,
  item_name: meal.item.name,
  item_type: meal.item.type,
  category: meal.category,
  side_dish: meal.sideDish,
  comments: meal.comments,
  original_price: meal.originalPrice,
  price: meal.price,
  discount_percentage: meal.discountPercentage,
  sponsor: meal.sponsor ?? null,
  acknowledged: meal.acknowledged === true,
})

const shifted = (lapsesAt: Order['lapses_at'], from: Order['cutoff_at'], to: Order['cutoff_at']) => {
  const by = new Date(to).getTime() - new Date(from).getTime()
  return lapsesAt === null || by === 0 ? lapsesAt : new Date(new Date(lapsesAt).getTime() + by).toISOString()
}

/** Keeps the running time for another limited meal, starts it for the first; meals from the office do not expire. */
const portionAfterChange = <At extends string | Date>(
  portionUntil: At | null,
  cutoffAt: string | Date,
  { meal: { limited }, by, at }: Change,
): At | string | null =>
  limited && by === 'parent'
    ? (portionUntil ?? portionKeptUntil({ limited, cutoffAt: new Date(cutoffAt).toISOString() }, at))
    : null
