import type { Ngwee } from '#kernel/money'
import { refusal } from '../refusals'
import { orderPaymentConfirmed, orderPaymentUndone, orderReopened } from './events'
import { ordersOf, toPayOf, type MealSlot, type SlotEvent } from './meal-slot'

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

/** Transfers pay `amount`; the first is recorded. `restorable`: restores a lapsed order. */
export type ConfirmPayment = {
  kind: 'confirm-payment'
  orderId: string
  transferIds: readonly [string, ...string[]]
  amount: Ngwee
  restorable: boolean
  byHand: boolean
  now: Date
}
export type UndoPayment = {
  kind: 'undo-payment'
  orderId: string
  transferIds: readonly string[]
  now: Date
}

export const confirmPayment = (
  { orderId, transferIds, amount, restorable, byHand, now }: ConfirmPayment,
  slot: MealSlot,
): SlotEvent[] => {
  const known = orderOf(slot, orderId)
  if (known.paidBy !== null && transferIds.includes(known.paidBy)) return []
  const isToRestore = known.status === 'cancelled' && known.lapsed !== null && restorable
  if (!isActive(known) && !isToRestore) throw refusal(closedOrderCode(known))
  if (known.paymentStatus === 'confirmed') throw refusal('already_paid')
  if (toPayOf(known) !== amount) throw refusal('price_changed')
  const restored = isToRestore ? reopen({ orderId, now }, slot) : []
  const at = now.toISOString()
  const paid = { orderId, at, transferId: transferIds[0], ...(byHand && { byHand }) }
  return [...restored, orderPaymentConfirmed(paid)]
}

/** An eaten meal becomes unpaid; a refund stays. */
export const undoPayment = ({ orderId, transferIds, now }: UndoPayment, slot: MealSlot): SlotEvent[] => {
  const { paidBy, status, refundBegun } = orderOf(slot, orderId)
  if (paidBy === null || !transferIds.includes(paidBy) || status === 'refunded' || refundBegun) return []
  return [orderPaymentUndone({ orderId, transferId: paidBy, at: now.toISOString() })]
}

export const slotConflict = (
  slot: MealSlot,
  attemptId: string,
  now: Date,
): 'already_ordered' | 'day_reserved' | null => {
  if (slot.status === 'ordered') return slot.order.attemptId === attemptId ? null : 'already_ordered'
  if (slot.status === 'reserved' && slot.attemptId !== attemptId && new Date(slot.until) > now)
    return 'day_reserved'
  return null
}

const maxTries = 30

/** Too many tries: the office must order. Own tries count. */
export const isTriedTooOften = (slot: MealSlot, attemptId: string): boolean =>
  slot.status !== 'ordered' &&
  !(slot.status === 'reserved' && slot.attemptId === attemptId) &&
  slot.tries >= maxTries

export const reopen = ({ orderId, now }: { orderId: string; now: Date }, slot: MealSlot): SlotEvent[] => {
  const known = orderOf(slot, orderId)
  if (known.status === 'pending') return []
  const reopened = orderReopened({ orderId, at: now.toISOString() })
  if (known.status === 'completed') return [reopened]
  if (known.status === 'refunded') throw refusal('already_refunded')
  if (known.refundBegun) throw refusal('refund_under_way')
  if (slotConflict(slot, '', now)) throw refusal('slot_taken')
  const latest = slot.past.findLast((past) => past.status !== 'withdrawn')
  if (latest?.id !== known.id) throw refusal('newer_order')
  return [reopened]
}
