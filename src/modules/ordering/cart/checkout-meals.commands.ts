import type { PayBy } from '#contracts/ordering'
import { lunchId, type Lunch } from '#kernel/id'
import { lunchOf, moneyOf, type MealLine } from '#kernel/meal-line'
import {
  advanced,
  loadStreams,
  type LoadedStream,
  type StreamChange,
} from '#platform/event-store/command-handler'
import type { OrderingNeeds } from '../needs'
import type { LoadPortions, PortionBook } from '../portions/portions.commands'
import type { RefusedLine } from '../refusals'
import { orderOfLine, type MealSlot, type SlotEvent } from '../slot/meal-slot'
import { mealSlot, type SlotCommand } from '../slot/meal-slot.decide'
import { slotConflict } from '../slot/reopening.decide'
import { twinSlots } from '../slot/twin-slots.rows'
import type { MenuFacts } from './line-facts'

/** A slot as it was read. `twins`: the same child's on that date under its other numbers (docs/decisions/0031). */
type LoadedSlot = LoadedStream<MealSlot, SlotEvent> & { twins: readonly MealSlot[] }

/** Slots by the id of their lunch; one that was never touched is free. */
type LoadedSlots = ReadonlyMap<string, LoadedSlot>

/** The slots of lines and the portions of their items as they were read, and the items. */
export type LoadedMeals = {
  slots: LoadedSlots
  portions: PortionBook
  items: ReadonlyMap<number, Pick<MenuFacts, 'soldOutDates'>>
}

export const loadSlots = async (needs: OrderingNeeds, lunches: readonly Lunch[]): Promise<LoadedSlots> => {
  const [loaded, twins] = await Promise.all([
    loadStreams(needs.eventStore, mealSlot, lunches),
    twinSlots(needs, lunches),
  ])
  return new Map(
    lunches.map((lunch, index) => {
      const id = lunchId(lunch)
      return [id, { ...loaded[index]!, twins: (twins.get(id) ?? []).map(({ state }) => state) }]
    }),
  )
}

type Asking = [attemptId: string, at: Date]

/** Why this attempt cannot have the day: the child has it already, under whichever number. */
const dayConflict = ({ state, twins }: LoadedSlot, ...asking: Asking) =>
  [state, ...twins].flatMap((slot) => slotConflict(slot, ...asking) ?? [])[0] ?? null

/** The slot that stands in the way of this attempt, or the day's own. */
export const slotAsked = ({ state, twins }: LoadedSlot, ...asking: Asking): MealSlot =>
  twins.find((slot) => slotConflict(slot, ...asking) !== null) ?? state

/** The slots' part of a checkout that was begun before, from the slots as they are now. */
export const mealsOf =
  (needs: OrderingNeeds & { portions: LoadPortions }) => async (checkout: MealCheckout, at: Date) => {
    const { lines } = checkout
    const [slots, items] = await Promise.all([
      loadSlots(needs, lines.map(lunchOf)),
      needs.catalogue.itemsByIds([...new Set(lines.map(({ item }) => item.id))]),
    ])
    const days = lines.map(({ item, mealDate }) => ({ itemId: item.id, date: mealDate }))
    return checkoutMeals(checkout, { slots, items, portions: await needs.portions(days, at, items) })
  }

/** Whether the money for an order is there, and how it is paid for. */
type Paying = { paymentStatus: 'confirmed' | 'pending'; payBy?: PayBy | undefined }
const nothingToPay: Paying = { paymentStatus: 'confirmed' }

/** The lines that an attempt of a user wants to have as orders. */
type MealCheckout = { attemptId: string; userId: number; lines: readonly MealLine[] }

/**
 * The slots' part of a checkout, as of the moment they were read: its changes belong into the checkout's own append. All
 * of it is safe to repeat: what is already so adds nothing, and the ids of new events come from attempt and line.
 */
export const checkoutMeals = (
  { attemptId, userId, lines }: MealCheckout,
  { slots, portions, items }: LoadedMeals,
) => {
  const decided = (line: MealLine, command: SlotCommand, idSeed: string) => {
    const loaded = slotAmong(slots, line)
    const events = mealSlot.decide(command, loaded.state)
    const change: StreamChange = { loaded, events, idSeed: `${attemptId}/${idSeed}` }
    return { change, order: orderOfLine(advanced(mealSlot, loaded, events).state, attemptId, line.index) }
  }
  const revisionOf = (line: MealLine) => slotAmong(slots, line).revision

  const order = (line: MealLine, paying: Paying, now: Date) => {
    const { paymentStatus, payBy } = moneyOf(line) > 0 ? paying : nothingToPay
    const command = { kind: 'order', attemptId, userId, line, paymentStatus, payBy, now } as const
    const ordered = decided(line, command, `order/${line.index}`)
    if (!ordered.order) throw new Error(`Line ${line.index} of attempt ${attemptId} has no order`)
    return { change: ordered.change, index: line.index, orderId: ordered.order.id }
  }

  const hasOrder = (line: MealLine) =>
    orderOfLine(slotAmong(slots, line).state, attemptId, line.index) !== undefined
  const portionOf = ({ item, mealDate, slot }: MealLine) => ({
    itemId: item.id,
    date: mealDate,
    studentId: slot.studentId,
    attemptId,
  })
  const wantedPortions = (wanted: readonly MealLine[], until: string | null) =>
    wanted.map((line) => ({ ...portionOf(line), until }))

  /** Sold out by hand; who holds the day already has bought before that. */
  const isTakenOff = (line: MealLine, at: Date) => {
    const { state } = slotAmong(slots, line)
    const isHeld = state.status === 'reserved' && state.attemptId === attemptId && new Date(state.until) > at
    return !isHeld && (items.get(line.item.id)?.soldOutDates.includes(line.mealDate) ?? false)
  }

  return {
    /**
     * The lines whose day belongs to another attempt or whose item is sold out; while there are any, nothing can be ordered.
     * Only lines whose day is free take a portion, and with `wanting` only those of these indexes.
     */
    conflicts: (at: Date, wanting?: ReadonlySet<number>): RefusedLine[] => {
      const waiting = lines.filter((line) => !hasOrder(line))
      const conflictOf = (line: MealLine) => dayConflict(slotAmong(slots, line), attemptId, at)
      const taking = waiting.filter((line) => !conflictOf(line) && (wanting?.has(line.index) ?? true))
      const soldOut = portions.soldOut(wantedPortions(taking, null), at)
      return waiting.flatMap((line): RefusedLine[] => {
        const { index } = line
        const code = conflictOf(line)
        if (code) return [{ index, code }]
        const place = taking.indexOf(line)
        if (soldOut.has(place)) return [{ index, code: 'sold_out', left: soldOut.get(place) }]
        return isTakenOff(line, at) ? [{ index, code: 'sold_out' }] : []
      })
    },

    /**
     * Makes lines orders, all of them or those of these indexes. Orders of an alternative checkout have yet to be paid
     * for: `pending`; but for what costs nothing there is nothing to pay.
     */
    order: (paying: Paying, now: Date, only?: ReadonlySet<number>) => {
      const wanted = lines.filter(({ index }) => only?.has(index) ?? true)
      const ordered = wanted.map((line) => order(line, paying, now))
      const taken = wantedPortions(
        wanted.filter((line) => !hasOrder(line)),
        null,
      )
      return {
        changes: [...portions.take(taken, now, attemptId), ...ordered.map(({ change }) => change)],
        orders: ordered.map(({ index, orderId }) => ({ index, orderId })),
      }
    },

    /** Takes back the orders of this attempt, as if they had never been placed. */
    withdraw: (now: Date): StreamChange[] => [
      ...lines.map(
        (line) => decided(line, { kind: 'withdraw', attemptId, now }, `withdraw/${line.index}`).change,
      ),
      ...portions.give(lines.map(portionOf), now, attemptId),
    ],

    /** Reserves days and portions for this attempt until then; throws the refusal of one that belongs to another attempt. */
    reserve: (until: Date, now: Date): StreamChange[] => [
      ...portions.take(wantedPortions(lines, until.toISOString()), now, attemptId),
      ...lines.map((line) => {
        const reserve = {
          kind: 'reserve',
          meal: line,
          attemptId,
          until: until.toISOString(),
          now,
        } as const
        return decided(line, reserve, `reserve/${line.index}/${revisionOf(line)}`).change
      }),
    ],

    /** Releases the days and portions that are reserved for this attempt. */
    release: (now: Date): StreamChange[] => [
      ...lines.map((line) => {
        const release = { kind: 'release', meal: line, attemptId, now } as const
        return decided(line, release, `release/${line.index}/${revisionOf(line)}`).change
      }),
      ...portions.give(lines.filter((line) => !hasOrder(line)).map(portionOf), now, attemptId),
    ],

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
