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
import type { LoadPortions } from '../portions/portions.view'
import type { OrderingNeeds } from '../ports'
import { refusal } from '../refusals'
import { absenceTakenBack } from '../slot/events'
import { isActive, ordersOf, type MealSlot, type SlotEvent, familyMember, orderOf } from '../slot/meal-slot'
import { mealSlot, type RefundStep } from '../slot/meal-slot.decide'
import type { OrderFactsInStream, OrderRow } from '../slot/order'
import { mealDayOf, type FamilyTerms } from '../slot/order-permissions.decide'
import type { OrderChange, SkippedOrder } from './order-batch.decide'
import { orderBatchStep, ordersInStreams, payerOf, type ChangedSlot } from './order-payments.commands'
import { underChildNow } from './orders.rows'
import { factsOf, orderReply } from './orders.view'

/** Reads the terms now: for decisions. */
export type TermsNeeds = { familyTerms: () => Promise<FamilyTerms> }
/** `shownTerms` may be a little old: for display. */
export type ReplyNeeds = OrderingNeeds & { shownTerms: () => Promise<FamilyTerms> }

/** As the family sees them at `at`, in the asked order; unknown ones are left out. `reader` limits receipts to own payments. */
export const orderReplies =
  (needs: ReplyNeeds) =>
  async (orderIds: readonly string[], at: Date, reader?: number): Promise<Order[]> =>
    repliesTo(needs, await ordersInStreams(needs, orderIds), at, reader)

/** The same of orders that are known: as decided, under the child's present name. */
export const repliesTo = async (
  needs: ReplyNeeds,
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

/** Orders just placed by a checkout: not paid, and with the names of its cart. */
export const placedReplies =
  (needs: Pick<ReplyNeeds, 'shownTerms'>) =>
  async (rows: readonly OrderRow[], at: Date): Promise<Order[]> => {
    const terms = await needs.shownTerms()
    return rows.map((row) => orderReply(row, at, terms))
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

export const orderFacts =
  (needs: Ports) =>
  async (orderId: string): Promise<OrderFactsInStream | null> => {
    const [order] = await ordersInStreams(needs, [orderId])
    return order
      ? { ...factsOf(order), paidLater: order.paidLater, changes: new Set(order.meals.keys()) }
      : null
  }

const batchSize = 100

/** An order after a closure changed it; `refused` says why that could not be done. */
export type ChangedOrder = {
  id: string
  isActive: boolean
  isPaid: boolean
  isCancelledByClosure: boolean
  isChanged: boolean
  refused: { code: string; message: string } | null
}

/** `changedFromPending` are the ids of orders that were pending. */
export type ChangeResult = { updated: number; skipped: SkippedOrder[]; changedFromPending: string[] }

export const orderCommands = (
  needs: Ports &
    ReplyNeeds &
    TermsNeeds & {
      credit: OrderingNeeds['credit']
      identity: OrderingNeeds['identity']
      portions: LoadPortions
    },
) => {
  const { eventStore, now } = needs
  const member = async (userId: number, { studentId }: Lunch) =>
    familyMember(userId, (await needs.identity.guardiansOf([studentId])).get(studentId))

  const cancelOwn = async (orderId: string, userId: number, by: By): Promise<Order> => {
    const lunch = lunchOfOrder(orderId)
    const { order } = await handleCommand(needs, by, async (at) => {
      const loaded = await loadStream(eventStore, mealSlot, lunch)
      const day = mealDayOf(lunch.date, await needs.familyTerms())
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
      const day = mealDayOf(lunch.date, await needs.familyTerms())
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

  const ordersNow = async (orderIds: readonly string[]): Promise<OrderRow[]> => {
    const wanted = [...new Set(orderIds)]
    const rows: OrderRow[] = []
    for (let from = 0; from < wanted.length; from += batchSize) {
      const orders = await ordersInStreams(needs, wanted.slice(from, from + batchSize))
      rows.push(...orders)
    }
    return rows
  }

  const changeOrders = async (
    orderIds: readonly string[],
    change: OrderChange,
    by: By,
  ): Promise<ChangeResult> => {
    const wanted = [...new Set(orderIds)]
    const skipped: SkippedOrder[] = []
    const changedFromPending: string[] = []
    for (let from = 0; from < wanted.length; from += batchSize) {
      const batch = await changeBatch(wanted.slice(from, from + batchSize), change, by)
      skipped.push(...batch.skipped)
      changedFromPending.push(...batch.changed.flatMap((slot) => pendingBefore(slot, orderIds)))
    }
    return { updated: wanted.length - skipped.length, skipped, changedFromPending }
  }

  /** One append per call. Does not wait for the views: `position` is for them, null for no change. */
  const changeByClosure = async (
    orderIds: readonly string[],
    asked: { kind: 'close'; closureId: string; remedy: Remedy } | { kind: 'restore'; closureId: string },
    by: By,
  ): Promise<{ orders: ChangedOrder[]; position: Position | null }> => {
    const terms = await needs.familyTerms()
    const cutoffOf = (date: SchoolDate) => mealDayOf(date, terms).cutoffAt
    const change = asked.kind === 'restore' ? { ...asked, cutoffOf } : asked
    const { changed, skipped, position } = await changeBatch(orderIds, change, by)
    const refused = new Map(skipped.map(({ id, ...why }) => [id, why]))
    const orders = changed.flatMap(({ loaded, events }) =>
      ordersOf(advanced(mealSlot, loaded, events).state)
        .filter(({ id }) => orderIds.includes(id))
        .map((order) => ({
          id: order.id,
          isActive: isActive(order),
          isPaid: order.payment_status === 'confirmed',
          isCancelledByClosure: order.status === 'cancelled' && order.closure_id === change.closureId,
          isChanged: events.length > 0,
          refused: refused.get(order.id) ?? null,
        })),
    )
    return { orders, position }
  }

  return {
    cancelOwn,
    setAbsence,
    refundStep,
    changeOrders,
    changeByClosure,
    ordersNow,
  }
}

export const eatenAfterAll = (changed: readonly ChangedSlot[]) =>
  changed.flatMap(({ loaded, events }) => {
    const ids = events.flatMap((event) => (event.type === absenceTakenBack.type ? [event.data.orderId] : []))
    return ids.flatMap((id) => loaded.state.orders.get(id) ?? []).map(payerOf)
  })

const creditSpent = (amount: Ngwee) =>
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
