import type { Pool } from 'pg'
import { parseOrderId } from '#kernel/id'
import type { Ngwee } from '#kernel/money'
import { Refusal } from '#kernel/refusal'
import type { EventStore } from '#platform/event-store/event-store'
import { orderFrom } from './order'
import type { OrderRow } from './order'
import type { By, orderCommands } from './orders.commands'
import { cancelledPaidOrders, unpaidOrders, usersWithUnpaidOrders } from './order-money.rows'
import type { UnpaidFilter, UnpaidPage } from './order-money.rows'
import { refusal } from '../refusals'
import type { OrderRefusal } from '../refusals'
import { loadSlots } from '../slot/slots.commands'

/** What siblings who look after money know of an order; `price` is the price to pay. */
export type OrderFacts = {
  id: string
  attemptId: string
  line: number
  userId: number
  student: { name: string; grade: string }
  item: { name: string }
  week: number
  day: number
  price: Ngwee
  status: OrderRow['status']
  paymentStatus: OrderRow['payment_status']
  placedAt: Date
}

type MoneyNeeds = { database: { pool: Pool }; eventStore: Pick<EventStore, 'read'> }

/** What siblings who look after money ask about orders, and tell them. All of it is safe to repeat. */
export const orderMoney = (
  { database: { pool }, eventStore }: MoneyNeeds,
  { changeOrders }: Pick<ReturnType<typeof orderCommands>, 'changeOrders'>,
) => {
  const rowOf = async (orderId: string): Promise<OrderRow | null> => {
    const key = parseOrderId(orderId)?.slot
    if (!key) return null
    const [loaded] = (await loadSlots(eventStore, [key])).values()
    return orderFrom(loaded?.events ?? [], orderId)
  }

  /** Throws `order_not_found` with the `orderIds` that are no orders, before anything is changed. */
  const refuseUnknown = async (orderIds: readonly string[]): Promise<void> => {
    const keys = orderIds.flatMap((id) => parseOrderId(id)?.slot ?? [])
    const events = [...(await loadSlots(eventStore, keys)).values()].flatMap((slot) => slot.events)
    const unknown = orderIds.filter((id) => !orderFrom(events, id))
    if (unknown.length === 0) return
    const { code, message } = refusal('order_not_found')
    throw new Refusal(code, message, { extra: { orderIds: unknown } })
  }

  return {
    /** The order as its stream tells it, newer than any list; null when there is none. */
    orderFacts: async (orderId: string): Promise<OrderFacts | null> => {
      const row = await rowOf(orderId)
      return row && factsOf(row)
    },

    /** The money of a cancelled order has gone back, so that nobody can reopen it. Throws when it is not cancelled. */
    markOrderRefunded: async (orderId: string, by: By): Promise<void> => {
      const { skipped } = await changeOrders([orderId], 'refunded', by)
      if (skipped[0]) throw refusal(skipped[0].code as OrderRefusal)
    },

    /**
     * These orders have been paid for. Unknown ones refuse all of them (`order_not_found`); one that was cancelled
     * meanwhile comes back as skipped.
     */
    confirmPayments: async (orderIds: readonly string[], by: By) => {
      await refuseUnknown(orderIds)
      return changeOrders(orderIds, 'paid', by)
    },

    /** The ids of all cancelled orders that had been paid for and are not marked refunded. */
    cancelledPaidOrders: () => cancelledPaidOrders(pool),

    usersWithUnpaidOrders: () => usersWithUnpaidOrders(pool),

    /** One page of the users who have orders yet to be paid for and match, with all of those orders. */
    unpaidOrders: async (filter: UnpaidFilter, page: UnpaidPage) => {
      const { groups, totalGroups } = await unpaidOrders(pool, filter, page)
      return {
        totalGroups,
        groups: groups.map(({ userId, rows }) => ({ userId, orders: rows.map(factsOf) })),
      }
    },
  }
}

const factsOf = (row: OrderRow): OrderFacts => ({
  id: row.id,
  attemptId: row.attempt_id,
  line: row.line,
  userId: row.user_id,
  student: { name: row.student_name, grade: row.student_grade },
  item: { name: row.item_name },
  week: row.week,
  day: row.day,
  price: row.price,
  status: row.status,
  paymentStatus: row.payment_status,
  placedAt: new Date(row.placed_at),
})
