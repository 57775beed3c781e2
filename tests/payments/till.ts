import { fold } from '#kernel/decider'
import type { CartLine } from '#contracts/ordering'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { checkCart } from '#modules/ordering/cart/cart.commands'
import type { CycleFacts, MenuFacts, StudentFacts } from '#modules/ordering/cart/cart-line.decide'
import { checkoutMeals } from '#modules/ordering/cart/checkout.commands'
import { readSlotEvent } from '#modules/ordering/slot/meal-slot'
import { mealSlot } from '#modules/ordering/slot/meal-slot.decide'
import { amendedLines, paidLineUnavailableReasons } from '#modules/ordering/slot/paid-lines.commands'
import { loadSlots } from '#modules/ordering/slot/slots.commands'
import { acknowledgePayment } from '#modules/payments/settlement/acknowledge.commands'
import { confirmItems, heedAdvice } from '#modules/payments/card/claims.commands'
import { readAttemptEvent } from '#modules/payments/attempt/events'
import { attemptFold } from '#modules/payments/attempt/fold'
import { startCardPayment } from '#modules/payments/card/card-checkout.commands'
import type { WithdrawnItems } from '#modules/payments/settlement/blocked-lines.decide'
import { attemptIdFor } from '#modules/payments/checkout/checkout-key.commands'
import { fulfilAttempt } from '#modules/payments/settlement/fulfil.commands'
import { giveUpDraft } from '#modules/payments/card/issue-token.commands'
import { attemptStream } from '#modules/payments/attempt/payment-attempt'
import type { Standing } from '#modules/payments/attempt/payment-attempt'
import {
  abandonAttempt,
  acceptMismatch,
  endLostRecovery,
  retryAttempt,
  waiveRemainder,
} from '#modules/payments/console/recovery.commands'
import { verifyAndSettle } from '#modules/payments/settlement/verify-and-settle.commands'
import type { SignalSource } from '#modules/payments/attempt/money.decide'
import type { EventStore, Position } from '#platform/event-store/event-store'
import { silentLog } from '../support/start-postgres'
import { bupe, chanda, cutoff, cycle, mary, monday7, nshima, stew, zone } from '../ordering/lunches'
import { scriptedProvider } from './scripted-provider'

export const by = { actor: `user:${mary}`, correlationId: 'request-1' }
export const key = 'key-1'
export const maryAttempt = attemptIdFor(mary, key)

/** Chanda's Nshima at K45.50 on a day of week 1. */
export const nshimaOn = (dayOfWeek: number, more: Partial<CartLine> = {}): CartLine => ({
  menuItemId: nshima.id,
  studentId: chanda.id,
  weekNumber: 1,
  dayOfWeek,
  category: 'beef',
  sideDish: 'Cabbage',
  originalPrice: 45.5,
  ...more,
})

type School = {
  cycle: CycleFacts | null
  items: MenuFacts[]
  students: StudentFacts[]
  bypassed: boolean
  /** What is asked of the school's tables fails. */
  broken: boolean
}

/**
 * Card payments over an event store in memory and a provider that does as it is told; the school (its menu, cycle and
 * students) and the clock can be changed under way. `appendTo` wraps the store's append.
 */
export const till = (
  appendTo: (store: EventStore) => EventStore['append'] = ({ append }) => append,
  store = memoryEventStore(),
  withdrawnItems: WithdrawnItems = 'honour',
) => {
  const school: School = {
    cycle,
    items: [nshima, stew],
    students: [chanda, bupe],
    bypassed: false,
    broken: false,
  }
  const clock = { now: monday7 }
  const now = () => clock.now
  const provider = scriptedProvider()
  const eventStore = { read: store.read, append: appendTo(store) }
  const passed: Position[] = []
  const known: { id: string; userId: number }[] = []

  const ordering = {
    eventStore,
    zone,
    itemsByIds: async (ids: readonly number[]) =>
      new Map(school.items.filter(({ id }) => ids.includes(id)).map((item) => [item.id, item])),
    calendar: async () => ({ cycle: school.cycle, cutoff }),
    studentsOf: async () => {
      if (school.broken) throw new Error('database away')
      return school.students
    },
  }
  const attempt = async (id: string): Promise<Standing> => {
    const stream = attemptStream(id)
    const events = ((await store.read([stream])).get(stream) ?? []).flatMap(
      (event) => readAttemptEvent(event) ?? [],
    )
    const folded = fold(attemptFold, events)
    if (folded.status === 'none') throw new Error(`No attempt ${id}`)
    return folded
  }

  const shared = {
    eventStore,
    now,
    log: silentLog,
    zone,
    graceMinutes: 15,
    withdrawnItems,
    provider: provider.port,
    checkCart: checkCart({ ...ordering, discountOf: async () => 0 }),
    mealsOf: async (checkout: Parameters<typeof checkoutMeals>[0]) =>
      checkoutMeals(
        checkout,
        await loadSlots(
          eventStore,
          checkout.lines.map(({ slot }) => slot),
        ),
      ),
    paidLineUnavailableReasons: paidLineUnavailableReasons(ordering),
    amendedLines: amendedLines(ordering),
    itemStates: ordering.itemsByIds,
    waitForViews: async (position: Position) => void passed.push(position),
    isBypassed: async () => school.bypassed,
  }
  const openAttempts = async (userId: number) => {
    const mine = known.filter((one) => one.userId === userId)
    const found = await Promise.all(mine.map(({ id }) => attempt(id).catch(() => null)))
    const open = ['initiated', 'processing', 'review', 'declined']
    return found.flatMap((one) =>
      one && open.includes(one.status)
        ? [{ id: one.checkout.attemptId, bodyHash: one.checkout.bodyHash }]
        : [],
    )
  }
  const needs = { ...shared, openAttempts, settle: verifyAndSettle(shared) }
  const start = startCardPayment(needs)

  return {
    store,
    school,
    clock,
    provider,
    /** The positions that answers have waited for. */
    passed,
    needs,
    attempt,
    /** Begins a payment; `userId` and `key` make the attempt's id. */
    pay: (lines: CartLine[], { userId = mary, idempotencyKey = key, amount = lines.length * 45.5 } = {}) => {
      known.push({ id: attemptIdFor(userId, idempotencyKey), userId })
      const site = 'https://lunch.school.test'
      const customer = { name: 'Mary Banda', email: 'mary@example.org' as string | null, phone: null }
      return start({ userId, customer, lines, claimedAmount: amount, idempotencyKey, site, by })
    },
    start,
    settle: (id = maryAttempt, source: SignalSource = 'return') => needs.settle(id, { source }, by),
    fulfil: (id = maryAttempt) => fulfilAttempt(needs)(id, by),
    acknowledge: (id = maryAttempt) => acknowledgePayment(needs)(id, by),
    advise: (claim: string, id = maryAttempt) => heedAdvice(needs)(id, claim, by),
    confirmItems: async (id = maryAttempt) => confirmItems(needs)(await attempt(id), by),
    retry: (amendments: Parameters<ReturnType<typeof retryAttempt>>[1] = [], id = maryAttempt) =>
      retryAttempt(needs)(id, amendments, by),
    accept: (id = maryAttempt) => acceptMismatch(needs)(id, 'A bank fee', by),
    waive: (id = maryAttempt) => waiveRemainder(needs)(id, 'School closed', by),
    abandon: (id = maryAttempt) => abandonAttempt(needs)(id, by),
    endLostRecovery: (id = maryAttempt) => endLostRecovery(needs)(id, by),
    giveUpDraft: (id = maryAttempt) => giveUpDraft(needs)(id, 'timeout', null, by),
    /** The names of the events in a stream, without context and version. */
    told: async (stream: string) =>
      ((await store.read([stream])).get(stream) ?? []).map(({ type }) => type.split('.')[1]),
    /** Chanda's slot on a day of week 1. */
    slot: async (day: number) => {
      const stream = `mealSlot-7.${chanda.id}.1.${day}`
      const events = (await store.read([stream])).get(stream) ?? []
      return fold(
        mealSlot,
        events.flatMap((event) => readSlotEvent(event) ?? []),
      )
    },
  }
}

/** Meals on these days that were paid for, and nobody has looked yet. */
export const paidTill = async (...days: number[]) => {
  const school = till()
  await school.pay(days.map((day) => nshimaOn(day)))
  school.provider.paid('TOKEN-1')
  return school
}
