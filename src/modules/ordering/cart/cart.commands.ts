import type { CartLine } from '#contracts/ordering'
import type { EventStore } from '#platform/event-store/event-store'
import { checkedCart, slotOfLine } from './cart.decide'
import type { CycleFacts, MenuFacts, StudentFacts } from './cart-line.decide'
import { checkoutMeals } from './checkout.commands'
import { loadSlots } from '../slot/slots.commands'

/** The outside facts of a cart: menu items by id, the active cycle and the cutoff of its days, the user's own students. */
export type CartNeeds = {
  eventStore: Pick<EventStore, 'read'>
  itemsByIds: (ids: readonly number[]) => Promise<ReadonlyMap<number, MenuFacts>>
  calendar: () => Promise<{ cycle: CycleFacts | null; cutoff: { hour: number; minute: number } }>
  studentsOf: (userId: number) => Promise<readonly StudentFacts[]>
  discountOf: (userId: number) => Promise<number>
  zone: string
}

/**
 * Checks and prices a cart for a user at an instant; `meals` are the slots it asks for as they were read for that. Days
 * held by this very attempt count as free. Throws `lines_refused` with the reason of each refused line.
 */
export const checkCart =
  ({ eventStore, zone, ...needs }: CartNeeds) =>
  async (buyer: { userId: number; attemptId: string }, lines: readonly CartLine[], at: Date) => {
    const [{ cycle, cutoff }, students, items, discountPercentage] = await Promise.all([
      needs.calendar(),
      needs.studentsOf(buyer.userId),
      needs.itemsByIds([...new Set(lines.map(({ menuItemId }) => menuItemId))]),
      needs.discountOf(buyer.userId),
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
