import { refusal } from '../refusals'
import { ordersOf, type MealSlot } from './meal-slot'

type KnownOrder = ReturnType<typeof ordersOf>[number]

export const orderOf = (slot: MealSlot, orderId: string) => {
  const known = ordersOf(slot).find(({ id }) => id === orderId)
  if (!known || known.status === 'withdrawn') throw refusal('order_not_found')
  return { ...known, status: known.status }
}

/** `isGuardian`: of the order's child. `hasMoved`: the child has other guardians. */
export type FamilyMember = { userId: number; isGuardian?: boolean; hasMoved?: boolean }

/** A child without guardians stays with the payer. */
export const hasMovedFrom = (userId: number, guardians: readonly number[] = []): boolean =>
  guardians.length > 0 && !guardians.includes(userId)

export const familyMember = (userId: number, guardians: readonly number[] = []): FamilyMember => ({
  userId,
  isGuardian: guardians.includes(userId),
  hasMoved: hasMovedFrom(userId, guardians),
})

/** An order goes with its child. */
export const isTheirs = (
  known: { userId: number },
  { userId, isGuardian, hasMoved }: FamilyMember,
): boolean => isGuardian === true || (known.userId === userId && hasMoved !== true)

/** For guardians, or the payer of a child without any; otherwise not found. */
export const ownOrder = (slot: MealSlot, orderId: string, member: FamilyMember) => {
  const known = orderOf(slot, orderId)
  if (!isTheirs(known, member)) throw refusal('order_not_found')
  return known
}

export const isActive = <Known extends { status: KnownOrder['status'] }>(
  known: Known,
): known is Known & { status: 'pending' | 'completed' } =>
  known.status === 'pending' || known.status === 'completed'

export const closedOrderCode = ({ status }: { status: KnownOrder['status'] }) =>
  status === 'refunded' ? 'already_refunded' : 'already_cancelled'
