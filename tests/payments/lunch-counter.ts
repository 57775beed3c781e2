import { fold } from '#kernel/decider'
import type { CartLine } from '#contracts/ordering'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { checkCart } from '#modules/ordering/cart/cart.commands'
import { checkoutMeals } from '#modules/ordering/cart/checkout.commands'
import { orderReplies } from '#modules/ordering/orders/order-replies.commands'
import { linesRefused } from '#modules/ordering/refusals'
import { loadSlots } from '#modules/ordering/slot/slots.commands'
import { completeCheckout } from '#modules/payments/checkout/complete-checkout.commands'
import { placeFreeCheckout } from '#modules/payments/checkout/free-checkout.commands'
import type { FreeCheckoutNeeds } from '#modules/payments/checkout/free-checkout.commands'
import { readAttemptEvent } from '#modules/payments/attempt/events'
import { attemptStream } from '#modules/payments/attempt/payment-attempt'
import type { PaymentAttempt } from '#modules/payments/attempt/payment-attempt'
import { paymentAttempt } from '#modules/payments/attempt/payment-attempt.decide'
import type { PipelinedReads } from '#platform/database'
import type { EventStore } from '#platform/event-store/event-store'
import { bupe, chanda, cutoff, cycle, mary, monday7, nshima, stew, zone } from '../ordering/lunches'

export const by = { actor: 'user:21', correlationId: 'request-1' }

/** Chanda's free Nshima on a day of week 1. */
export const freeNshima = (dayOfWeek: number, more: Partial<CartLine> = {}): CartLine => ({
  menuItemId: nshima.id,
  studentId: chanda.id,
  weekNumber: 1,
  dayOfWeek,
  category: 'beef',
  sideDish: 'Cabbage',
  originalPrice: 0,
  ...more,
})

// No view: what was ordered is told from the streams.
const emptyDatabase = { pipelinedReads: { query: async () => ({ rows: [] }) } as unknown as PipelinedReads }

/** Free checkouts over an event store in memory, for a school where Nshima is free and stew costs K45.50. */
export const lunchCounter = (
  appendTo: (store: EventStore) => EventStore['append'] = ({ append }) => append,
  store = memoryEventStore(),
) => {
  const eventStore = { read: store.read, append: appendTo(store) }
  const clock = { now: monday7 }
  const now = () => clock.now
  const needs: FreeCheckoutNeeds = {
    eventStore,
    now,
    checkCart: checkCart({
      eventStore,
      zone,
      itemsByIds: async () =>
        new Map([nshima, stew].map((item) => [item.id, { ...item, price: item === nshima ? 0 : 4550 }])),
      calendar: async () => ({ cycle, cutoff }),
      studentsOf: async () => [chanda, bupe],
      discountOf: async () => 0,
    }),
    mealsOf: async (checkout) =>
      checkoutMeals(
        checkout,
        await loadSlots(
          eventStore,
          checkout.lines.map(({ slot }) => slot),
        ),
      ),
    termsOf: async () => ({ kind: 'free', companyRef: null }),
    linesRefused,
    orderReplies: orderReplies({ database: emptyDatabase, eventStore }),
    waitForViews: async () => {},
  }

  const events = async (stream: string) => (await store.read([stream])).get(stream) ?? []

  return {
    store,
    clock,
    needs,
    place: async (lines: CartLine[], idempotencyKey: string | null = null, userId = mary) =>
      (await placeFreeCheckout(needs)({ userId, lines, idempotencyKey, by })).orders,
    complete: (attemptId: string) => completeCheckout(needs)(attemptId, by),
    attempt: async (id: string): Promise<PaymentAttempt> =>
      fold(
        paymentAttempt,
        (await events(attemptStream(id))).flatMap((event) => readAttemptEvent(event) ?? []),
      ),
    /** The names of the events in a stream, without context and version. */
    told: async (stream: string) => (await events(stream)).map(({ type }) => type.split('.')[1]),
    /** How many events the store holds. */
    size: async () => Number((await store.end()).events),
  }
}

export class Crash extends Error {
  override readonly name = 'Crash'
}

/**
 * Appends one stream after another, as a store without transactions does, and lets others in between (`pause`).
 * `crashAt(n)` answers whether the process dies instead of doing the store's nth append (from 0).
 */
export const oneByOne =
  (
    crashAt: (step: number) => boolean = () => false,
    pause: () => Promise<unknown> = () => Promise.resolve(),
  ) =>
  (store: EventStore): EventStore['append'] => {
    let step = 0
    return async (appends) => {
      let last = await store.append([])
      for (const append of appends) {
        await pause()
        if (crashAt(step)) throw new Crash()
        step += 1
        last = await store.append([append])
      }
      return last
    }
  }
