import type { CartLine } from '#contracts/ordering'
import type { EventStore } from '#platform/event-store/event-store'
import { checkedCart, slotOfLine } from './cart.decide'
import { checkoutMeals } from './checkout.commands'
import { type OrderingNeeds } from '../needs'
import { loadSlots } from '../slot/slots.commands'

/** What the facts of a cart are asked of. */
export type CartNeeds = Pick<OrderingNeeds, 'zone' | 'catalogue'> & {
  eventStore: Pick<EventStore, 'read'>
  cycles: Pick<OrderingNeeds['cycles'], 'orderingCalendar'>
  identity: Pick<OrderingNeeds['identity'], 'orderableStudentsOf'>
  /** What the user's best active discount code takes off, in percent; 0 without one. */
  discountOf: (userId: number) => Promise<number>
}

/**
 * Checks and prices a cart for a user at an instant; `meals` are the slots it asks for as they were read for that. Days
 * held by this very attempt count as free. Throws `lines_refused` with the reason of each refused line.
 */
export const checkCart =
  ({ eventStore, zone, catalogue, cycles, identity, discountOf }: CartNeeds) =>
  async (buyer: { userId: number; attemptId: string }, lines: readonly CartLine[], at: Date) => {
    const [{ cycle, cutoff }, students, items, discountPercentage] = await Promise.all([
      cycles.orderingCalendar(),
      identity.orderableStudentsOf(buyer.userId),
      catalogue.itemsByIds([...new Set(lines.map(({ menuItemId }) => menuItemId))]),
      discountOf(buyer.userId),
    ])
    const slots = await loadSlots(eventStore, cycle ? lines.map((line) => slotOfLine(line, cycle)) : [])
    const meals = checkedCart(lines, {
      now: at,
      zone,
      attemptId: buyer.attemptId,
      cycle,
      cutoff,
      students: new Map(students.map((student) => [student.id, student])),
      items,
      slots: new Map([...slots].map(([id, { slot }]) => [id, slot])),
      discountPercentage,
    })
    return { lines: meals, meals: checkoutMeals({ ...buyer, lines: meals }, slots) }
  }
