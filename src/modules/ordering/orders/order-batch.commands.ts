import { lunchId, parseOrderId } from '#kernel/id'
import { advanced, loadStreams, type LoadedStream } from '#platform/event-store/command-handler'
import type { OrderingNeeds } from '../needs'
import type { LoadPortions } from '../portions/portions.commands'
import { portionOf } from '../portions/portions'
import { ordersOf, type MealSlot, type SlotEvent } from '../slot/meal-slot'
import { mealSlot } from '../slot/meal-slot.decide'
import { slotConflict } from '../slot/reopening.decide'
import { twinSlots } from '../cart/checkout-meals.commands'
import {
  cancels,
  decideBatch,
  reopenedIn,
  type OrderChange,
  type RefusedReopening,
} from './order-batch.decide'

type ReclaimCredit = OrderingNeeds['credit']['reclaimCredit']
export type BatchNeeds = OrderingNeeds & { portions: LoadPortions }

export type ChangedSlot = { loaded: LoadedStream<MealSlot, SlotEvent>; events: readonly SlotEvent[] }

/** Appends of a bulk change: slots, credit and portions. `reclaim` shares credit changes of the same append. */
export const orderBatchStep = (needs: BatchNeeds) => {
  const { eventStore, portions: load, credit } = needs
  /** Orders whose child has the day under another number, earlier ones of this batch included. */
  const takenByTwins = async (orders: readonly { id: string }[], at: Date): Promise<ReadonlySet<string>> => {
    const lunches = orders.flatMap(({ id }) => parseOrderId(id)?.lunch ?? [])
    if (lunches.length === 0) return new Set()
    const twins = await twinSlots(needs, lunches)
    const placed = new Set<string>()
    const taken = orders.filter(({ id }) => {
      const day = lunchId(parseOrderId(id)!.lunch)
      const isTaken = (twins.get(day) ?? []).some(
        (twin) => placed.has(twin.id) || slotConflict(twin.state, '', at) !== null,
      )
      if (!isTaken) placed.add(day)
      return isTaken
    })
    return new Set(taken.map(({ id }) => id))
  }

  return async (
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
    // Restoring after a closure ignores limits.
    const anyway = typeof change === 'object' && change.kind === 'restore'
    const wanted = reopened.map((order) => ({ ...portionOf(order), until: null, anyway }))
    const soldOut = portions.soldOut(wanted, at)
    const taken = await takenByTwins(reopened, at)
    const { changes: reclaimed, spent } = await reclaim(
      reopened.filter(({ id }, place) => !soldOut.has(place) && !taken.has(id)),
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
    return { changes: [...reclaimed, ...takenPortions, ...changed, ...given], changed, skipped }
  }
}

/** Portions of orders no longer to be cooked, also of those cancelled earlier: a previous try may have died before releasing. */
export const releasedPortions = (changed: readonly ChangedSlot[], orderIds: readonly string[]) =>
  changed
    .flatMap(({ loaded, events }) => ordersOf(advanced(mealSlot, loaded, events).state))
    .filter(({ id, status }) => orderIds.includes(id) && status !== 'pending' && status !== 'completed')
    .map(portionOf)

const portionsOf = (slots: ReadonlyMap<string, MealSlot>) =>
  [...slots.values()].flatMap((slot) => ordersOf(slot).map(portionOf))
