import type { CartLine } from '#contracts/ordering'
import type { MealLine } from '#kernel/meal-line'
import { kwachaFromNgwee } from '#kernel/money'
import { schoolMoment } from '#kernel/school-time'
import { acknowledgeMeals, cartFacts, type CartNeeds } from './cart.commands'
import { checkedCart } from './cart.decide'
import { paidLineUnavailableReason, type PaidLineUnavailableReason } from './line-policies.decide'

export type Amendment = {
  index: number
  to: Pick<CartLine, 'menuItemId' | 'studentId' | 'weekNumber' | 'dayOfWeek'> &
    Partial<Pick<CartLine, 'category' | 'sideDish' | 'comments' | 'acknowledged'>>
}

/** By line index; absent when it can be had. */
export const paidLineUnavailableReasons =
  ({ identity, cycles, catalogue, zone }: CartNeeds) =>
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
 * Amended lines at today's prices under the original discount; callers compare them with the payment. Checked as a cart, but the item paid
 * for counts as available. Throws `lines_refused`.
 */
export const amendedLines =
  (needs: CartNeeds) =>
  async (
    paid: { userId: number; attemptId: string; lines: readonly MealLine[] },
    amendments: readonly Amendment[],
    at: Date,
  ): Promise<MealLine[]> => {
    const wanted = amendments.map(({ to }) => to)
    const { facts } = await cartFacts(needs, paid, wanted, at)
    const bought = new Set(paid.lines.map(({ item }) => item.id))
    const items = new Map(
      [...facts.items].map(([id, item]) => [
        id,
        bought.has(id) ? { ...item, isAvailable: true, isArchived: false } : item,
      ]),
    )
    const cart = wanted.map((line): CartLine => ({
      ...line,
      originalPrice: kwachaFromNgwee(items.get(line.menuItemId)?.price ?? 0),
    }))
    const discountPercentage = paid.lines[0]?.discountPercentage ?? 0
    const checked = checkedCart(cart, { ...facts, items, discountPercentage, byOffice: true })
    await acknowledgeMeals(needs.identity, checked, facts, 'office')
    return checked.map((line, position) => ({ ...line, index: amendments[position]!.index }))
  }
