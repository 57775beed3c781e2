import { refusal } from '../refusals'
import { orderReopened } from './events'
import { orderOf } from './known-order.decide'
import type { MealSlot, SlotEvent } from './meal-slot'

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
