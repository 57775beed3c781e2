import { refusal } from '../refusals'
import { ordersOf, type MealSlot } from './meal-slot'

type KnownOrder = ReturnType<typeof ordersOf>[number]

/** The order of this id; one that was withdrawn never was. */
export const orderOf = (slot: MealSlot, orderId: string) => {
  const known = ordersOf(slot).find(({ id }) => id === orderId)
  if (!known || known.status === 'withdrawn') throw refusal('order_not_found')
  return { ...known, status: known.status }
}

/** The user's own order of this id. */
export const ownOrder = (slot: MealSlot, orderId: string, userId: number) => {
  const known = orderOf(slot, orderId)
  if (known.userId !== userId) throw refusal('order_not_found')
  return known
}

export const isActive = <Known extends { status: KnownOrder['status'] }>(
  known: Known,
): known is Known & { status: 'pending' | 'completed' } =>
  known.status === 'pending' || known.status === 'completed'

export const goneCode = ({ status }: { status: KnownOrder['status'] }) =>
  status === 'refunded' ? 'already_refunded' : 'already_cancelled'
