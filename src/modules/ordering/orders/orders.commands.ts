import type { MealChange, Order } from '#contracts/ordering'
import { parseOrderId, type Lunch } from '#kernel/id'
import { decimalFromNgwee, type Remedy, type Ngwee } from '#kernel/money'
import { Refusal } from '#kernel/refusal'
import type { SchoolDate } from '#kernel/school-time'
import {
  advanced,
  handleCommand,
  loadStream,
  type By,
  type LoadedStream,
  type StreamChange,
} from '#platform/event-store/command-handler'
import type { Position } from '#platform/event-store/event-store'
import type { Ports } from '#platform/ports'
import { portionOfOrder } from '../portions/portions.decide'
import type { OrderNeeds } from '../portions/portions.view'
import type { OrderingNeeds } from '../ports'
import { refusal } from '../refusals'
import { mealDayOf } from '../slot/deadlines.decide'
import { absenceTakenBack } from '../slot/events'
import { isActive, ordersOf, type MealSlot, type SlotEvent, familyMember, orderOf } from '../slot/meal-slot'
import { mealSlot, type RefundStep } from '../slot/meal-slot.decide'
import type { OrderRow } from '../slot/order'
import type { OrderFactsInStream } from '../slot/order-facts'
import type { OrderChange, SkippedOrder } from './order-batch.decide'
import { orderBatchStep, ordersInStreams, payerOf, type ChangedSlot } from './order-payments.commands'
import { underChildNow } from './orders.rows'
import { factsOf, orderReply } from './orders.view'

/** As the family sees them at `at`, in the asked order; unknown ones are left out. `placed` were just placed: not paid, with the names of their cart. */
export const orderReplies =
  (needs: OrderNeeds) =>
  async (asked: { ids: readonly string[] } | { placed: readonly OrderRow[] }, at: Date): Promise<Order[]> => {
    if ('ids' in asked) return repliesTo(needs, await ordersInStreams(needs, asked.ids), at)
    const terms = await needs.shownTerms()
    return asked.placed.map((row) => orderReply(row, at, terms))
  }

/** Under the child's present name. `reader` limits receipts to own payments. */
export const repliesTo = async (
  needs: OrderNeeds,
  orders: readonly OrderRow[],
  at: Date,
  reader?: number,
): Promise<Order[]> => {
  const paid = orders.filter((order) => (reader ?? order.user_id) === order.user_id)
  const [terms, rows, numbers] = await Promise.all([
    needs.shownTerms(),
    underChildNow(needs.identity.childrenNow, orders),
    receiptNumbersOf(needs.receiptNumbers, paid),
  ])
  return rows.map((row) => orderReply(row, at, terms, numbers.get(row.id)))
}

export const receiptNumbersOf = (
  receiptNumbers: OrderingNeeds['receiptNumbers'],
  rows: readonly Pick<OrderRow, 'id' | 'attempt_id' | 'payment_status' | 'pay_by'>[],
): Promise<ReadonlyMap<string, string>> =>
  receiptNumbers(
    rows
      .filter(({ payment_status, pay_by }) => payment_status === 'confirmed' && pay_by !== null)
      .map(({ id, attempt_id: attemptId }) => ({ id, attemptId })),
  )

/** Reads streams, not views: in the asked order, as they were at `until`; unknown ones are left out. */
export const ordersNow =
  ({ eventStore }: Pick<Ports, 'eventStore'>) =>
  async (orderIds: readonly string[], until?: string): Promise<OrderFactsInStream[]> => {
    const read: typeof mealSlot.read = (stored) => {
      const event = mealSlot.read(stored)
      return event && (until === undefined || event.data.at <= until) ? event : null
    }
    const orders = await ordersInStreams({ eventStore }, orderIds, { ...mealSlot, read })
    return orders.map((order) => ({
      ...factsOf(order),
      paidBy: order.paidBy,
      paidLater: order.paidLater,
      changes: new Set(order.meals.keys()),
    }))
  }

/** What may be done to orders by another module. */
export type OrderAct =
  | 'cancelled'
  | 'lapsed'
  | 'portion-lapsed'
  | { kind: 'close'; closureId: string; remedy: Remedy }
  | { kind: 'restore'; closureId: string }

/** `closureId`: the closure that keeps it cancelled. `refused` says why it could not be changed. */
export type ChangedOrder = {
  id: string
  isActive: boolean
  isPaid: boolean
  closureId: string | null
  isChanged: boolean
  refused: { code: string; message: string } | null
}

const batchSize = 100

/** `changedFromPending` are the ids of orders that were pending. */
export type ChangeResult = { updated: number; skipped: SkippedOrder[]; changedFromPending: string[] }

export const orderCommands = (needs: OrderNeeds) => {
  const { eventStore, now } = needs
  const member = async (userId: number, { studentId }: Lunch) =>
    familyMember(userId, (await needs.identity.guardiansOf([studentId])).get(studentId))

  const cancelOwn = async (orderId: string, userId: number, by: By): Promise<Order> => {
    const lunch = lunchOfOrder(orderId)
    const { order } = await handleCommand(needs, by, async (at) => {
      const loaded = await loadStream(eventStore, mealSlot, lunch)
      const day = mealDayOf(dateOf(loaded, orderId), await needs.familyTerms())
      const by = { role: 'parent', ...(await member(userId, lunch)), day } as const
      const events = mealSlot.decide({ kind: 'cancel', orderId, by, now: at }, loaded.state)
      const order = orderAfter(loaded, events, orderId)
      // Of one cancelled earlier too: a previous try may have died before it released its portion.
      const given = [portionOfOrder(order)]
      const portions = await needs.portions(given, at)
      return { changes: [{ loaded, events }, ...portions.give(given, at)], order }
    })
    return (await repliesTo(needs, [order], now(), userId))[0]!
  }

  const setAbsence = async (orderId: string, absent: boolean, userId: number, by: By): Promise<Order> => {
    const lunch = lunchOfOrder(orderId)
    const { order } = await handleCommand(needs, by, async (at) => {
      const loaded = await loadStream(eventStore, mealSlot, lunch)
      const day = mealDayOf(dateOf(loaded, orderId), await needs.familyTerms())
      const who = await member(userId, lunch)
      const act = { kind: 'absence', orderId, ...who, absent, day, now: at } as const
      const events = mealSlot.decide(act, loaded.state)
      const { changes, spent } = await needs.credit.reclaimAbsence(eatenAfterAll([{ loaded, events }]), at)
      for (const amount of spent.values()) throw creditSpent(amount)
      return { changes: [...changes, { loaded, events }], order: orderAfter(loaded, events, orderId) }
    })
    return (await repliesTo(needs, [order], now(), userId))[0]!
  }

  /** Append it with the refund: an order whose money goes back cannot reopen. Throws when it is not cancelled. */
  const refundStep = async (orderId: string, step: RefundStep, at: Date): Promise<StreamChange> => {
    const loaded = await loadStream(eventStore, mealSlot, lunchOfOrder(orderId))
    return { loaded, events: mealSlot.decide({ kind: step, orderId, now: at }, loaded.state) }
  }

  const step = orderBatchStep(needs)
  const changeBatch = (orderIds: readonly string[], change: OrderChange, by: By) =>
    handleCommand(needs, by, (at) => step(orderIds, change, at))

  const ordersNow = (orderIds: readonly string[]): Promise<OrderRow[]> =>
    ordersInStreams(needs, [...new Set(orderIds)])

  const changeInBatches = async (orderIds: readonly string[], change: OrderChange, by: By) => {
    const wanted = [...new Set(orderIds)]
    const batches = []
    for (let from = 0; from < wanted.length; from += batchSize)
      batches.push(await changeBatch(wanted.slice(from, from + batchSize), change, by))
    const changed = batches.flatMap((batch) => batch.changed)
    const skipped = batches.flatMap((batch) => batch.skipped)
    const position =
      batches
        .flatMap((batch) => batch.position ?? [])
        .toSorted()
        .at(-1) ?? null
    return { wanted, changed, skipped, position }
  }

  const changeOrders = async (
    orderIds: readonly string[],
    change: OrderChange,
    by: By,
  ): Promise<ChangeResult> => {
    const { wanted, changed, skipped } = await changeInBatches(orderIds, change, by)
    const changedFromPending = changed.flatMap((slot) => pendingBefore(slot, orderIds))
    return { updated: wanted.length - skipped.length, skipped, changedFromPending }
  }

  /** One append per 100 orders. Does not wait for the views: `position` is for them, null for no change. */
  const change = async (
    orderIds: readonly string[],
    act: OrderAct,
    by: By,
  ): Promise<{ orders: ChangedOrder[]; position: Position | null }> => {
    const { changed, skipped, position } = await changeInBatches(orderIds, await changeOf(act), by)
    const refused = new Map(skipped.map(({ id, ...why }) => [id, why]))
    const orders = changed.flatMap(({ loaded, events }) =>
      ordersOf(advanced(mealSlot, loaded, events).state)
        .filter(({ id }) => orderIds.includes(id))
        .map((order) => ({
          id: order.id,
          isActive: isActive(order),
          isPaid: order.payment_status === 'confirmed',
          closureId: order.status === 'cancelled' ? order.closure_id : null,
          isChanged: events.length > 0,
          refused: refused.get(order.id) ?? null,
        })),
    )
    return { orders, position }
  }

  const changeOf = async (act: OrderAct): Promise<OrderChange> => {
    if (typeof act === 'string' || act.kind === 'close') return act
    const terms = await needs.familyTerms()
    return { ...act, cutoffOf: (date: SchoolDate) => mealDayOf(date, terms).cutoffAt }
  }

  return {
    cancelOwn,
    setAbsence,
    refundStep,
    changeOrders,
    change,
    ordersNow,
  }
}

export const eatenAfterAll = (changed: readonly ChangedSlot[]) =>
  changed.flatMap(({ loaded, events }) => {
    const ids = events.flatMap((event) => (event.type === absenceTakenBack.type ? [event.data.orderId] : []))
    return ids.flatMap((id) => loaded.state.orders.get(id) ?? []).map(payerOf)
  })

export const creditSpent = (amount: Ngwee) =>
  new Refusal('credit_spent', `K${decimalFromNgwee(amount)} of it has been spent.`)

const pendingBefore = ({ loaded, events }: ChangedSlot, orderIds: readonly string[]): string[] =>
  events.length === 0
    ? []
    : ordersOf(loaded.state)
        .filter(({ id, status }) => status === 'pending' && orderIds.includes(id))
        .map(({ id }) => id)

/** Another meal for an order, asked for by one of its family. */
export type OwnChange = {
  orderId: string
  userId: number
  body: MealChange
  idempotencyKey: string | null
  by: By
}

/** Another day for an order; `userId` asks as one of its family, or as the office. */
export type OwnMove = Omit<OwnChange, 'body'> & { isOffice: boolean; date: SchoolDate }

const dateOf = ({ state }: LoadedStream<MealSlot, SlotEvent>, orderId: string): SchoolDate =>
  orderOf(state, orderId).meal_date

/** As it is once these events are stored. */
export const orderAfter = (
  loaded: LoadedStream<MealSlot, SlotEvent>,
  events: readonly SlotEvent[],
  orderId: string,
): OrderRow => orderOf(advanced(mealSlot, loaded, events).state, orderId)

const lunchOfOrder = (orderId: string) => {
  const parsed = parseOrderId(orderId)
  if (!parsed) throw refusal('order_not_found')
  return parsed.lunch
}
