import { parseOrderId } from '#kernel/id'
import { Refusal } from '#kernel/refusal'
import { evolve, freeSlot, slotStream, type MealSlot, type SlotEvent } from '../slot/meal-slot'
import { mealSlot, type SlotCommand } from '../slot/meal-slot.decide'
import type { OrderRow } from './order'
import { refusal } from '../refusals'

export type StatusChange = 'completed' | 'pending' | 'cancelled'

/** What is done to many orders at once: a new status, or that they have been paid for. */
export type OrderChange = StatusChange | 'paid'
export type SkippedOrder = { id: string; code: string; message: string }

/** What happens to each slot (by its stream), and the orders that cannot be changed, each with the reason. */
type BatchDecision = { events: Map<string, SlotEvent[]>; skipped: SkippedOrder[] }

/** An administrator's change of many orders, each judged by itself; `slots` by their streams. */
export const decideBatch = (
  orderIds: readonly string[],
  change: OrderChange,
  slots: ReadonlyMap<string, MealSlot>,
  now: Date,
): BatchDecision => {
  const decision: BatchDecision = { events: new Map(), skipped: [] }
  for (const orderId of new Set(orderIds)) {
    try {
      const stream = streamOf(orderId)
      const earlier = decision.events.get(stream) ?? []
      const slot = earlier.reduce(evolve, slots.get(stream) ?? freeSlot)
      const decided = mealSlot.decide(commandFor(change, orderId, now), slot)
      if (decided.length > 0) decision.events.set(stream, [...earlier, ...decided])
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      decision.skipped.push({ id: orderId, code: error.code, message: error.message })
    }
  }
  return decision
}

/** What an administrator's change does to an order of this status; reopening also needs its day to be free. */
export const changesFrom = (status: OrderRow['status']): Record<StatusChange, boolean> => ({
  completed: status === 'pending',
  pending: status === 'completed' || status === 'cancelled',
  cancelled: status === 'pending' || status === 'completed',
})

const streamOf = (orderId: string): string => {
  const parsed = parseOrderId(orderId)
  if (!parsed) throw refusal('order_not_found')
  return slotStream(parsed.lunch)
}

const commandFor = (change: OrderChange, orderId: string, now: Date): SlotCommand => {
  switch (change) {
    case 'completed':
      return { kind: 'complete', orderId, now }
    case 'pending':
      return { kind: 'reopen', orderId, now }
    case 'cancelled':
      return { kind: 'cancel', orderId, by: { role: 'administrator' }, now }
    case 'paid':
      return { kind: 'confirm-payment', orderId, now }
  }
}
