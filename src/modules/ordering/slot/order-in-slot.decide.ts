import type { Ngwee } from '#kernel/money'
import { refusal } from '../refusals'
import { orderPaymentConfirmed, orderPaymentUndone, orderReopened } from './events'
import { isActive, standingOrder, toPayOf, type MealSlot, type SlotEvent, type SlotOrder } from './meal-slot'
import { isListed } from './order'

/** Throws `order_not_found` for a withdrawn one too. */
export const orderOf = ({ orders }: MealSlot, orderId: string) => {
  const known = orders.get(orderId)
  if (!known || !isListed(known)) throw refusal('order_not_found')
  return known
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
  known: Pick<SlotOrder, 'user_id'>,
  { userId, isGuardian, hasMoved }: FamilyMember,
): boolean => isGuardian === true || (known.user_id === userId && hasMoved !== true)

/** For guardians, or the payer of a child without any; otherwise not found. */
export const ownOrder = (slot: MealSlot, orderId: string, member: FamilyMember) => {
  const known = orderOf(slot, orderId)
  if (!isTheirs(known, member)) throw refusal('order_not_found')
  return known
}

export const closedOrderCode = ({ status }: Pick<SlotOrder, 'status'>) =>
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
  const isToRestore = known.status === 'cancelled' && known.lapsed && restorable
  if (!isActive(known) && !isToRestore) throw refusal(closedOrderCode(known))
  if (known.payment_status === 'confirmed') throw refusal('already_paid')
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
  const standing = standingOrder(slot)
  if (standing) return standing.attempt_id === attemptId ? null : 'already_ordered'
  const { reservation } = slot
  if (reservation && reservation.attemptId !== attemptId && new Date(reservation.until) > now)
    return 'day_reserved'
  return null
}

const maxTries = 30

/** Too many tries: the office must order. Own tries count. */
export const isTriedTooOften = (slot: MealSlot, attemptId: string): boolean =>
  !standingOrder(slot) && slot.reservation?.attemptId !== attemptId && slot.tries >= maxTries

export const reopen = ({ orderId, now }: { orderId: string; now: Date }, slot: MealSlot): SlotEvent[] => {
  const known = orderOf(slot, orderId)
  if (known.status === 'pending') return []
  const reopened = orderReopened({ orderId, at: now.toISOString() })
  if (known.status === 'completed') return [reopened]
  if (known.status === 'refunded') throw refusal('already_refunded')
  if (known.refundBegun) throw refusal('refund_under_way')
  if (slotConflict(slot, '', now)) throw refusal('slot_taken')
  if (latestOrder(slot)?.id !== known.id) throw refusal('newer_order')
  return [reopened]
}

export const latestOrder = ({ orders }: MealSlot): SlotOrder | undefined => orders.findLast(isListed)
