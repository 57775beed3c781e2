import type { Knex } from 'knex'
import { v7 } from 'uuid'
import type { SentMark } from '#contracts/serving'
import { lunchId, parseOrderId } from '#kernel/id'
import { Refusal } from '#kernel/refusal'
import { instantAt, type SchoolDate } from '#kernel/school-time'
import {
  advanced,
  handleCommand,
  loadStreams,
  type By,
  type LoadedStream,
} from '#platform/event-store/command-handler'
import { payerOf, releasedPortions, type ChangedSlot } from '../orders/order-payments.commands'
import { eatenAfterAll } from '../orders/orders.commands'
import { maxLunches, ordersBehind } from '../orders/orders.rows'
import { portionOfOrder } from '../portions/portions.decide'
import type { OrderNeeds } from '../portions/portions.view'
import { refusal } from '../refusals'
import { orderCancelled, orderReopened } from '../slot/events'
import { markUndone, type MarkAnswer } from '../slot/lunch-marks'
import { answerToMark } from '../slot/mark-lunch.decide'
import { dayOfOrder, ordersOf, type MealSlot, type SlotEvent } from '../slot/meal-slot'
import { mealSlot } from '../slot/meal-slot.decide'
import { isListed } from '../slot/order'
import { dayConflict, loadSlots } from '../slot/twin-slots.commands'

type AnsweredMark = { markId: string; code: string | null } & (
  | MarkAnswer
  | { result: 'refused'; other: null }
)

/** `shownAs`: the id that the hatch knows its order by. */
type ToldMark = SentMark & { shownAs: string }

type ByUser = By & { userId: number; session: string | null }

const batchSize = 100
const latestInstant = Date.parse('9999-12-31T23:59:59.999Z')

/** What the devices of the hatch and the office tell of lunches. */
export const servingCommands = (needs: OrderNeeds) => {
  const { eventStore, now, zone, database } = needs
  const keepBatch = (marks: readonly ToldMark[], by: ByUser) =>
    handleCommand({ eventStore, now }, by, async (at) => {
      const lunches = marks.flatMap(({ orderId }) => parseOrderId(orderId)?.lunch ?? [])
      const each = new Map(lunches.map((lunch) => [mealSlot.streamOf(lunch), lunch]))
      const loaded = await loadStreams(eventStore, mealSlot, [...each.values()])
      const asked = keptIn(loaded, marks, by, at)
      const accounts = needs.credit.accounts()
      const { reclaimed, kept } = await reclaim(needs, accounts, asked.changes, at)
      const { results, changes } = kept.size === 0 ? asked : keptIn(loaded, marks, by, at, kept)
      // Spent credit stays given with the meal; the family's page shows it to the office.
      const absences = await needs.credit.reclaimAbsence(eatenAfterAll(changes), at, accounts)
      const portions = await portionsOf(needs, changes, at)
      return { changes: [...reclaimed, ...absences.changes, ...portions, ...changes], results }
    })

  /** `kept`: orders whose money the family keeps. */
  const keptIn = (
    loaded: readonly Slot[],
    marks: readonly ToldMark[],
    by: ByUser,
    at: Date,
    kept: ReadonlySet<string> = new Set(),
  ) => {
    const slots = new Map(loaded.map((slot) => [slot.stream, { before: slot, now: slot }]))
    const results = marks.map((mark) => keep(mark, by, slots, at, kept))
    const changes = [...slots.values()].map(({ before, now: after }) => ({
      loaded: before,
      events: after.events.slice(before.events.length),
    }))
    return { results, changes }
  }

  const keep = (
    mark: ToldMark,
    { userId: by, session }: ByUser,
    slots: Slots,
    at: Date,
    kept: ReadonlySet<string>,
  ): AnsweredMark => {
    const { markId, orderId } = mark
    try {
      const lunch = parseOrderId(orderId)?.lunch
      if (!lunch) throw refusal('order_not_found')
      const slot = slots.get(mealSlot.streamOf(lunch))!
      const told = {
        ...mark,
        by,
        session,
        deviceAt: deviceInstant(mark.at),
        note: mark.note || null,
        undoes: mark.undoes ?? null,
      }
      const date = slot.now.state.orders.get(orderId)?.meal_date ?? lunch.date
      const dayStartsAt = instantAt(date, 0, 0, zone)
      const moneyStays = kept.has(orderId)
      const command = { kind: 'mark', mark: told, dayStartsAt, moneyStays, now: at } as const
      const events = mealSlot.decide(command, slot.now.state)
      slot.now = advanced(mealSlot, slot.now, events)
      return { markId, ...answerToMark(slot.now.state, told), code: null }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { markId, result: 'refused', code: error.code, other: null }
    }
  }

  /** Stores each mark once: a stored one repeats its first answer, a refused one is judged again. */
  const keepMarks = async (marks: readonly SentMark[], by: ByUser): Promise<AnsweredMark[]> => {
    const results: AnsweredMark[] = []
    const { idOf } = await ordersBehind(
      database.pool,
      marks.map(({ orderId }) => orderId),
    )
    const told = marks.map((mark) => ({ ...mark, orderId: idOf(mark.orderId), shownAs: mark.orderId }))
    for (let from = 0; from < told.length; from += batchSize) {
      const batch = await keepBatch(told.slice(from, from + batchSize), by)
      results.push(...batch.results)
    }
    return results
  }

  /** Of the lunches of a date; answers how many stood. */
  const takeBack = async (
    { date, of }: { date: SchoolDate; of: number },
    { userId, ...by }: Omit<ByUser, 'session'>,
  ): Promise<number> => {
    const orderIds = await markedOn(database.knex, date)
    let takenBack = 0
    for (let from = 0; from < orderIds.length; from += batchSize) {
      const batch = orderIds.slice(from, from + batchSize).map((orderId) => parseOrderId(orderId)!.lunch)
      const lunches = new Map(batch.map((lunch) => [mealSlot.streamOf(lunch), lunch]))
      const { changes } = await handleCommand({ eventStore, now }, by, async (at) => {
        const slots = await loadStreams(eventStore, mealSlot, [...lunches.values()])
        const marked = slots.map((slot) => takenBackIn(slot, date, { of, by: userId, now: at }))
        return { changes: [...marked, ...(await portionsOf(needs, marked, at))] }
      })
      takenBack += changes.flatMap(({ events }) =>
        events.filter(({ type }) => type === markUndone.type),
      ).length
    }
    return takenBack
  }

  return { keepMarks, takeBack }
}

type Slot = LoadedStream<MealSlot, SlotEvent>
/** By stream: as read, and after the marks so far. */
type Slots = ReadonlyMap<string, { before: Slot; now: Slot }>

const standingAgain = (changes: readonly ChangedSlot[]) =>
  changes.flatMap(({ loaded, events }) => {
    const ids = events.flatMap(({ type, data }) => (type === orderReopened.type ? [data.orderId] : []))
    return ordersOf(loaded.state).filter(({ id, status }) => status === 'cancelled' && ids.includes(id))
  })

/** Credit of cancelled orders that were given after all. `kept`: spent, or the child has another lunch under another number. */
const reclaim = async (
  needs: OrderNeeds,
  accounts: ReturnType<OrderNeeds['credit']['accounts']>,
  changes: readonly ChangedSlot[],
  at: Date,
) => {
  const orders = standingAgain(changes)
  const days = await loadSlots(needs, orders.map(dayOfOrder))
  const taken = orders.filter((order) => dayConflict(days.get(lunchId(dayOfOrder(order)))!, '', at) !== null)
  const { changes: reclaimed, spent } = await accounts.reclaim(
    orders.filter((order) => !taken.includes(order)).map(payerOf),
    at,
  )
  return { reclaimed, kept: new Set([...spent, ...taken.map(({ id }) => id)]) }
}

/** Of limited dishes, whatever their limit: the lunch is eaten. */
const portionsOf = async ({ portions }: OrderNeeds, changes: readonly ChangedSlot[], at: Date) => {
  const taken = standingAgain(changes).map(portionOfOrder)
  const cancelled = changes.flatMap(({ events }) =>
    events.flatMap(({ type, data }) => (type === orderCancelled.type ? [data.orderId] : [])),
  )
  const given = releasedPortions(changes, cancelled)
  const book = await portions([...taken, ...given], at)
  const wanted = taken.map((portion) => ({ ...portion, until: null, anyway: true }))
  return [...book.take(wanted, at), ...book.give(given, at)]
}

const takenBackIn = (loaded: Slot, date: SchoolDate, told: { of: number; by: number; now: Date }) => ({
  loaded,
  events: ordersOf(loaded.state)
    .filter((order) => isListed(order) && order.meal_date === date)
    .flatMap(({ id: orderId }) =>
      mealSlot.decide({ kind: 'take-marks-back', orderId, markIds: [v7(), v7()], ...told }, loaded.state),
    ),
})

/** At most 10,000. */
const markedOn = (knex: Knex, date: SchoolDate): Promise<string[]> =>
  knex('ordering.lunch_marks').where({ date }).orderBy('order_id').limit(maxLunches).pluck('order_id')

/** Clamped to years the log can store. */
const deviceInstant = (at: string): string =>
  new Date(Math.min(Math.max(Date.parse(at), 0), latestInstant)).toISOString()
