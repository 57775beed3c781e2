import type { MealLine } from '#kernel/meal-line'
import { evolve, orderOfLine } from '../slot/meal-slot'
import { mealSlot, slotConflict } from '../slot/meal-slot.decide'
import { slotAmong, slotAppend } from '../slot/slots.commands'
import type { LoadedSlots } from '../slot/slots.commands'

/** The lines that an attempt of a user wants to have as orders. */
export type MealCheckout = { attemptId: string; userId: number; lines: readonly MealLine[] }

/** Who appends, on whose behalf, when. */
export type Author = { actor: string; correlationId: string; at: Date }

/**
 * The slots' part of a checkout, as of the moment they were read: whose appends belong into the checkout's own. All of
 * it is safe to repeat: what is already so adds nothing, and the ids of new events come from attempt and line.
 */
export const checkoutMeals = ({ attemptId, userId, lines }: MealCheckout, slots: LoadedSlots) => {
  const orderLine = (line: MealLine, paymentStatus: 'confirmed' | 'pending', author: Author) => {
    const loaded = slotAmong(slots, line.slot)
    const unpaid = paymentStatus === 'pending' && line.price > 0
    const status = unpaid ? ('pending' as const) : ('confirmed' as const)
    const command = { kind: 'order', attemptId, userId, line, paymentStatus: status, now: author.at } as const
    const events = mealSlot.decide(command, loaded.slot)
    const order = orderOfLine(events.reduce(evolve, loaded.slot), attemptId, line.index)
    if (!order) throw new Error(`Line ${line.index} of attempt ${attemptId} has no order`)
    const idSeed = `${attemptId}/order/${line.index}`
    return { append: slotAppend(loaded, events, { ...author, idSeed }), orderId: order.id }
  }

  const withdrawLine = (line: MealLine, author: Author) => {
    const loaded = slotAmong(slots, line.slot)
    const events = mealSlot.decide({ kind: 'withdraw', attemptId, now: author.at }, loaded.slot)
    return slotAppend(loaded, events, { ...author, idSeed: `${attemptId}/withdraw/${line.index}` })
  }

  const reserveLine = (line: MealLine, until: Date, author: Author) => {
    const loaded = slotAmong(slots, line.slot)
    const reserve = { kind: 'reserve', slot: line.slot, attemptId, until: until.toISOString() } as const
    const events = mealSlot.decide({ ...reserve, now: author.at }, loaded.slot)
    return slotAppend(loaded, events, {
      ...author,
      idSeed: `${attemptId}/reserve/${line.index}/${loaded.revision}`,
    })
  }

  const releaseLine = (line: MealLine, author: Author) => {
    const loaded = slotAmong(slots, line.slot)
    const release = { kind: 'release', slot: line.slot, attemptId, now: author.at } as const
    const events = mealSlot.decide(release, loaded.slot)
    return slotAppend(loaded, events, {
      ...author,
      idSeed: `${attemptId}/release/${line.index}/${loaded.revision}`,
    })
  }

  return {
    /** The lines whose day belongs to another attempt; while there are any, nothing can be ordered. */
    conflicts: (at: Date) =>
      lines.flatMap(({ index, slot: key }) => {
        const { slot } = slotAmong(slots, key)
        const code = orderOfLine(slot, attemptId, index) ? null : slotConflict(slot, attemptId, at)
        return code ? [{ index, code }] : []
      }),

    /**
     * Makes the lines orders, all of them or those of these indexes. Orders of an alternative checkout have yet to be
     * paid for: `pending`; but for what costs nothing there is nothing to pay.
     */
    order: (
      paymentStatus: 'confirmed' | 'pending',
      author: Author,
      indexes: ReadonlySet<number> = new Set(lines.map(({ index }) => index)),
    ) => {
      const ordered = lines
        .filter(({ index }) => indexes.has(index))
        .map((line) => ({ index: line.index, ...orderLine(line, paymentStatus, author) }))
      return {
        appends: ordered.flatMap(({ append }) => append),
        orders: ordered.map(({ index, orderId }) => ({ index, orderId })),
      }
    },

    /** Takes back the orders of this attempt, as if they had never been placed. */
    withdraw: (author: Author) => lines.flatMap((line) => withdrawLine(line, author)),

    /** Reserves the days for this attempt until then; throws the refusal of a day that belongs to another. */
    reserve: (until: Date, author: Author) => lines.flatMap((line) => reserveLine(line, until, author)),

    /** Releases the days that are reserved for this attempt. */
    release: (author: Author) => lines.flatMap((line) => releaseLine(line, author)),

    /** The orders that lines of this attempt have become, whatever happened to them since. */
    orders: () =>
      lines.flatMap(({ index, slot: key }) => {
        const order = orderOfLine(slotAmong(slots, key).slot, attemptId, index)
        return order ? [{ index, orderId: order.id }] : []
      }),
  }
}
