import { refusal } from '../refusals'
import { ordersOf, type MealSlot } from './meal-slot'

type KnownOrder = ReturnType<typeof ordersOf>[number]

/** The order of this id; one that was withdrawn never was. */
export const orderOf = (slot: MealSlot, orderId: string) => {
  const known = ordersOf(slot).find(({ id }) => id === orderId)
  if (!known || known.status === 'withdrawn') throw refusal('order_not_found')
  return { ...known, status: known.status }
}

/** Who of a family acts on an order; `isGuardian`: of the child that it is for, whoever has paid. */
export type FamilyMember = { userId: number; isGuardian?: boolean }

/** The order of this id, for who has paid for it and for the child's guardians; for others there is none. */
export const ownOrder = (slot: MealSlot, orderId: string, { userId, isGuardian = false }: FamilyMember) => {
  const known = orderOf(slot, orderId)
  if (known.userId !== userId && !isGuardian) throw refusal('order_not_found')
  return known
}

export const isActive = <Known extends { status: KnownOrder['status'] }>(
  known: Known,
): known is Known & { status: 'pending' | 'completed' } =>
  known.status === 'pending' || known.status === 'completed'

export const goneCode = ({ status }: { status: KnownOrder['status'] }) =>
  status === 'refunded' ? 'already_refunded' : 'already_cancelled'
