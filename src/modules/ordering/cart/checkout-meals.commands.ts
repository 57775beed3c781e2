import type { PayBy } from '#contracts/ordering'
import { lunchId, type Lunch } from '#kernel/id'
import { lunchOf, moneyOf, type MealLine } from '#kernel/meal-line'
import type { Ngwee } from '#kernel/money'
import {
  advanced,
  loadStreams,
  type LoadedStream,
  type StreamChange,
} from '#platform/event-store/command-handler'
import type { LoadPortions, PortionBook } from '../portions/portions.view'
import type { OrderingNeeds } from '../ports'
import type { RefusedLine } from '../refusals'
import { orderOfLine, type MealSlot, type SlotEvent, slotConflict } from '../slot/meal-slot'
import { mealSlot, type SlotCommand } from '../slot/meal-slot.decide'
import { isListed, type OrderRow } from '../slot/order'
import { twinSlots, type OtherIds } from '../slot/twin-slots.commands'
import type { MenuFacts } from './line-policies.decide'

/** `twins`: the same child's slots under merged numbers (docs/decisions/0031). */
type LoadedSlot = LoadedStream<MealSlot, SlotEvent> & { twins: readonly MealSlot[] }

type LoadedSlots = ReadonlyMap<string, LoadedSlot>

export type LoadedMeals = {
  slots: LoadedSlots
  portions: PortionBook
  items: ReadonlyMap<number, Pick<MenuFacts, 'soldOutDates'>>
}

/** `otherIds` are asked for unless given. */
export const loadSlots = async (
  needs: OrderingNeeds,
  lunches: readonly Lunch[],
  otherIds?: OtherIds,
): Promise<LoadedSlots> => {
  const [loaded, twins] = await Promise.all([
    loadStreams(needs.eventStore, mealSlot, lunches),
    twinSlots(needs, lunches, otherIds),
  ])
  return new Map(
    lunches.map((lunch, index) => {
      const id = lunchId(lunch)
      return [id, { ...loaded[index]!, twins: (twins.get(id) ?? []).map(({ state }) => state) }]
    }),
  )
}

type Asking = [attemptId: string, at: Date]

/** The child has the day under any of its numbers. */
const dayConflict = ({ state, twins }: LoadedSlot, ...asking: Asking) =>
  [state, ...twins].flatMap((slot) => slotConflict(slot, ...asking) ?? [])[0] ?? null

export const slotFor = ({ state, twins }: LoadedSlot, ...asking: Asking): MealSlot =>
  twins.find((slot) => slotConflict(slot, ...asking) !== null) ?? state

type CartChildren = Awaited<ReturnType<OrderingNeeds['identity']['cartChildrenOf']>>

export const otherIdsOf = (children: CartChildren): OtherIds =>
  new Map(children.map(({ student, otherIds }) => [student.id, otherIds]))

/** What several questions about one checkout share. */
export type FulfilmentReads = {
  items: ReturnType<OrderingNeeds['catalogue']['itemsByIds']>
  children: Promise<CartChildren>
}

export const mealsOf =
  (needs: OrderingNeeds & { portions: LoadPortions }) =>
  async (checkout: MealCheckout, at: Date, reads: Partial<FulfilmentReads> = {}): Promise<CheckoutMeals> => {
    const { lines } = checkout
    const otherIds = reads.children && otherIdsOf(await reads.children)
    // A child that left the family since is not among them.
    const areAllKnown = lines.every(({ slot }) => otherIds?.has(slot.studentId))
    const [slots, items] = await Promise.all([
      loadSlots(needs, lines.map(lunchOf), areAllKnown ? otherIds : undefined),
      reads.items ?? needs.catalogue.itemsByIds([...new Set(lines.map(({ item }) => item.id))]),
    ])
    const days = lines.map(({ item, mealDate }) => ({ itemId: item.id, date: mealDate }))
    return checkoutMeals(checkout, { slots, items, portions: await needs.portions(days, at, items) })
  }

type Paying =
  | { paymentStatus: 'confirmed'; payBy?: PayBy | undefined; receivedFor?: (index: number) => Ngwee }
  /** `graceMinutes` after the cutoff an unpaid order lapses. */
  | { paymentStatus: 'pending'; payBy: PayBy; graceMinutes: number }
const nothingToPay: Paying = { paymentStatus: 'confirmed' }

type MealCheckout = { attemptId: string; userId: number; lines: readonly MealLine[] }

type Which = { only?: ReadonlySet<number>; byOffice?: boolean }

type OrderOfLine = { index: number; orderId: string }

/** Until when a payment under way keeps the days, and the portions of limited dishes. */
export type Hold = { until: Date; portionsUntil: Date }

export type CheckoutOrders = { changes: StreamChange[]; orders: OrderOfLine[]; placed: OrderRow[] }

/** Slot changes of a checkout, for its own append. Event ids come from attempt and line, so it is repeatable. */
export type CheckoutMeals = {
  conflicts: (at: Date, wanting?: ReadonlySet<number>) => RefusedLine[]
  /** Turns all or these lines into orders; `pending` until an alternative payment is confirmed, unless free. */
  order: (paying: Paying, now: Date, which?: Which) => CheckoutOrders
  /** The orders count as never placed. */
  withdraw: (now: Date) => StreamChange[]
  /** Throws the refusal when another attempt holds one. */
  reserve: (hold: Hold, now: Date) => StreamChange[]
  release: (now: Date) => StreamChange[]
  orders: () => OrderOfLine[]
}

export const checkoutMeals = (
  { attemptId, userId, lines }: MealCheckout,
  { slots, portions, items }: LoadedMeals,
): CheckoutMeals => {
  const decided = (line: MealLine, command: SlotCommand, idSeed: string) => {
    const loaded = slotAmong(slots, line)
    const events = mealSlot.decide(command, loaded.state)
    const change: StreamChange = { loaded, events, idSeed: `${attemptId}/${idSeed}` }
    const { state } = advanced(mealSlot, loaded, events)
    return { change, order: orderOfLine(state, attemptId, line.index) }
  }
  const revisionOf = (line: MealLine) => slotAmong(slots, line).revision

  const order = (line: MealLine, paying: Paying, now: Date, byOffice: boolean) => {
    const terms = moneyOf(line) > 0 ? paying : nothingToPay
    const received = 'receivedFor' in terms ? terms.receivedFor?.(line.index) : undefined
    const command = { kind: 'order', attemptId, userId, line, ...terms, received, byOffice, now } as const
    const { change, order } = decided(line, command, `order/${line.index}`)
    if (!order || !isListed(order)) throw new Error(`Line ${line.index} of attempt ${attemptId} has no order`)
    return { change, index: line.index, orderId: order.id, row: order }
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

  /** Dates sold out by hand; a holder of the day bought earlier. */
  const isTakenOff = (line: MealLine, at: Date) => {
    const { reservation } = slotAmong(slots, line).state
    const isHeld = reservation?.attemptId === attemptId && new Date(reservation.until) > at
    return !isHeld && (items.get(line.item.id)?.soldOutDates.includes(line.mealDate) ?? false)
  }

  return {
    conflicts: (at, wanting) => {
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

    order: (paying, now, { only, byOffice = false } = {}) => {
      const wanted = lines.filter(({ index }) => only?.has(index) ?? true)
      const ordered = wanted.map((line) => order(line, paying, now, byOffice))
      const taken = wantedPortions(
        wanted.filter((line) => !hasOrder(line)),
        null,
      )
      return {
        changes: [...portions.take(taken, now, attemptId), ...ordered.map(({ change }) => change)],
        orders: ordered.map(({ index, orderId }) => ({ index, orderId })),
        placed: ordered.map(({ row }) => row),
      }
    },

    withdraw: (now) => [
      ...lines.map(
        (line) => decided(line, { kind: 'withdraw', attemptId, now }, `withdraw/${line.index}`).change,
      ),
      ...portions.give(lines.map(portionOf), now, attemptId),
    ],

    reserve: ({ until, portionsUntil }, now) => [
      ...portions.take(
        wantedPortions(lines, portionsUntil.toISOString()).map((wanted) => ({ ...wanted, userId })),
        now,
        attemptId,
      ),
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

    release: (now) => [
      ...lines.map((line) => {
        const release = { kind: 'release', meal: line, attemptId, now } as const
        return decided(line, release, `release/${line.index}/${revisionOf(line)}`).change
      }),
      ...portions.give(lines.filter((line) => !hasOrder(line)).map(portionOf), now, attemptId),
    ],

    orders: () =>
      lines.flatMap((line) => {
        const found = orderOfLine(slotAmong(slots, line).state, attemptId, line.index)
        return found ? [{ index: line.index, orderId: found.id }] : []
      }),
  }
}

/** Throws a fault for a slot not loaded. */
const slotAmong = (slots: LoadedSlots, line: MealLine) => {
  const id = lunchId(lunchOf(line))
  const found = slots.get(id)
  if (!found) throw new Error(`Slot ${id} was not loaded`)
  return found
}
