import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { orderFrom } from '#modules/ordering/orders/orders.view'
import { orderCommands, orderFacts } from '#modules/ordering/orders/orders.commands'
import { ordersOf } from '#modules/ordering/slot/meal-slot'
import { mealSlot, type SlotCommand } from '#modules/ordering/slot/meal-slot.decide'
import { payBackRefund, settleRefund, type PayBack } from '#modules/refunds/refund.commands'
import { refundDecider } from '#modules/refunds/refund.decide'
import { commandHandler, loadStream } from '#platform/event-store/command-handler'
import type { EventStore } from '#platform/event-store/event-store'
import { attempt, mary, monday7, tuesdayLunch, tuesdayMeal } from '../ordering/lunches'
import { bursar } from './refund-words'

export const by = { actor: 'user:5', correlationId: 'request-1' }

const atOnce = async () => {}

/** One child's Tuesday and the refunds of its orders, over an event store in memory; `through` changes the store. */
export const refundOffice = (
  through: (store: EventStore) => Pick<EventStore, 'read' | 'append'> = (s) => s,
) => {
  const store = memoryEventStore()
  const eventStore = through(store)
  const clock = { now: monday7 }
  const now = () => clock.now
  const orders = orderCommands({ eventStore, waitForViews: atOnce, now })
  // Every line was paid for in full, unless a test says what was received for it.
  const received = new Map<number, number>()
  const paidForLine = async (_attemptId: string, line: number) => received.get(line) ?? 4550
  const refunds = {
    eventStore,
    now,
    waitForViews: atOnce,
    ordering: { orderFacts: orderFacts({ eventStore }), markOrderRefunded: orders.markOrderRefunded },
    payments: { paidForLine },
  }

  const order = (command: Extract<SlotCommand, { kind: 'order' }>) =>
    commandHandler(mealSlot, { eventStore, now })(tuesdayLunch, by, (slot) => mealSlot.decide(command, slot))

  return {
    clock,
    refunds,
    received,
    /** Chanda's Nshima for Tuesday by the attempt's nth line. */
    place: (index: number, paymentStatus: 'confirmed' | 'pending' = 'confirmed', price = 4550) =>
      order({
        kind: 'order',
        attemptId: attempt,
        userId: mary,
        line: { ...tuesdayMeal, index, price },
        paymentStatus,
        now: now(),
      }),
    change: async (orderId: string, change: 'cancelled' | 'pending' | 'completed' | 'paid') =>
      (await orders.changeOrders([orderId], change, by)).skipped.map(({ code }) => code),
    settle: (orderId: string) => settleRefund(refunds)(orderId, by),
    payBack: (
      refundId: string,
      payout: Partial<PayBack['payout']> = {},
      idempotencyKey: string | null = null,
    ) =>
      payBackRefund(refunds)({
        refundId,
        payout: { amount: null, method: 'manual', reference: null, note: null, by: bursar, ...payout },
        idempotencyKey,
        by,
      }),
    /** The refund as the store knows it, whatever `through` does. */
    refund: async (id: string) => {
      const { state } = await loadStream(store, refundDecider, id)
      return state
    },
    /** The slot's order of this id. */
    orderOf: async (id: string) => orderFrom((await loadStream(store, mealSlot, tuesdayLunch)).events, id),
    /** All orders the slot has had. */
    orders: async () => {
      const { state, events } = await loadStream(store, mealSlot, tuesdayLunch)
      return ordersOf(state).flatMap(({ id }) => orderFrom(events, id) ?? [])
    },
  }
}
