import { conflictOf } from '#contracts/allergens'
import type { CartLine } from '#contracts/ordering'
import type { MealLine } from '#kernel/meal-line'
import { kwachaFromNgwee, type Discount } from '#kernel/money'
import { schoolMoment } from '#kernel/school-time'
import { isAnyCompleted } from '../kitchen/kitchen-changes.rows'
import type { OrderNeeds } from '../portions/portions.view'
import type { AcknowledgedBy, OrderingNeeds } from '../ports'
import { loadSlots, slotFor, type OtherIds } from '../slot/twin-slots.commands'
import { checkedCart, type CartFacts } from './cart.decide'
import { otherIdsOf, type FulfilmentReads, type LoadedMeals, type Meals } from './checkout-meals.commands'
import {
  lunchOfLine,
  paidLineUnavailableReason,
  type ChildDay,
  type PaidLineUnavailableReason,
} from './line-policies.decide'

/** `office` orders for the family; `late` also after today's cutoff, while the kitchen has completed nothing. */
export type Buyer = { userId: number; attemptId: string; office?: { late: boolean } }

export const cartFacts = async (
  needs: OrderNeeds,
  { userId, attemptId, office }: Buyer,
  lines: readonly (ChildDay & Pick<CartLine, 'menuItemId'>)[],
  now: Date,
): Promise<{ facts: Omit<CartFacts, 'discountOf'>; otherIds: OtherIds } & LoadedMeals> => {
  const { zone, catalogue, cycles, identity, portions } = needs
  const [{ cycle, cutoffOf, closures }, children, items] = await Promise.all([
    cycles.orderingCalendar(),
    identity.cartChildrenOf(userId),
    catalogue.itemsByIds([...new Set(lines.map(({ menuItemId }) => menuItemId))]),
  ])
  const asked = cycle ? lines.map((line) => ({ itemId: line.menuItemId, ...lunchOfLine(line, cycle) })) : []
  const otherIds = otherIdsOf(children)
  const hasNeeds = children.some(({ needs: { allergies, diet } }) => allergies?.length || diet !== 'none')
  const [slots, book, allergyRule, isKitchenDone] = await Promise.all([
    loadSlots(needs, asked, otherIds),
    portions(asked, now, items),
    // Applies to children with allergies or a diet only.
    hasNeeds ? catalogue.allergyRule() : ('block' as const),
    office?.late ? isAnyCompleted(needs.database.knex, schoolMoment(now, zone).date) : null,
  ])
  const wanted = asked.map((portion) => ({ ...portion, attemptId, until: null }))
  const facts = {
    now,
    zone,
    attemptId,
    cycle,
    cutoffOf,
    closures,
    students: new Map(children.map(({ student }) => [student.id, student])),
    items,
    slots: new Map([...slots].map(([id, loaded]) => [id, slotFor(loaded, attemptId, now)])),
    soldOut: book.soldOut(wanted, now),
    needs: new Map(children.map(({ student, needs: own }) => [student.id, own])),
    allergyRule,
    ...(office && { byOffice: true }),
    ...(isKitchenDone !== null && { late: isKitchenDone ? ('refused' as const) : ('accepted' as const) }),
  }
  return { facts, slots, portions: book, items, otherIds }
}

/** The attempts that keep a day of these lines at `at` for a payment under way. Reads streams. */
export const holdersOf =
  (needs: OrderingNeeds) =>
  async (lines: readonly ChildDay[], at: Date): Promise<string[]> => {
    const { cycle } = await needs.cycles.orderingCalendar()
    const slots = await loadSlots(needs, cycle ? lines.map((line) => lunchOfLine(line, cycle)) : [])
    const states = [...slots.values()].flatMap(({ state, twins }) => [state, ...twins])
    const held = states.flatMap(({ reservation }) => reservation ?? [])
    return [...new Set(held.filter(({ until }) => new Date(until) > at).map(({ attemptId }) => attemptId))]
  }

export type CheckedCart = Meals & { lines: MealLine[]; otherIds: OtherIds }

/** Days reserved for this attempt are free; `payWith` adds credit to priced lines. Throws `lines_refused` with a reason per line. */
export const checkCart =
  (needs: OrderNeeds) =>
  async (
    buyer: Buyer,
    lines: readonly CartLine[],
    at: Date,
    payWith: (priced: MealLine[]) => MealLine[] = (priced) => priced,
  ): Promise<CheckedCart> => {
    const [{ facts, ...loaded }, discount] = await Promise.all([
      cartFacts(needs, buyer, lines, at),
      needs.discountOf(
        buyer.userId,
        lines.map(({ studentId }) => studentId),
      ),
    ])
    const { attemptId, userId, office } = buyer
    const priced = payWith(checkedCart(lines, { ...facts, discountOf: discount }))
    await acknowledgeMeals(needs.identity, priced, facts, office ? 'office' : 'family')
    return { attemptId, userId, lines: priced, ...loaded }
  }

/** Before the events: an acceptance of an order never placed affects no other order. */
export const acknowledgeMeals = async (
  { acknowledge }: OrderingNeeds['identity'],
  meals: readonly MealLine[],
  { needs, items }: Pick<CartFacts, 'needs' | 'items'>,
  by: AcknowledgedBy,
): Promise<void> => {
  const accepted = meals.filter(({ acknowledged }) => acknowledged)
  if (accepted.length === 0) return
  await acknowledge(
    accepted.map(({ slot: { studentId }, mealDate: date, item }) => {
      return { studentId, date, itemId: item.id, ...conflictOf(needs.get(studentId), items.get(item.id)) }
    }),
    by,
  )
}

export type Amendment = {
  index: number
  to: Pick<CartLine, 'menuItemId' | 'studentId' | 'weekNumber' | 'dayOfWeek'> &
    Partial<Pick<CartLine, 'category' | 'sideDish' | 'comments' | 'acknowledged'>>
}

/** By line index; available lines are absent. */
export const paidLineUnavailableReasons =
  ({ identity, cycles, catalogue, zone }: OrderingNeeds) =>
  async (
    userId: number,
    lines: readonly MealLine[],
    at: Date,
    reads: Partial<FulfilmentReads> = {},
  ): Promise<{ index: number; reason: PaidLineUnavailableReason }[]> => {
    const [children, { cycle, closures }, items] = await Promise.all([
      reads.children ?? identity.cartChildrenOf(userId),
      cycles.orderingCalendar(),
      reads.items ?? catalogue.itemsByIds([...new Set(lines.map(({ item }) => item.id))]),
    ])
    const facts = {
      studentIds: new Set(children.map(({ student }) => student.id)),
      activeCycle: cycle,
      closures,
      items,
      today: schoolMoment(at, zone).date,
    }
    return lines.flatMap((line) => {
      const reason = paidLineUnavailableReason(line, facts)
      return reason ? [{ index: line.index, reason }] : []
    })
  }

/** Today's prices under the discount of each line paid for. The item paid for counts as available. Throws `lines_refused`. */
export const amendedLines =
  (needs: OrderNeeds) =>
  async (
    paid: { userId: number; attemptId: string; lines: readonly MealLine[] },
    amendments: readonly Amendment[],
    at: Date,
  ): Promise<MealLine[]> => {
    const wanted = amendments.map(({ to }) => to)
    const { facts } = await cartFacts(needs, paid, wanted, at)
    const lineOf = new Map(paid.lines.map((line) => [line.index, line]))
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
    const discountOf = (_studentId: number, position: number): Discount => {
      const { discountPercentage = 0, sponsor = null } = lineOf.get(amendments[position]!.index) ?? {}
      return { percentage: discountPercentage, sponsor }
    }
    const checked = checkedCart(cart, { ...facts, items, discountOf, byOffice: true })
    await acknowledgeMeals(needs.identity, checked, facts, 'office')
    return checked.map((line, position) => ({ ...line, index: amendments[position]!.index }))
  }
