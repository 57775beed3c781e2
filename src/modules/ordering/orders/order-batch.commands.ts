import { parseOrderId } from '#kernel/id'
import { advanced, loadStreams, type LoadedStream } from '#platform/event-store/command-handler'
import type { OrderingNeeds } from '../needs'
import type { LoadPortions } from '../portions/portions.commands'
import { portionOf } from '../portions/portions'
import { ordersOf, type MealSlot, type SlotEvent } from '../slot/meal-slot'
import { mealSlot } from '../slot/meal-slot.decide'
import { cancels, decideBatch, reopenedIn, type OrderChange } from './order-batch.decide'

type ReclaimCredit = OrderingNeeds['credit']['reclaimCredit']
export type BatchNeeds = Pick<OrderingNeeds, 'eventStore'> & {
  credit: { reclaimCredit: ReclaimCredit }
  portions: LoadPortions
}

export type ChangedSlot = { loaded: LoadedStream<MealSlot, SlotEvent>; events: readonly SlotEvent[] }

/**
 * What a change of many orders appends: their slots, and the credit and the portions of those that are placed again or no
 * more. `reclaim`: where others change the families' credit in the same append.
 */
export const orderBatchStep =
  ({ eventStore, portions: load, credit }: BatchNeeds) =>
  async (
    orderIds: readonly string[],
    change: OrderChange,
    at: Date,
    reclaim: ReclaimCredit = credit.reclaimCredit,
  ) => {
    const lunches = orderIds.flatMap((id) => parseOrderId(id)?.lunch ?? [])
    const slots = new Map(
      (await loadStreams(eventStore, mealSlot, lunches)).map((loaded) => [loaded.stream, loaded]),
    )
    const states = new Map([...slots].map(([stream, { state }]) => [stream, state]))
    const asked = decideBatch(orderIds, change, states, at)
    const reopened = reopenedIn(asked, states)
    const portions = await load(cancels(change) ? portionsOf(states) : reopened.map(portionOf), at)
    // What a closure cancelled is placed again whatever the limit.
    const anyway = typeof change === 'object' && change.kind === 'restore'
    const wanted = reopened.map((order) => ({ ...portionOf(order), until: null, anyway }))
    const soldOut = portions.soldOut(wanted, at)
    const { changes: reclaimed, spent } = await reclaim(
      reopened.filter((_order, place) => !soldOut.has(place)),
      at,
    )
    const refused = new Map<string, 'credit_spent' | 'sold_out'>([...spent].map((id) => [id, 'credit_spent']))
    for (const place of soldOut.keys()) refused.set(reopened[place]!.id, 'sold_out')
    const { events, skipped } =
      refused.size === 0 ? asked : decideBatch(orderIds, change, states, at, refused)
    const changed = [...slots].map(([stream, loaded]) => ({ loaded, events: events.get(stream) ?? [] }))
    const taken = portions.take(
      wanted.filter((_portion, place) => !refused.has(reopened[place]!.id)),
      at,
    )
    const given = cancels(change) ? portions.give(ordersGone(changed, orderIds), at) : []
    return { changes: [...reclaimed, ...taken, ...changed, ...given], changed, skipped }
  }

/**
 * The portions of those of the orders that are no longer to be cooked, also of those that were cancelled before: an
 * earlier try may not have come to giving them back.
 */
export const ordersGone = (changed: readonly ChangedSlot[], orderIds: readonly string[]) =>
  changed
    .flatMap(({ loaded, events }) => ordersOf(advanced(mealSlot, loaded, events).state))
    .filter(({ id, status }) => orderIds.includes(id) && status !== 'pending' && status !== 'completed')
    .map(portionOf)

const portionsOf = (slots: ReadonlyMap<string, MealSlot>) =>
  [...slots.values()].flatMap((slot) => ordersOf(slot).map(portionOf))
