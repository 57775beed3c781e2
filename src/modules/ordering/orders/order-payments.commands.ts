import { v5 } from 'uuid'
import type { PayBy } from '#contracts/ordering'
import { parseOrderId, lunchId } from '#kernel/id'
import type { Ngwee } from '#kernel/money'
import { schoolMoment } from '#kernel/school-time'
import type { ReclaimCredit } from '#modules/credit/index'
import {
  loadStreams,
  advanced,
  type LoadedStream,
  type StreamChange,
} from '#platform/event-store/command-handler'
import type { Ports } from '#platform/ports'
import { portionOfOrder } from '../portions/portions.decide'
import type { OrderNeeds } from '../portions/portions.view'
import { refusal } from '../refusals'
import {
  dayOfOrder,
  isActive,
  isAway,
  ordersOf,
  toPayOf,
  type MealSlot,
  type SlotEvent,
  type SlotOrder,
} from '../slot/meal-slot'
import { mealSlot } from '../slot/meal-slot.decide'
import { isListed, type OrderRow } from '../slot/order'
import { claimed, dayConflict, loadSlots } from '../slot/twin-slots.commands'
import {
  cancels,
  decideBatch,
  reopenedIn,
  type PaymentChange,
  type OrderChange,
  type RefusedReopening,
  type SkippedOrder,
} from './order-batch.decide'
import type { datesServed } from './order-money.rows'

/** As its stream tells it. */
export type StoredOrder = SlotOrder & OrderRow

const batchSize = 100

/** In the order asked; unknown and withdrawn ones are left out. */
export const ordersInStreams = async (
  { eventStore }: Pick<Ports, 'eventStore'>,
  orderIds: readonly string[],
  kind = mealSlot,
): Promise<StoredOrder[]> => {
  const wanted = orderIds.flatMap((id) => {
    const lunch = parseOrderId(id)?.lunch
    return lunch ? [{ id, lunch }] : []
  })
  const found: StoredOrder[] = []
  for (let from = 0; from < wanted.length; from += batchSize) {
    const batch = wanted.slice(from, from + batchSize)
    const lunches = batch.map(({ lunch }) => lunch)
    const slots = await loadStreams(eventStore, kind, lunches)
    for (const [index, { id }] of batch.entries()) {
      const order = slots[index]!.state.orders.get(id)
      if (order && isListed(order)) found.push(order)
    }
  }
  return found
}

/** Whose credit an order's money is. */
export const payerOf = ({ id, user_id: userId, student_name: student }: SlotOrder) => ({
  id,
  userId,
  student,
})

export type OrderToPay = {
  id: string
  userId: number
  payBy: PayBy | null
  /** In ngwee, without credit. */
  toPay: Ngwee
  state: 'unpaid' | 'paid' | 'lapsed' | 'cancelled' | 'refunded'
  gone: { code: string; message: string } | null
  paidBy: string | null
  restorable: boolean
  eaten: boolean
}

type ChangedPayments = {
  changes: StreamChange[]
  refused: Map<string, { code: string; message: string }>
}

export const orderPayments = (needs: OrderNeeds, servedAmong: ReturnType<typeof datesServed>) => {
  const step = orderBatchStep(needs)

  /** Reads streams; unknown orders are left out. `paidAt` is when the money arrived, if known. */
  const ordersToPay = async (
    orderIds: readonly string[],
    paidAt: Date | null,
    at: Date,
  ): Promise<OrderToPay[]> => {
    const orders = await ordersInStreams(needs, [...new Set(orderIds)])
    const found = orders.map((order) => ({ ...payableOrder(order), date: order.meal_date }))
    const dates = [...new Set(found.filter(({ state }) => state === 'lapsed').map(({ date }) => date))]
    const served = new Set(paidAt === null || dates.length === 0 ? [] : await servedAmong(dates))
    const today = schoolMoment(at, needs.zone).date
    return found.map(({ date, lapsedAt, ...order }) => ({
      ...order,
      restorable:
        order.state === 'lapsed' &&
        paidAt !== null &&
        paidAt < new Date(lapsedAt) &&
        date >= today &&
        !served.has(date),
    }))
  }

  const changePayments = async (
    orderIds: readonly string[],
    change: PaymentChange,
    at: Date,
    reclaim: ReclaimCredit,
  ): Promise<ChangedPayments> => {
    const { changes, skipped } = await step(orderIds, change, at, reclaim)
    return { changes, refused: new Map(skipped.map(({ id, code, message }) => [id, { code, message }])) }
  }

  return { ordersToPay, changePayments }
}

const payableOrder = (order: StoredOrder) => {
  const { id, user_id: userId, pay_by: payBy, paidBy, status, given_mark } = order
  const isPortionLapsed = order.lapsed && !order.cancelled_late
  const lapsedAt = (isPortionLapsed && order.portion_until) || (order.lapses_at ?? order.cutoff_at)
  const eaten = status === 'completed' || given_mark !== null
  const state = stateOf(order)
  const gone = state === 'unpaid' || state === 'paid' ? null : refusalIn(state)
  return { id, userId, payBy, toPay: toPayOf(order), paidBy, lapsedAt, eaten, state, gone }
}

const refusalIn = (state: OrderToPay['state']) => {
  const { code, message } = refusal(state === 'refunded' ? 'already_refunded' : 'already_cancelled')
  return { code, message }
}

const stateOf = ({ status, refundBegun, lapsed, payment_status }: StoredOrder): OrderToPay['state'] => {
  if (status === 'refunded' || (status === 'cancelled' && refundBegun)) return 'refunded'
  if (status === 'cancelled') return lapsed ? 'lapsed' : 'cancelled'
  return payment_status === 'confirmed' ? 'paid' : 'unpaid'
}

export type ChangedSlot = { loaded: LoadedStream<MealSlot, SlotEvent>; events: readonly SlotEvent[] }

type OrderBatch = { changes: StreamChange[]; changed: ChangedSlot[]; skipped: SkippedOrder[] }

const claimNamespace = '6f0c2c4e-3a0d-4d55-9a43-5f2f8f1f7b59'

/** `taken`: orders whose child has the day otherwise, by an earlier one of this batch too. `claims`: of the days of the others that were moved. */
const standAgain = async (needs: OrderNeeds, orders: readonly SlotOrder[], now: Date) => {
  const days = await loadSlots(needs, orders.map(dayOfOrder))
  const placed = new Set<string>()
  const taken = new Set<string>()
  const claims: ReturnType<typeof claimed>[] = []
  for (const order of orders) {
    const loaded = days.get(lunchId(dayOfOrder(order)))!
    const changeId = v5(`${order.id}/${order.kitchen_id}`, claimNamespace)
    if (loaded.ids.some((id) => placed.has(id)) || dayConflict(loaded, changeId, now)) taken.add(order.id)
    else {
      placed.add(loaded.ids[0]!)
      if (isAway(order)) claims.push(claimed(loaded, order, { changeId, now }))
    }
  }
  return { taken, claims }
}

/** One append of slots, credit and portions. `reclaim` shares credit changes of that append. */
export const orderBatchStep = (needs: OrderNeeds) => {
  const { eventStore, portions: load, credit } = needs
  return async (
    orderIds: readonly string[],
    change: OrderChange,
    at: Date,
    reclaim: ReclaimCredit = credit.reclaimCredit,
  ): Promise<OrderBatch> => {
    const lunches = orderIds.flatMap((id) => parseOrderId(id)?.lunch ?? [])
    const slots = new Map(
      (await loadStreams(eventStore, mealSlot, lunches)).map((loaded) => [loaded.stream, loaded]),
    )
    const states = new Map([...slots].map(([stream, { state }]) => [stream, state]))
    const asked = decideBatch(orderIds, change, states, at)
    const reopened = reopenedIn(asked, states)
    const portions = await load(cancels(change) ? portionsOf(states) : reopened.map(portionOfOrder), at)
    // Restoring after a closure ignores limits.
    const anyway = typeof change === 'object' && change.kind === 'restore'
    const wanted = reopened.map((order) => ({ ...portionOfOrder(order), until: null, anyway }))
    const soldOut = portions.soldOut(wanted, at)
    const { taken, claims } = await standAgain(needs, reopened, at)
    const { changes: reclaimed, spent } = await reclaim(
      reopened.filter(({ id }, place) => !soldOut.has(place) && !taken.has(id)).map(payerOf),
      at,
    )
    const refused = new Map<string, RefusedReopening>([...spent].map((id) => [id, 'credit_spent']))
    for (const place of soldOut.keys()) refused.set(reopened[place]!.id, 'sold_out')
    for (const id of taken) refused.set(id, 'slot_taken')
    const { events, skipped } =
      refused.size === 0 ? asked : decideBatch(orderIds, change, states, at, refused)
    const changed = [...slots].map(([stream, loaded]) => ({ loaded, events: events.get(stream) ?? [] }))
    const takenPortions = portions.take(
      wanted.filter((_portion, place) => !refused.has(reopened[place]!.id)),
      at,
    )
    const given = cancels(change) ? portions.give(releasedPortions(changed, orderIds), at) : []
    return {
      changes: [
        ...claims.map(({ claim }) => claim),
        ...reclaimed,
        ...takenPortions,
        ...changed,
        ...given,
        ...claims.map(({ release }) => release),
      ],
      changed,
      skipped,
    }
  }
}

/** Includes orders cancelled earlier: a previous try may have died before it released their portions. */
export const releasedPortions = (changed: readonly ChangedSlot[], orderIds: readonly string[]) =>
  changed
    .flatMap(({ loaded, events }) => ordersOf(advanced(mealSlot, loaded, events).state))
    .filter((order) => orderIds.includes(order.id) && !isActive(order))
    .map(portionOfOrder)

const portionsOf = (slots: ReadonlyMap<string, MealSlot>) =>
  [...slots.values()].flatMap((slot) => ordersOf(slot).map(portionOfOrder))
