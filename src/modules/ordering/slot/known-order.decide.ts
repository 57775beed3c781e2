import { refusal } from '../refusals'
import { ordersOf, type MealSlot } from './meal-slot'

type KnownOrder = ReturnType<typeof ordersOf>[number]

/** The order of this id; one that was withdrawn never was. */
export const orderOf = (slot: MealSlot, orderId: string) => {
  const known = ordersOf(slot).find(({ id }) => id === orderId)
  if (!known || known.status === 'withdrawn') throw refusal('order_not_found')
  return { ...known, status: known.status }
}

/**
 * Who of a family acts on an order; `isGuardian`: of the child that it is for, whoever has paid. `hasMoved`: others are its
 * guardians.
 */
export type FamilyMember = { userId: number; isGuardian?: boolean; hasMoved?: boolean }

/** Whether a child with these guardians is another family's; one that is nobody's stays that of who has paid. */
export const hasMovedFrom = (userId: number, guardians: readonly number[] = []): boolean =>
  guardians.length > 0 && !guardians.includes(userId)

/** What this user is to a child with these guardians. */
export const familyMember = (userId: number, guardians: readonly number[] = []): FamilyMember => ({
  userId,
  isGuardian: guardians.includes(userId),
  hasMoved: hasMovedFrom(userId, guardians),
})

/** Whether an order that this user has paid for or not is theirs to see and to act on: it goes with the child. */
export const isTheirs = (
  known: { userId: number },
  { userId, isGuardian, hasMoved }: FamilyMember,
): boolean => isGuardian === true || (known.userId === userId && hasMoved !== true)

/** The order of this id, for the child's guardians, and for who has paid while it has none; for others there is none. */
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
