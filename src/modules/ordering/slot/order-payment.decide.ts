import { isUnproven, type Ngwee, type Proof } from '#kernel/money'
import { refusal } from '../refusals'
import { orderPaymentConfirmed, orderPaymentProven, orderPaymentUndone } from './events'
import { closedOrderCode, isActive, orderOf, toPayOf, type MealSlot, type SlotEvent } from './meal-slot'
import { decideAct } from './order-permissions.decide'

/** Transfers pay `amount`; the first is recorded. `restorable`: restores a lapsed order. */
export type ConfirmPayment = {
  kind: 'confirm-payment'
  orderId: string
  transferIds: readonly [string, ...string[]]
  amount: Ngwee
  restorable: boolean
  byHand: boolean
  proof: Proof
  now: Date
}
export type UndoPayment = {
  kind: 'undo-payment' | 'prove-payment'
  orderId: string
  transferIds: readonly string[]
  now: Date
}

export const confirmPayment = (
  { orderId, transferIds, amount, restorable, byHand, proof, now }: ConfirmPayment,
  slot: MealSlot,
): SlotEvent[] => {
  const known = orderOf(slot, orderId)
  if (known.paidBy !== null && transferIds.includes(known.paidBy)) return []
  const isToRestore = known.status === 'cancelled' && known.lapsed && restorable
  if (!isActive(known) && !isToRestore) throw refusal(closedOrderCode(known))
  if (known.payment_status === 'confirmed') throw refusal('already_paid')
  if (toPayOf(known) !== amount) throw refusal('price_changed')
  const restored = isToRestore ? decideAct({ kind: 'reopen', orderId, now }, slot) : []
  const at = now.toISOString()
  const paid = {
    orderId,
    at,
    transferId: transferIds[0],
    ...(byHand && { byHand }),
    ...(proof !== 'statement' && { proof }),
  }
  return [...restored, orderPaymentConfirmed(paid)]
}

/** An eaten meal becomes unpaid; a refund stays. */
export const undoPayment = ({ orderId, transferIds, now }: UndoPayment, slot: MealSlot): SlotEvent[] => {
  const { paidBy, status, refundBegun } = orderOf(slot, orderId)
  if (paidBy === null || !transferIds.includes(paidBy) || status === 'refunded' || refundBegun) return []
  return [orderPaymentUndone({ orderId, transferId: paidBy, at: now.toISOString() })]
}

/** Also of a cancelled order, whose credit may then be paid out. */
export const provePayment = ({ orderId, transferIds, now }: UndoPayment, slot: MealSlot): SlotEvent[] => {
  const { paidBy, proof } = orderOf(slot, orderId)
  if (paidBy === null || !transferIds.includes(paidBy) || !isUnproven(proof)) return []
  return [orderPaymentProven({ orderId, transferId: paidBy, at: now.toISOString() })]
}
