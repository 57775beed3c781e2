import { v7 } from 'uuid'
import type { Remedy } from '#kernel/money'
import { countPayout } from '#modules/credit/count-payout.commands'
import {
  creditAccount,
  creditAccounts,
  reclaimAbsence,
  reclaimCredit,
  settlePrice,
} from '#modules/credit/credit-account.commands'
import { familyCredit } from '#modules/credit/family-credit.decide'
import { moneyBackOf } from '#modules/ordering/orders/money-back.commands'
import { orderCommands, ordersNow } from '#modules/ordering/orders/orders.commands'
import { ordersOf } from '#modules/ordering/slot/meal-slot'
import { mealSlot, type SlotCommand } from '#modules/ordering/slot/meal-slot.decide'
import { isListed } from '#modules/ordering/slot/order'
import { settleRefundAsCredit, turnIntoCredit } from '#modules/refunds/refund-as-credit.commands'
import { payBackRefund, payoutIdFor, settleRefund, type PayBack } from '#modules/refunds/refund.commands'
import { refundDecider } from '#modules/refunds/refund.decide'
import { settleOrderCredit } from '#modules/refunds/settle-order-credit.commands'
import { commandHandler, handleCommand, loadStream } from '#platform/event-store/command-handler'
import type { EventStore } from '#platform/event-store/event-store'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import {
  attempt,
  mary,
  monday7,
  stew,
  tuesdayLunch,
  tuesdayBy,
  tuesdayMeal,
  termsWith,
  enteredOnce,
} from '../ordering/lunches'
import { orderFrom, payFor } from '../ordering/slot-words'
import { unlimited } from '../ordering/unlimited'
import { standIn } from '../support/stand-ins'
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
  const limit: { above: number | null } = { above: null }
  const now = () => clock.now
  const orders = orderCommands(
    standIn({
      eventStore,
      viewsInclude: atOnce,
      now,
      portions: unlimited({ eventStore }),
      credit: {
        reclaimCredit: reclaimCredit(standIn({ eventStore })),
        reclaimAbsence: reclaimAbsence(standIn({ eventStore })),
      },
      familyTerms: async () => termsWith(),
      shownTerms: async () => termsWith(),
      receiptNumbers: async () => new Map(),
      identity: enteredOnce,
    }),
  )
  // Every line was paid for in full, unless a test says what was received for it.
  const received = new Map<number, number>()
  const paidForLine = async (_attemptId: string, line: number) => received.get(line) ?? 4550
  const facts = {
    eventStore,
    ordering: { ordersNow: ordersNow(standIn({ eventStore })), refundStep: orders.refundStep },
    payments: { paidForLine, owedByAttempt: async () => [], owingAttempts: async () => [] },
  }
  const refunds = {
    ...facts,
    now,
    zone: 'Africa/Lusaka',
    refundApprovalAbove: async () => limit.above,
    viewsInclude: atOnce,
    credit: {
      accountOf: creditAccount(standIn({ eventStore })),
      countOutflow: countPayout(
        standIn({ eventStore, zone: 'Africa/Lusaka', refundApprovalAbove: async () => limit.above }),
      ),
      checkoutsThatSpent: async (): Promise<string[]> => [],
      ordersCharged: async (): Promise<string[]> => [],
      entriesOfOrders: async () => new Map<string, number>(),
    },
  }

  const order = (command: Extract<SlotCommand, { kind: 'order' }>) =>
    commandHandler(mealSlot, { eventStore, now })(tuesdayLunch, by, (slot) => mealSlot.decide(command, slot))

  /** As it stands now: the read takes no turn of its own. */
  const toPayFor = async (orderId: string) => {
    const [order] = await ordersNow({ eventStore: store })([orderId])
    return order ? Math.max(0, order.price - order.credit) : 0
  }

  return {
    clock,
    limit,
    refunds,
    received,
    /** Chanda's Nshima for Tuesday by the attempt's nth line. */
    place: (
      index: number,
      paymentStatus: 'confirmed' | 'pending' = 'confirmed',
      price = 4550,
      credit = 0,
    ) => {
      if (!received.has(index)) received.set(index, price - credit)
      return order({
        kind: 'order',
        attemptId: attempt,
        userId: mary,
        line: { ...tuesdayMeal, index, price, credit },
        paymentStatus,
        received: received.get(index),
        now: now(),
      })
    },
    /** What a letter of the cancelled order would tell now. */
    told: async (orderId: string) =>
      (
        await moneyBackOf(
          standIn({ eventStore, credit: { accounts: creditAccounts(standIn({ eventStore })) } }),
        )([orderId])
      ).get(orderId),
    change: async (orderId: string, change: 'cancelled' | 'pending' | 'completed' | 'paid') => {
      const wanted = change === 'paid' ? payFor([orderId], await toPayFor(orderId)) : change
      return (await orders.changeOrders([orderId], wanted, by)).skipped.map(({ code }) => code)
    },
    /** Cancels it as an administrator, with what is to become of the money. */
    cancel: (orderId: string, remedy: Remedy, closureId?: string) =>
      commandHandler(mealSlot, { eventStore, now })(tuesdayLunch, by, (slot) =>
        mealSlot.decide(
          { kind: 'cancel', orderId, by: { role: 'administrator' }, remedy, closureId, now: now() },
          slot,
        ),
      ),
    /** Mary tells at nine on Tuesday that Chanda is ill, or that she eats; half of the price is given for it. */
    absent: async (orderId: string, isAbsent: boolean) => {
      const day = tuesdayBy({ absence: 'credit', absencePercent: 50 })
      clock.now = new Date('2026-09-15T07:00:00.000Z')
      return commandHandler(mealSlot, { eventStore, now })(tuesdayLunch, by, (slot) =>
        mealSlot.decide({ kind: 'absence', orderId, userId: mary, absent: isAbsent, day, now: now() }, slot),
      )
    },
    /** The credit of a change that costs this much more (less when negative), as its command appends it before the order. */
    settlePrice: (orderId: string, changeId: string, difference: number) => {
      const change = { userId: mary, orderId, attemptId: attempt, changeId, difference, text: 'Another meal' }
      return handleCommand({ eventStore, now }, by, async (at) => ({
        changes: await settlePrice(standIn({ eventStore }))(change, at),
      }))
    },
    /** The order of such a change. */
    changeMeal: (orderId: string, changeId: string, price: number) =>
      commandHandler(mealSlot, { eventStore, now })(tuesdayLunch, by, (slot) =>
        mealSlot.decide(
          {
            kind: 'change',
            orderId,
            changeId,
            userId: mary,
            meal: {
              item: { id: stew.id, name: stew.name, type: stew.type },
              category: 'beef',
              sideDish: null,
              comments: '',
              originalPrice: price,
              price,
              discountPercentage: 0,
            },
            day: tuesdayBy({ cancelUntil: 'cutoff' }),
            now: now(),
          },
          slot,
        ),
      ),
    settle: (orderId: string) => settleRefund(standIn(refunds))(orderId, by),
    payBack: (
      refundId: string,
      payout: Partial<PayBack['payout']> = {},
      idempotencyKey: string | null = null,
    ) =>
      payBackRefund(standIn(refunds))({
        refundId,
        payout: { amount: null, method: 'manual', reference: null, note: null, by: bursar, ...payout },
        payoutId: payoutIdFor(refundId, idempotencyKey),
        by,
      }),
    /** Turns what is owed into Mary's credit. */
    turnIntoCredit: (refundId: string, idempotencyKey: string | null = null) =>
      turnIntoCredit(standIn(refunds))({ refundId, idempotencyKey, administrator: bursar, by }),
    /** The office makes Mary a present. */
    give: (amount: number) =>
      commandHandler(familyCredit, { eventStore, now })(mary, by, (credit) =>
        familyCredit.decide(
          {
            kind: 'give',
            entry: {
              userId: mary,
              entryId: `gift/${v7()}`,
              kind: 'gift',
              amount,
              attemptId: null,
              about: { orderId: null, reference: null },
              text: 'Fête',
            },
            now: now(),
          },
          credit,
        ),
      ),
    /** A part of Mary's credit is paid out. */
    payOutCredit: (amount: number) =>
      commandHandler(familyCredit, { eventStore, now })(mary, by, (credit) =>
        familyCredit.decide(
          {
            kind: 'pay-out',
            payout: { userId: mary, payoutId: v7(), amount, method: 'cash', reference: null, by: bursar },
            now: now(),
          },
          credit,
        ),
      ),
    settleCredit: (orderId: string) => settleOrderCredit(standIn(refunds))(orderId, by),
    settleRefundAsCredit: (refundId: string) => settleRefundAsCredit(standIn(refunds))(refundId, by),
    /** Mary's credit as the store knows it. */
    credit: async () => (await loadStream(store, familyCredit, mary)).state,
    /** The refund as the store knows it, whatever `through` does. */
    refund: async (id: string) => {
      const { state } = await loadStream(store, refundDecider, id)
      return state
    },
    /** The slot's order of this id. */
    orderOf: async (id: string) => orderFrom((await loadStream(store, mealSlot, tuesdayLunch)).events, id),
    /** All orders the slot has had. */
    orders: async () => {
      const { state } = await loadStream(store, mealSlot, tuesdayLunch)
      return ordersOf(state).filter(isListed)
    },
  }
}
