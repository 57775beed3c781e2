import type { ReplyOf, QueryOf } from '#contracts/endpoint'
import { type AllergyRule, getAllergyRule } from '#contracts/health'
import { setOrderStatus } from '#contracts/kitchen'
import { type CycleOrder, cycleOrders } from '#contracts/order-reports'
import { type OrderStatus, substituteOrders, cancelOrders, moveOrder } from '#contracts/ordering'
import { call } from '../../lib/call'
import { endpointMutation, listQuery } from '../../lib/endpoint-query'
import { dayName, counted } from '../../lib/format'
import type { Tone } from '../../ui/badge'

/** `title` names the order. */
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

/** "Beef Stew, Soup". */
export const itemsOf = ({ cartItems, menuItem }: Pick<CycleOrder, 'cartItems' | 'menuItem'>): string =>
  cartItems.map((item) => item.menuItem.name).join(', ') || menuItem.name

export const weekAndDay = ({ weekNumber, dayOfWeek }: Pick<CycleOrder, 'weekNumber' | 'dayOfWeek'>): string =>
  `Week ${weekNumber}, ${dayName(dayOfWeek)}`

export const titleOf = (order: CycleOrder): string =>
  `${itemsOf(order)} for ${order.student.name}, ${weekAndDay(order)}`

export type SkippedOrder = { orderId: string; message: string }

export type ActDialogProps = {
  orders: readonly CycleOrder[]
  /** Selected orders that the act does not concern. */
  others: number
  onActed: (left: readonly SkippedOrder[]) => void
  onClose: () => void
}

export const otherOrdersTexts = (others: number): string[] =>
  others === 0
    ? []
    : [`${counted(others, 'other selected order stays', 'other selected orders stay')} as before.`]

/** Counts families not told and orders skipped. */
export const resultTexts = (notTold: number, skipped: number): string[] => [
  ...(notTold > 0 ? [`${counted(notTold, 'family', 'families')} without an address not told`] : []),
  ...(skipped > 0 ? [`${skipped} skipped`] : []),
]

export const substitutedToast = ({
  updated,
  families,
  notTold,
  skipped,
}: ReplyOf<typeof substituteOrders>) => ({
  title: 'Orders changed',
  text: [
    `${counted(updated, 'order')} of ${counted(families, 'family', 'families')} changed`,
    ...resultTexts(notTold, skipped.length),
  ].join(', '),
})

export const ordersQuery = (query: QueryOf<typeof cycleOrders>) =>
  listQuery('ordering', cycleOrders, { query })

/** Bypasses the cache. */
export const ordersChunk = (query: QueryOf<typeof cycleOrders>, signal: AbortSignal) =>
  call(cycleOrders, { query, signal })

/** Cancelling creates refunds, reopening removes them. */
export const changeStatus = endpointMutation(setOrderStatus, 'ordering', 'refunds', 'payments', 'cycles')
export const cancelMany = endpointMutation(cancelOrders, 'ordering', 'refunds', 'payments', 'cycles')
export const move = endpointMutation(moveOrder, 'ordering', 'cycles')
/** `block` while unknown. */
export const readAllergyRule = (): Promise<AllergyRule> =>
  call(getAllergyRule, {}).then(
    ({ rule }) => rule,
    () => 'block',
  )

export const substitute = endpointMutation(substituteOrders, 'ordering', 'catalogue', 'cycles')
