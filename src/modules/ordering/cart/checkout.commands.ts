import type { LineRefusal } from '#contracts/ordering'
import type { StreamAppend } from '#platform/event-store/event-store'
import type { MealLine } from './meal-line'
import { evolve, orderOfLine } from '../slot/meal-slot'
import { mealSlot, slotConflict } from '../slot/meal-slot.decide'
import { slotAmong, slotAppend } from '../slot/slots.commands'
import type { LoadedSlots } from '../slot/slots.commands'

/** The lines that an attempt of a user wants to have as orders. */
export type MealCheckout = { attemptId: string; userId: number; lines: readonly MealLine[] }

/** Who appends, on whose behalf, when. */
export type Author = { actor: string; correlationId: string; at: Date }

/** The order that a line of the cart became. */
export type LineOrder = { index: number; orderId: string }

/**
 * The slots' part of a checkout, as of the moment they were read: whose appends belong into the checkout's own. All of
 * it is safe to repeat: what is already so adds nothing, and the ids of new events come from attempt and line.
 */
export type CheckoutMeals = {
  /** The lines whose day belongs to somebody else; while there are any, nothing can be ordered. */
  taken: (at: Date) => { index: number; code: LineRefusal }[]
  /**
   * Makes every line an order. Orders of an alternative checkout have yet to be paid for: `pending`; but for what
   * costs nothing there is nothing to pay.
   */
  order: (
    paymentStatus: 'confirmed' | 'pending',
    author: Author,
  ) => { appends: StreamAppend[]; orders: LineOrder[] }
  /** Takes back the orders this attempt has, as if they had never been. */
  withdraw: (author: Author) => StreamAppend[]
  /** Keeps the days for this attempt until then; throws the refusal of a day that is somebody else's. */
  reserve: (until: Date, author: Author) => StreamAppend[]
  /** Gives back the days that are kept for this attempt. */
  release: (author: Author) => StreamAppend[]
  /** The orders that lines of this attempt have become, whatever happened to them since. */
  orders: () => LineOrder[]
  /** The same for some of the lines only. */
  only: (indexes: ReadonlySet<number>) => CheckoutMeals
}

export const checkoutMeals = (checkout: MealCheckout, slots: LoadedSlots): CheckoutMeals => {
  const { attemptId, userId, lines } = checkout

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
    taken: (at) =>
      lines.flatMap(({ index, slot: key }) => {
        const { slot } = slotAmong(slots, key)
        const code = orderOfLine(slot, attemptId, index) ? null : slotConflict(slot, attemptId, at)
        return code ? [{ index, code }] : []
      }),

    order: (paymentStatus, author) => {
      const done = lines.map((line) => ({ index: line.index, ...orderLine(line, paymentStatus, author) }))
      return {
        appends: done.flatMap(({ append }) => append),
        orders: done.map(({ index, orderId }) => ({ index, orderId })),
      }
    },

    withdraw: (author) => lines.flatMap((line) => withdrawLine(line, author)),
    reserve: (until, author) => lines.flatMap((line) => reserveLine(line, until, author)),
    release: (author) => lines.flatMap((line) => releaseLine(line, author)),

    orders: () =>
      lines.flatMap(({ index, slot: key }) => {
        const order = orderOfLine(slotAmong(slots, key).slot, attemptId, index)
        return order ? [{ index, orderId: order.id }] : []
      }),

    only: (indexes) =>
      checkoutMeals({ ...checkout, lines: lines.filter(({ index }) => indexes.has(index)) }, slots),
  }
}
