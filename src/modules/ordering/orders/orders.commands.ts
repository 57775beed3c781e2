import type { Order } from '#contracts/ordering'
import { parseOrderId } from '#kernel/id'
import type { Now } from '#platform/clock'
import type { EventStore, Position } from '#platform/event-store/event-store'
import { retryOnConflict } from '#platform/event-store/retry-on-conflict'
import { mealSlot } from '../slot/meal-slot.decide'
import { decideBatch } from './order-batch.decide'
import type { OrderChange, SkippedOrder } from './order-batch.decide'
import { orderFrom } from './order'
import { orderReply } from './order-reply'
import { refusal } from '../refusals'
import { loadSlots, slotAmong, slotAppend } from '../slot/slots.commands'
import type { LoadedSlots } from '../slot/slots.commands'

export type OrderNeeds = {
  eventStore: Pick<EventStore, 'read' | 'append'>
  waitForViews: (position: Position) => Promise<void>
  now: Now
}

export type By = { actor: string; correlationId: string }

// One read and one append change this many orders; the next batch waits for it.
const batchSize = 100

/** What is done to orders that exist. Every command is safe to repeat: what is already so changes nothing. */
export const orderCommands = ({ eventStore, waitForViews, now }: OrderNeeds) => {
  /** Cancels the user's own order within the hour (parent-and-teacher.md section 4); answers it as it then is. */
  const cancelOwn = async (orderId: string, userId: number, by: By): Promise<Order> => {
    const key = parseOrderId(orderId)?.slot
    if (!key) throw refusal('order_not_found')
    const { row, position } = await retryOnConflict(async () => {
      const at = now()
      const loaded = slotAmong(await loadSlots(eventStore, [key]), key)
      const owner = { role: 'parent', userId } as const
      const events = mealSlot.decide({ kind: 'cancel', orderId, by: owner, now: at }, loaded.slot)
      const appends = slotAppend(loaded, events, { ...by, at })
      const position = appends.length > 0 ? await eventStore.append(appends) : loaded.position
      return { row: orderFrom([...loaded.events, ...events], orderId), position }
    })
    if (position !== null) await waitForViews(position)
    if (!row) throw refusal('order_not_found')
    return orderReply(row, now())
  }

  const changeBatch = (orderIds: readonly string[], change: OrderChange, by: By) =>
    retryOnConflict(async () => {
      const at = now()
      const slots = await loadSlots(
        eventStore,
        orderIds.flatMap((id) => parseOrderId(id)?.slot ?? []),
      )
      const states = new Map([...slots].map(([id, { slot }]) => [id, slot]))
      const { events, skipped } = decideBatch(orderIds, change, states, at)
      const appends = [...slots].flatMap(([id, loaded]) =>
        slotAppend(loaded, events.get(id) ?? [], { ...by, at }),
      )
      return { skipped, position: appends.length > 0 ? await eventStore.append(appends) : latest(slots) }
    })

  /** Changes many orders, batch after batch; those for which it is not possible come back as skipped. */
  const changeOrders = async (orderIds: readonly string[], change: OrderChange, by: By) => {
    const wanted = [...new Set(orderIds)]
    const skipped: SkippedOrder[] = []
    let last: Position | null = null
    for (let from = 0; from < wanted.length; from += batchSize) {
      const batch = await changeBatch(wanted.slice(from, from + batchSize), change, by)
      skipped.push(...batch.skipped)
      last = laterOf(last, batch.position)
    }
    if (last !== null) await waitForViews(last)
    return { updated: wanted.length - skipped.length, skipped }
  }

  return { cancelOwn, changeOrders }
}

const laterOf = (one: Position | null, other: Position | null): Position | null =>
  one === null || (other !== null && other > one) ? other : one

/** Where the slots stand that nothing was to be done to: what was done before may not be in the views yet. */
const latest = (slots: LoadedSlots): Position | null =>
  [...slots.values()].reduce<Position | null>((last, { position }) => laterOf(last, position), null)
