import type { PayBy } from '#contracts/ordering'
import { parseOrderId } from '#kernel/id'
import type { Ngwee } from '#kernel/money'
import { schoolMoment, type SchoolDate } from '#kernel/school-time'
import { loadStreams } from '#platform/event-store/command-handler'
import type { Ports } from '#platform/ports'
import type { OrderingNeeds } from '../needs'
import { refusal } from '../refusals'
import { ordersOf, toPayOf, type MealSlot } from '../slot/meal-slot'
import { mealSlot } from '../slot/meal-slot.decide'
import type { OrderRow } from './order'
import { orderBatchStep, type BatchNeeds } from './order-batch.commands'
import type { PaymentChange } from './order-batch.decide'
import { orderFrom } from './orders.view'

/** For confirming money. */
type OrderToPay = {
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

type Needs = BatchNeeds & {
  datesServed: (dates: readonly SchoolDate[]) => Promise<readonly SchoolDate[]>
}

export const orderPayments = (needs: Needs) => {
  const step = orderBatchStep(needs)

  /** From streams; unknown orders are left out. `paidAt`: arrival of the money, if known. */
  const ordersToPay = async (
    orderIds: readonly string[],
    paidAt: Date | null,
    at: Date,
  ): Promise<OrderToPay[]> => {
    const wanted = [...new Set(orderIds)].flatMap((id) => {
      const lunch = parseOrderId(id)?.lunch
      return lunch ? [{ id, lunch }] : []
    })
    const slots = await loadStreams(
      needs.eventStore,
      mealSlot,
      wanted.map(({ lunch }) => lunch),
    )
    const found = wanted.flatMap(({ id, lunch }, index) => {
      const { state, events } = slots[index]!
      const order = payableOrder(state, id)
      return order ? [{ ...order, date: lunch.date, payBy: orderFrom(events, id)?.pay_by ?? null }] : []
    })
    const dates = [...new Set(found.filter(({ state }) => state === 'lapsed').map(({ date }) => date))]
    const served = new Set(paidAt === null || dates.length === 0 ? [] : await needs.datesServed(dates))
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
    reclaim: OrderingNeeds['credit']['reclaimCredit'],
  ) => {
    const { changes, skipped } = await step(orderIds, change, at, reclaim)
    return { changes, refused: new Map(skipped.map(({ id, code, message }) => [id, { code, message }])) }
  }

  return { ordersToPay, changePayments }
}

const payableOrder = (slot: MealSlot, id: string) => {
  const order = ordersOf(slot).find((one) => one.id === id && one.status !== 'withdrawn')
  if (!order) return null
  const { userId, paidBy, status, marks } = order
  const lapsedAt = (order.lapsed === 'portion' && order.portionUntil) || order.cutoffAt
  const eaten = status === 'completed' || marks.given !== null
  const state = stateOf(order)
  const gone = state === 'unpaid' || state === 'paid' ? null : refusalIn(state)
  return { id, userId, toPay: toPayOf(order), paidBy, lapsedAt, eaten, state, gone }
}

const refusalIn = (state: OrderToPay['state']) => {
  const { code, message } = refusal(state === 'refunded' ? 'already_refunded' : 'already_cancelled')
  return { code, message }
}

const stateOf = ({
  status,
  refundBegun,
  lapsed,
  paymentStatus,
}: ReturnType<typeof ordersOf>[number]): OrderToPay['state'] => {
  if (status === 'refunded' || (status === 'cancelled' && refundBegun)) return 'refunded'
  if (status === 'cancelled') return lapsed !== null ? 'lapsed' : 'cancelled'
  return paymentStatus === 'confirmed' ? 'paid' : 'unpaid'
}

export const paidMeals =
  ({ eventStore }: Ports) =>
  async (orderIds: readonly string[], at: string) => {
    const wanted = orderIds.flatMap((id) => {
      const lunch = parseOrderId(id)?.lunch
      return lunch ? [{ id, lunch }] : []
    })
    const lunches = wanted.map(({ lunch }) => lunch)
    const slots = await loadStreams(eventStore, mealSlot, lunches)
    return wanted.flatMap(({ id }, index) => {
      const until = slots[index]?.events.filter(({ data }) => data.at <= at) ?? []
      const row = orderFrom(until, id)
      return row ? [{ attemptId: row.attempt_id, meal: mealOf(row) }] : []
    })
  }

const mealOf = (row: OrderRow) => ({
  mealDate: row.meal_date,
  student: row.student_name,
  item: row.item_name,
  category: row.category,
  sideDish: row.side_dish,
  originalPrice: row.original_price,
  price: row.price,
  credit: row.credit,
})
