import type { PayBy } from '#contracts/ordering'
import { lunchId } from '#kernel/id'
import { lunchOf, moneyOf, type MealLine } from '#kernel/meal-line'
import type { Ngwee } from '#kernel/money'
import { advanced, type StreamChange } from '#platform/event-store/command-handler'
import type { OrderNeeds, PortionBook } from '../portions/portions.view'
import type { OrderingNeeds } from '../ports'
import type { RefusedLine } from '../refusals'
import { orderOfLine } from '../slot/meal-slot'
import { mealSlot, type SlotCommand } from '../slot/meal-slot.decide'
import { isListed, type OrderRow } from '../slot/order'
import { dayConflict, loadSlots, type DaySlots, type OtherIds } from '../slot/twin-slots.commands'
import type { MenuFacts } from './line-policies.decide'

export type LoadedMeals = {
  slots: DaySlots
  portions: PortionBook
  items: ReadonlyMap<number, Pick<MenuFacts, 'soldOutDates'>>
}

type MealCheckout = { attemptId: string; userId: number; lines: readonly MealLine[] }

/** The lines of a checkout, with their days and portions as read. Changes made of it repeat: their ids come from attempt and line. */
export type Meals = MealCheckout & LoadedMeals

type CartChildren = Awaited<ReturnType<OrderingNeeds['identity']['cartChildrenOf']>>

export const otherIdsOf = (children: CartChildren): OtherIds =>
  new Map(children.map(({ student, otherIds }) => [student.id, otherIds]))

/** What several questions about one checkout share. */
export type FulfilmentReads = {
  items: ReturnType<OrderingNeeds['catalogue']['itemsByIds']>
  children: Promise<CartChildren>
}

export const mealsOf =
  (needs: OrderNeeds) =>
  async (checkout: MealCheckout, at: Date, reads: Partial<FulfilmentReads> = {}): Promise<Meals> => {
    const { lines } = checkout
    const otherIds = reads.children && otherIdsOf(await reads.children)
    // A child that left the family since is not among them.
    const areAllKnown = lines.every(({ slot }) => otherIds?.has(slot.studentId))
    const [slots, items] = await Promise.all([
      loadSlots(needs, lines.map(lunchOf), areAllKnown ? otherIds : undefined),
      reads.items ?? needs.catalogue.itemsByIds([...new Set(lines.map(({ item }) => item.id))]),
    ])
    const days = lines.map(({ item, mealDate }) => ({ itemId: item.id, date: mealDate }))
    return { ...checkout, slots, items, portions: await needs.portions(days, at, items) }
  }

type Paying =
  | { paymentStatus: 'confirmed'; payBy?: PayBy | undefined; receivedFor?: (index: number) => Ngwee }
  /** `graceMinutes` after the cutoff an unpaid order lapses. */
  | { paymentStatus: 'pending'; payBy: PayBy; graceMinutes: number }

const nothingToPay: Paying = { paymentStatus: 'confirmed' }

type OrderOfLine = { index: number; orderId: string }

/** Until when a payment under way keeps the days, and the portions of limited dishes. */
export type Hold = { until: Date; portionsUntil: Date }

export type OrderedMeals = { changes: StreamChange[]; orders: OrderOfLine[]; placed: OrderRow[] }

/** What another took meanwhile, of lines without an order; only lines of `wanting` take a portion. */
export const takenMeals = (meals: Meals, at: Date, wanting?: ReadonlySet<number>): RefusedLine[] => {
  const { attemptId, slots, portions } = meals
  const waiting = unordered(meals)
  const conflictOf = (line: MealLine) => dayConflict(slotAmong(slots, line), attemptId, at)
  const taking = waiting.filter((line) => !conflictOf(line) && (wanting?.has(line.index) ?? true))
  const soldOut = portions.soldOut(portionsOf(meals, taking), at)
  return waiting.flatMap((line): RefusedLine[] => {
    const { index } = line
    const code = conflictOf(line)
    if (code) return [{ index, code }]
    const place = taking.indexOf(line)
    if (soldOut.has(place)) return [{ index, code: 'sold_out', left: soldOut.get(place) }]
    return isTakenOff(meals, line, at) ? [{ index, code: 'sold_out' }] : []
  })
}

/** Turns all or these lines into orders; `pending` until an alternative payment is confirmed, unless free. */
export const orderMeals = (
  meals: Meals,
  paying: Paying,
  now: Date,
  { only, ...by }: { only?: ReadonlySet<number>; byOffice?: boolean; byPlan?: boolean } = {},
): OrderedMeals => {
  const { attemptId, userId, lines, portions } = meals
  const ordered = lines
    .filter(({ index }) => only?.has(index) ?? true)
    .map((line) => {
      const terms = moneyOf(line) > 0 ? paying : nothingToPay
      const received = 'receivedFor' in terms ? terms.receivedFor?.(line.index) : undefined
      const command = { kind: 'order', attemptId, userId, line, ...terms, received, ...by, now } as const
      const { change, order } = slotStep(meals, line, command, `order/${line.index}`)
      if (!order || !isListed(order))
        throw new Error(`Line ${line.index} of attempt ${attemptId} has no order`)
      return { line, change, order }
    })
  const taking = unordered(meals).filter(({ index }) => only?.has(index) ?? true)
  return {
    changes: [
      ...portions.take(portionsOf(meals, taking), now, attemptId),
      ...ordered.map(({ change }) => change),
    ],
    orders: ordered.map(({ line: { index }, order }) => ({ index, orderId: order.id })),
    placed: ordered.map(({ order }) => order),
  }
}

/** The orders count as never placed. */
export const withdrawMeals = (meals: Meals, now: Date): StreamChange[] => {
  const { attemptId, lines, portions } = meals
  const withdraw = { kind: 'withdraw', attemptId, now } as const
  return [
    ...lines.map((line) => slotStep(meals, line, withdraw, `withdraw/${line.index}`).change),
    ...portions.give(portionsOf(meals, lines), now, attemptId),
  ]
}

/** Keeps days and portions for a payment. Throws the refusal when another attempt holds one. */
export const holdMeals = (meals: Meals, { until, portionsUntil }: Hold, now: Date): StreamChange[] => {
  const { attemptId, userId, lines, portions } = meals
  const wanted = portionsOf(meals, lines, portionsUntil.toISOString()).map((one) => ({ ...one, userId }))
  const reserve = { kind: 'reserve', attemptId, until: until.toISOString(), now } as const
  return [
    ...portions.take(wanted, now, attemptId),
    ...lines.map((line) => {
      const seed = `reserve/${line.index}/${slotAmong(meals.slots, line).revision}`
      return slotStep(meals, line, { ...reserve, meal: line }, seed).change
    }),
  ]
}

export const releaseMeals = (meals: Meals, now: Date): StreamChange[] => {
  const { attemptId, lines, portions } = meals
  const release = { kind: 'release', attemptId, now } as const
  return [
    ...lines.map((line) => {
      const seed = `release/${line.index}/${slotAmong(meals.slots, line).revision}`
      return slotStep(meals, line, { ...release, meal: line }, seed).change
    }),
    ...portions.give(portionsOf(meals, unordered(meals)), now, attemptId),
  ]
}

export const ordersOfMeals = (meals: Meals): OrderOfLine[] =>
  meals.lines.flatMap((line) => {
    const found = orderOf(meals, line)
    return found ? [{ index: line.index, orderId: found.id }] : []
  })

const orderOf = ({ attemptId, slots }: Meals, line: MealLine) =>
  orderOfLine(slotAmong(slots, line).state, attemptId, line.index)

const unordered = (meals: Meals) => meals.lines.filter((line) => orderOf(meals, line) === undefined)

const slotStep = ({ attemptId, slots }: Meals, line: MealLine, command: SlotCommand, idSeed: string) => {
  const loaded = slotAmong(slots, line)
  const events = mealSlot.decide(command, loaded.state)
  const change: StreamChange = { loaded, events, idSeed: `${attemptId}/${idSeed}` }
  return { change, order: orderOfLine(advanced(mealSlot, loaded, events).state, attemptId, line.index) }
}

const portionsOf = (
  { attemptId }: Pick<Meals, 'attemptId'>,
  lines: readonly MealLine[],
  until: string | null = null,
) =>
  lines.map(({ item, mealDate, slot: { studentId } }) => {
    return { itemId: item.id, date: mealDate, studentId, attemptId, until }
  })

/** Dates sold out by hand; a holder of the day bought earlier. */
const isTakenOff = ({ attemptId, slots, items }: Meals, line: MealLine, at: Date) => {
  const { reservation } = slotAmong(slots, line).state
  const isHeld = reservation?.attemptId === attemptId && new Date(reservation.until) > at
  return !isHeld && (items.get(line.item.id)?.soldOutDates.includes(line.mealDate) ?? false)
}

/** Throws a fault for a slot not loaded. */
const slotAmong = (slots: DaySlots, line: MealLine) => {
  const id = lunchId(lunchOf(line))
  const found = slots.get(id)
  if (!found) throw new Error(`Slot ${id} was not loaded`)
  return found
}
