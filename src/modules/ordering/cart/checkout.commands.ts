import { type LineRefusal } from '#contracts/ordering'
import { type MealLine } from '#kernel/meal-line'
import { type StreamChange } from '#platform/event-store/command-handler'
import { evolve, orderOfLine, slotStream } from '../slot/meal-slot'
import { mealSlot, slotConflict, type SlotCommand } from '../slot/meal-slot.decide'
import { slotAmong, type LoadedSlots } from '../slot/slots.commands'

/** The lines that an attempt of a user wants to have as orders. */
export type MealCheckout = { attemptId: string; userId: number; lines: readonly MealLine[] }

/**
 * The slots' part of a checkout, as of the moment they were read: its changes belong into the checkout's own append. All
 * of it is safe to repeat: what is already so adds nothing, and the ids of new events come from attempt and line.
 */
export const checkoutMeals = ({ attemptId, userId, lines }: MealCheckout, slots: LoadedSlots) => {
  const decided = ({ index, slot: key }: MealLine, command: SlotCommand, idSeed: string) => {
    const { slot, revision, position } = slotAmong(slots, key)
    const events = mealSlot.decide(command, slot)
    const change: StreamChange = {
      loaded: { stream: slotStream(key), revision, position },
      events,
      idSeed: `${attemptId}/${idSeed}`,
    }
    return { change, order: orderOfLine(events.reduce(evolve, slot), attemptId, index) }
  }
  const revisionOf = ({ slot }: MealLine) => slotAmong(slots, slot).revision

  const order = (line: MealLine, paymentStatus: 'confirmed' | 'pending', now: Date) => {
    const isUnpaid = paymentStatus === 'pending' && line.price > 0
    const status = isUnpaid ? ('pending' as const) : ('confirmed' as const)
    const command = { kind: 'order', attemptId, userId, line, paymentStatus: status, now } as const
    const ordered = decided(line, command, `order/${line.index}`)
    if (!ordered.order) throw new Error(`Line ${line.index} of attempt ${attemptId} has no order`)
    return { change: ordered.change, index: line.index, orderId: ordered.order.id }
  }

  return {
    /** The lines whose day belongs to somebody else; while there are any, nothing can be ordered. */
    conflicts: (at: Date): { index: number; code: LineRefusal }[] =>
      lines.flatMap(({ index, slot: key }) => {
        const { slot } = slotAmong(slots, key)
        const code = orderOfLine(slot, attemptId, index) ? null : slotConflict(slot, attemptId, at)
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

    /** Takes back the orders this attempt has, as if they had never been. */
    withdraw: (now: Date): StreamChange[] =>
      lines.map(
        (line) => decided(line, { kind: 'withdraw', attemptId, now }, `withdraw/${line.index}`).change,
      ),

    /** Keeps the days for this attempt until then; throws the refusal of a day that is somebody else's. */
    reserve: (until: Date, now: Date): StreamChange[] =>
      lines.map((line) => {
        const reserve = {
          kind: 'reserve',
          slot: line.slot,
          attemptId,
          until: until.toISOString(),
          now,
        } as const
        return decided(line, reserve, `reserve/${line.index}/${revisionOf(line)}`).change
      }),

    /** Gives back the days that are kept for this attempt. */
    release: (now: Date): StreamChange[] =>
      lines.map((line) => {
        const release = { kind: 'release', slot: line.slot, attemptId, now } as const
        return decided(line, release, `release/${line.index}/${revisionOf(line)}`).change
      }),

    /** The orders that lines of this attempt have become, whatever happened to them since. */
    orders: () =>
      lines.flatMap(({ index, slot: key }) => {
        const found = orderOfLine(slotAmong(slots, key).slot, attemptId, index)
        return found ? [{ index, orderId: found.id }] : []
      }),
  }
}
