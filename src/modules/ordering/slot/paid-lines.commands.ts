import type { CartLine } from '#contracts/ordering'
import { kwachaFromNgwee } from '#kernel/money'
import { schoolMoment } from '#kernel/school-time'
import { checkedCart, slotOfLine } from '../cart/cart.decide'
import type { CartNeeds } from '../cart/cart.commands'
import { type MealLine } from '#kernel/meal-line'
import { paidLineUnavailableReason } from './paid-line.decide'
import type { PaidLineUnavailableReason } from './paid-line.decide'
import { loadSlots } from './slots.commands'

/** What shall be cooked instead of a line that was paid for. */
export type Amendment = {
  index: number
  to: Pick<CartLine, 'menuItemId' | 'studentId' | 'weekNumber' | 'dayOfWeek'> &
    Partial<Pick<CartLine, 'category' | 'sideDish' | 'comments'>>
}

type PaidNeeds = Omit<CartNeeds, 'discountOf'>

/** Why paid lines can no longer be had, by the line's index; a line that can be had is absent. */
export const paidLineUnavailableReasons =
  ({ identity, cycles, catalogue, zone }: PaidNeeds) =>
  async (
    userId: number,
    lines: readonly MealLine[],
    at: Date,
  ): Promise<{ index: number; reason: PaidLineUnavailableReason }[]> => {
    const [students, { cycle }, items] = await Promise.all([
      identity.orderableStudentsOf(userId),
      cycles.orderingCalendar(),
      catalogue.itemsByIds([...new Set(lines.map(({ item }) => item.id))]),
    ])
    const facts = {
      studentIds: new Set(students.map(({ id }) => id)),
      activeCycle: cycle,
      items,
      today: schoolMoment(at, zone).date,
    }
    return lines.flatMap((line) => {
      const reason = paidLineUnavailableReason(line, facts)
      return reason ? [{ index: line.index, reason }] : []
    })
  }

/**
 * The lines as amended, with today's prices under the discount they were bought with: the caller compares them with
 * what was paid. Checked as a cart is, but the very item that was paid for counts as available. Throws `lines_refused`.
 */
export const amendedLines =
  (needs: PaidNeeds) =>
  async (
    paid: { userId: number; attemptId: string; lines: readonly MealLine[] },
    amendments: readonly Amendment[],
    at: Date,
  ): Promise<MealLine[]> => {
    const { eventStore, zone } = needs
    const [{ cycle, cutoff }, students, found] = await Promise.all([
      needs.cycles.orderingCalendar(),
      needs.identity.orderableStudentsOf(paid.userId),
      needs.catalogue.itemsByIds([...new Set(amendments.map(({ to }) => to.menuItemId))]),
    ])
    const bought = new Set(paid.lines.map(({ item }) => item.id))
    const items = new Map(
      [...found].map(([id, item]) => [
        id,
        bought.has(id) ? { ...item, isAvailable: true, isArchived: false } : item,
      ]),
    )
    const cart = amendments.map(({ to }): CartLine => ({
      ...to,
      originalPrice: kwachaFromNgwee(items.get(to.menuItemId)?.price ?? 0),
    }))
    const slots = await loadSlots(eventStore, cycle ? cart.map((line) => slotOfLine(line, cycle)) : [])
    const checked = checkedCart(cart, {
      now: at,
      zone,
      attemptId: paid.attemptId,
      cycle,
      cutoff,
      students: new Map(students.map((student) => [student.id, student])),
      items,
      slots: new Map([...slots].map(([id, { slot }]) => [id, slot])),
      discountPercentage: paid.lines[0]?.discountPercentage ?? 0,
    })
    return checked.map((line, position) => ({ ...line, index: amendments[position]!.index }))
  }
