import type { CartLine, LineRefusal } from '#contracts/ordering'
import { lunchId, type Lunch } from '#kernel/id'
import { lunchOf, moneyOf, type MealLine } from '#kernel/meal-line'
import {
  advanced,
  loadStreams,
  type LoadedStream,
  type StreamChange,
} from '#platform/event-store/command-handler'
import type { EventStore } from '#platform/event-store/event-store'
import type { OrderingNeeds } from '../needs'
import { orderOfLine, type MealSlot, type SlotEvent } from '../slot/meal-slot'
import { mealSlot, slotConflict, type SlotCommand } from '../slot/meal-slot.decide'
import { checkedCart, lunchOfLine, type CartFacts, type ChildDay } from './cart.decide'

/** What the facts of a cart are asked of. */
export type CartNeeds = Pick<OrderingNeeds, 'zone' | 'catalogue'> & {
  eventStore: Pick<EventStore, 'read'>
  cycles: Pick<OrderingNeeds['cycles'], 'orderingCalendar'>
  identity: Pick<OrderingNeeds['identity'], 'orderableStudentsOf'>
}

type Buyer = { userId: number; attemptId: string }

/** Slots as they were read, by the id of their lunch; one that was never touched is free. */
type LoadedSlots = ReadonlyMap<string, LoadedStream<MealSlot, SlotEvent>>

const loadSlots = async (
  eventStore: Pick<EventStore, 'read'>,
  lunches: readonly Lunch[],
): Promise<LoadedSlots> => {
  const loaded = await loadStreams(eventStore, mealSlot, lunches)
  return new Map(lunches.map((lunch, index) => [lunchId(lunch), loaded[index]!]))
}

/** All that the checks of these lines look at but the user's discount, and the slots with it. */
export const cartFacts = async (
  { eventStore, zone, catalogue, cycles, identity }: CartNeeds,
  { userId, attemptId }: Buyer,
  lines: readonly (ChildDay & Pick<CartLine, 'menuItemId'>)[],
  now: Date,
): Promise<{ facts: Omit<CartFacts, 'discountPercentage'>; slots: LoadedSlots }> => {
  const [{ cycle, cutoff }, students, items] = await Promise.all([
    cycles.orderingCalendar(),
    identity.orderableStudentsOf(userId),
    catalogue.itemsByIds([...new Set(lines.map(({ menuItemId }) => menuItemId))]),
  ])
  const slots = await loadSlots(eventStore, cycle ? lines.map((line) => lunchOfLine(line, cycle)) : [])
  const facts = {
    now,
    zone,
    attemptId,
    cycle,
    cutoff,
    students: new Map(students.map((student) => [student.id, student])),
    items,
    slots: new Map([...slots].map(([id, { state }]) => [id, state])),
  }
  return { facts, slots }
}

/** The lunches that lines ask for in the active cycle; none without one. */
export const lunchesOf =
  ({ cycles }: Pick<CartNeeds, 'cycles'>) =>
  async (lines: readonly ChildDay[]): Promise<Lunch[]> => {
    const { cycle } = await cycles.orderingCalendar()
    return cycle ? lines.map((line) => lunchOfLine(line, cycle)) : []
  }

/**
 * Checks and prices a cart for a user at an instant; `meals` are the slots it asks for as they were read for that. Days
 * reserved for this very attempt count as free; `payWith` writes on the priced lines what credit pays of them. Throws `lines_refused` with the reason of each refused line.
 */
export const checkCart =
  (
    needs: CartNeeds & {
      /** What the user's best active discount code takes off, in percent; 0 without one. */
      discountOf: (userId: number) => Promise<number>
    },
  ) =>
  async (
    buyer: Buyer,
    lines: readonly CartLine[],
    at: Date,
    payWith: (priced: MealLine[]) => MealLine[] = (priced) => priced,
  ) => {
    const [{ facts, slots }, discountPercentage] = await Promise.all([
      cartFacts(needs, buyer, lines, at),
      needs.discountOf(buyer.userId),
    ])
    const meals = payWith(checkedCart(lines, { ...facts, discountPercentage }))
    return { lines: meals, meals: checkoutMeals({ ...buyer, lines: meals }, slots) }
  }

/** The slots' part of a checkout that was begun before, from the slots as they are now. */
export const mealsOf =
  ({ eventStore }: Pick<CartNeeds, 'eventStore'>) =>
  async (checkout: MealCheckout) => {
    return checkoutMeals(checkout, await loadSlots(eventStore, checkout.lines.map(lunchOf)))
  }

/** The lines that an attempt of a user wants to have as orders. */
type MealCheckout = { attemptId: string; userId: number; lines: readonly MealLine[] }

/**
 * The slots' part of a checkout, as of the moment they were read: its changes belong into the checkout's own append. All
 * of it is safe to repeat: what is already so adds nothing, and the ids of new events come from attempt and line.
 */
const checkoutMeals = ({ attemptId, userId, lines }: MealCheckout, slots: LoadedSlots) => {
  const decided = (line: MealLine, command: SlotCommand, idSeed: string) => {
    const loaded = slotAmong(slots, line)
    const events = mealSlot.decide(command, loaded.state)
    const change: StreamChange = { loaded, events, idSeed: `${attemptId}/${idSeed}` }
    return { change, order: orderOfLine(advanced(mealSlot, loaded, events).state, attemptId, line.index) }
  }
  const revisionOf = (line: MealLine) => slotAmong(slots, line).revision

  const order = (line: MealLine, paymentStatus: 'confirmed' | 'pending', now: Date) => {
    const isUnpaid = paymentStatus === 'pending' && moneyOf(line) > 0
    const status = isUnpaid ? ('pending' as const) : ('confirmed' as const)
    const command = { kind: 'order', attemptId, userId, line, paymentStatus: status, now } as const
    const ordered = decided(line, command, `order/${line.index}`)
    if (!ordered.order) throw new Error(`Line ${line.index} of attempt ${attemptId} has no order`)
    return { change: ordered.change, index: line.index, orderId: ordered.order.id }
  }

  return {
    /** The lines whose day belongs to another attempt; while there are any, nothing can be ordered. */
    conflicts: (at: Date): { index: number; code: LineRefusal }[] =>
      lines.flatMap((line) => {
        const { index } = line
        const { state } = slotAmong(slots, line)
        const code = orderOfLine(state, attemptId, index) ? null : slotConflict(state, attemptId, at)
        return code ? [{ index, code }] : []
      }),

    /**
     * Makes lines orders, all of them or those of these indexes. Orders of an alternative checkout have yet to be paid
     * for: `pending`; but for what costs nothing there is nothing to pay.
     */
    order: (paymentStatus: 'confirmed' | 'pending', now: Date, only?: ReadonlySet<number>) => {
      const wanted = lines.filter(({ index }) => only?.has(index) ?? true)
      const ordered = wanted.map((line) => order(line, paymentStatus, now))
      return {
        changes: ordered.map(({ change }) => change),
        orders: ordered.map(({ index, orderId }) => ({ index, orderId })),
      }
    },

    /** Takes back the orders of this attempt, as if they had never been placed. */
    withdraw: (now: Date): StreamChange[] =>
      lines.map(
        (line) => decided(line, { kind: 'withdraw', attemptId, now }, `withdraw/${line.index}`).change,
      ),

    /** Reserves the days for this attempt until then; throws the refusal of a day that belongs to another attempt. */
    reserve: (until: Date, now: Date): StreamChange[] =>
      lines.map((line) => {
        const reserve = {
          kind: 'reserve',
          meal: line,
          attemptId,
          until: until.toISOString(),
          now,
        } as const
        return decided(line, reserve, `reserve/${line.index}/${revisionOf(line)}`).change
      }),

    /** Releases the days that are reserved for this attempt. */
    release: (now: Date): StreamChange[] =>
      lines.map((line) => {
        const release = { kind: 'release', meal: line, attemptId, now } as const
        return decided(line, release, `release/${line.index}/${revisionOf(line)}`).change
      }),

    /** The orders that lines of this attempt have become, whatever happened to them since. */
    orders: () =>
      lines.flatMap((line) => {
        const found = orderOfLine(slotAmong(slots, line).state, attemptId, line.index)
        return found ? [{ index: line.index, orderId: found.id }] : []
      }),
  }
}

/** The slot of this line among those loaded; asking for another is a fault. */
const slotAmong = (slots: LoadedSlots, line: MealLine) => {
  const id = lunchId(lunchOf(line))
  const found = slots.get(id)
  if (!found) throw new Error(`Slot ${id} was not loaded`)
  return found
}
