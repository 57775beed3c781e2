import type { CycleOrder } from '#contracts/cycle-orders'
import type { OrderStatus } from '#contracts/ordering'
import { dayName } from '../../lib/format'
import type { Tone } from '../../ui/badge'

/** Asks for the history of an order; the title says which it is. */
export type OnHistory = (asked: { orderId: string; title: string }) => void

export const statusLabels: Record<OrderStatus, string> = {
  pending: 'Pending',
  completed: 'Completed',
  cancelled: 'Cancelled',
  refunded: 'Refunded',
}

export const statusTones: Record<OrderStatus, Tone> = {
  pending: 'warning',
  completed: 'brand',
  cancelled: 'neutral',
  refunded: 'info',
}

/** "Beef Stew, Soup" for an order of several meals. */
export const itemsOf = ({ cartItems, menuItem }: Pick<CycleOrder, 'cartItems' | 'menuItem'>): string =>
  cartItems.map((item) => item.menuItem.name).join(', ') || menuItem.name

/** "Week 1, Tuesday". */
export const weekAndDay = ({ weekNumber, dayOfWeek }: Pick<CycleOrder, 'weekNumber' | 'dayOfWeek'>): string =>
  `Week ${weekNumber}, ${dayName(dayOfWeek)}`

/** Which order it is, in a few words: "Beef Stew for Chanda, Week 1, Tuesday". */
export const titleOf = (order: CycleOrder): string =>
  `${itemsOf(order)} for ${order.student.name}, ${weekAndDay(order)}`
