import { evolve, freeSlot, readSlotEvent, type MealSlot } from '#modules/ordering/slot/meal-slot'
import { isGivenUp } from '#modules/payments/attempt/payment-attempt'
import type { EventStore, Position } from '#platform/event-store/event-store'
import type { Scene } from './scene'
import { eventsAfter } from './tables'

/** The days that are held, now, for attempts that have been given up: there should be none. */
export const staleReservations = async (
  { attemptOf, clock }: Scene,
  store: EventStore,
  start: Position,
): Promise<string[]> => {
  const slots = new Map<string, MealSlot>()
  for (const event of await eventsAfter(store, start)) {
    const known = readSlotEvent(event)
    if (known) slots.set(event.stream, evolve(slots.get(event.stream) ?? freeSlot, known))
  }
  const dead: string[] = []
  for (const [stream, slot] of slots) {
    if (slot.status !== 'reserved' || new Date(slot.until) <= clock.now) continue
    const attempt = await attemptOf(slot.attemptId)
    const isOver = attempt.status === 'none' || isGivenUp(attempt) || attempt.status === 'refunded'
    if (isOver) dead.push(`${stream} for ${attempt.status}`)
  }
  return dead
}
