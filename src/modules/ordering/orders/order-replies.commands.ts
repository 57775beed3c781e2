import type { Order } from '#contracts/ordering'
import { parseOrderId } from '#kernel/id'
import type { Database } from '#platform/database'
import type { EventStore } from '#platform/event-store/event-store'
import { orderFrom } from './order'
import type { OrderRow } from './order'
import { orderReply } from './order-reply'
import { ordersByIds } from './orders.rows'
import { loadSlots } from '../slot/slots.commands'

type ReplyNeeds = { database: Pick<Database, 'pool'>; eventStore: Pick<EventStore, 'read'> }

/**
 * These orders as their owner sees them at `at`, in the order asked for. One that the view has not heard of yet, because
 * the projector is late, is told from its stream; one that does not exist is left out.
 */
export const orderReplies =
  ({ database: { pool }, eventStore }: ReplyNeeds) =>
  async (orderIds: readonly string[], at: Date): Promise<Order[]> => {
    const rows = new Map((await ordersByIds(pool, orderIds)).map((row) => [row.id, row]))
    const missing = orderIds.filter((id) => !rows.has(id))
    for (const row of await rowsFromStreams(eventStore, missing)) rows.set(row.id, row)
    return orderIds.flatMap((id) => {
      const row = rows.get(id)
      return row ? [orderReply(row, at)] : []
    })
  }

const rowsFromStreams = async (
  eventStore: Pick<EventStore, 'read'>,
  orderIds: readonly string[],
): Promise<OrderRow[]> => {
  if (orderIds.length === 0) return []
  const keys = orderIds.flatMap((id) => parseOrderId(id)?.slot ?? [])
  const slots = await loadSlots(eventStore, keys)
  const events = [...slots.values()].flatMap((slot) => slot.events)
  return orderIds.flatMap((id) => orderFrom(events, id) ?? [])
}
