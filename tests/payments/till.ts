import { type CartLine, type PayWay } from '#contracts/ordering'
import { heldOf } from '#modules/credit/family-credit'
import { familyCredit } from '#modules/credit/family-credit.decide'
import { type MenuFacts, type StudentFacts } from '#modules/ordering/cart/line-policies.decide'
import { readSlotEvent } from '#modules/ordering/slot/meal-slot'
import { mealSlot } from '#modules/ordering/slot/meal-slot.decide'
import { type SignalSource } from '#modules/payments/attempt/events'
import { type StartedAttempt } from '#modules/payments/attempt/payment-attempt'
import { type AskedPrompt, promptAgain, promptRequestId } from '#modules/payments/card/prompt.commands'
import { attemptIdFor, completeCheckout } from '#modules/payments/checkout/place-order.commands'
import { type WithdrawnItems } from '#modules/payments/ports'
import { giveUpDraft, processEnded } from '#modules/payments/settlement/give-up.commands'
import { endLostRecovery, type retry } from '#modules/payments/settlement/recovery.commands'
import { acknowledgePayment } from '#modules/payments/settlement/settle-card-payments.job'
import { fulfilAttempt } from '#modules/payments/settlement/settle.commands'
import { commandHandler, loadStream } from '#platform/event-store/command-handler'
import { beginning, type EventStore } from '#platform/event-store/event-store'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { bupe, chanda, cycle, mary, monday7, nshima, stew } from '../ordering/lunches'
import { dayOf } from '../ordering/slot-words'
import { fold } from '../support/given-when-then'
import { bank } from './machine/bank'
import { Crash } from './machine/failing-store'
import { serviceProcess, type Environment } from './machine/process'
import { tablesInMemory } from './machine/tables'

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

/** Chanda's Nshima where it is free. */
export const freeNshima = (dayOfWeek: number, more: Partial<CartLine> = {}): CartLine =>
  nshimaOn(dayOfWeek, { originalPrice: 0, ...more })

/**
 * One process of the payment machine over an event store in memory and a bank in whose books a test writes; the school
 * (its menu, cycle and students) and the clock can be changed under way. `appendTo` wraps the store's append.
 */
export const till = (
  appendTo: (store: EventStore) => EventStore['append'] = ({ append }) => append,
  store = memoryEventStore(),
  withdrawnItems: WithdrawnItems = 'honour',
) => {
  const provider = bank()
  const clock = { now: monday7 }
  const written = { upTo: beginning }
  const noted = { ...by, written }
  const school = {
    cycle: cycle as Environment['school']['cycle'],
    items: [nshima, stew] as MenuFacts[],
    childrenOf: { get: () => school.students } as unknown as ReadonlyMap<number, StudentFacts[]>,
    students: [chanda, bupe] as StudentFacts[],
    discountOf: () => 0,
    isBypassed: false,
    hasPrompts: false,
    promptsLeft: 10,
    hasAlternative: false,
    isBroken: false,
  }
  const process = serviceProcess({
    store: { ...store, append: appendTo(store) },
    isSplit: false,
    database: tablesInMemory(store),
    viewsInclude: async () => {},
    provider: provider.port,
    clock,
    pause: async () => {},
    withdrawnItems,
    school,
  })
  const { needs, start } = process

  return {
    store,
    school,
    clock,
    provider,
    /** What the answers to its calls wait for. */
    written,
    needs,
    transfers: process.transfers,
    attemptOf: process.attemptOf,
    changeOrders: process.changeOrders,
    verifyByHand: process.verifyByHand,
    undoByHand: process.undoByHand,
    attempt: async (id: string): Promise<StartedAttempt> => {
      const attempt = await process.attemptOf(id)
      if (attempt.status === 'none') throw new Error(`No attempt ${id}`)
      return attempt
    },
    /** Begins a card payment; `userId` and `key` make the attempt's id. */
    pay: (
      lines: CartLine[],
      {
        userId = mary,
        idempotencyKey = key,
        amount = lines.length * 45.5,
        useCredit = false,
        prompt = null as AskedPrompt | null,
      } = {},
    ) => {
      const site = 'https://lunch.school.test'
      const customer = { name: 'Mary Banda', email: 'mary@example.org' as string | null, phone: null }
      return start({
        userId,
        customer,
        ip: '192.0.2.1',
        prompt,
        lines,
        useCredit,
        claimedAmount: amount,
        idempotencyKey,
        site,
        by: noted,
      })
    },
    start,
    /** Hands a cart in without a card: one that costs nothing, or with `payBy` one that is paid for otherwise. */
    place: async (
      lines: CartLine[],
      idempotencyKey: string | null = null,
      userId = mary,
      useCredit = false,
      payBy: PayWay | null = null,
    ) => {
      const body = { lines, useCredit, payBy }
      return (await process.place({ userId, lines, useCredit, payBy, body, idempotencyKey, by: noted }))
        .orders
    },
    /** Sends the prompt again, to another number or network when told one. */
    promptAgain: async (
      asked: Partial<AskedPrompt> = {},
      id = maryAttempt,
      idempotencyKey: string | null = null,
    ) =>
      promptAgain(
        needs,
        needs.provider!,
      )({
        attempt: (await process.attemptOf(id)) as StartedAttempt,
        asked,
        requestId: promptRequestId(id, idempotencyKey),
        ip: '192.0.2.1',
        isOn: school.hasPrompts,
        by: noted,
      }),
    complete: (attemptId: string) => completeCheckout(needs)(attemptId, noted),
    settle: async (id = maryAttempt, source: SignalSource = 'return') => {
      const settled = await needs.settle(id, { source }, noted)
      await settled.acknowledged
      return settled
    },
    fulfil: (id = maryAttempt) => fulfilAttempt(needs)(id, noted),
    acknowledge: (id = maryAttempt) => acknowledgePayment(needs)(id, noted),
    advise: (claim: string, id = maryAttempt) => process.recordBrowserClaim(id, claim, noted),
    confirmItems: async (id = maryAttempt) =>
      process.confirmItems((await process.attemptOf(id)) as StartedAttempt, noted),
    retry: (amendments: Parameters<ReturnType<typeof retry>>[1] = [], id = maryAttempt) =>
      process.retry(id, amendments, noted),
    accept: (id = maryAttempt) => process.accept(id, 'A bank fee', noted),
    waive: (id = maryAttempt) => process.waive(id, 'School closed', noted),
    abandon: (id = maryAttempt) => process.abandon(id, noted),
    endLostRecovery: (id = maryAttempt) => endLostRecovery(needs)(id, noted),
    giveUpDraft: (id = maryAttempt) => giveUpDraft(needs)(id, processEnded, null, noted),
    /** A gift to Mary's credit; `number` names it. */
    gift: (amount: number, number = 1, userId = mary) =>
      commandHandler(familyCredit, { eventStore: store, now: () => clock.now })(userId, by, (credit, at) =>
        familyCredit.decide(
          {
            kind: 'give',
            entry: {
              userId,
              entryId: `gift/${number}`,
              kind: 'gift',
              amount,
              attemptId: null,
              about: { orderId: null, reference: null },
              text: 'A gift',
            },
            now: at,
          },
          credit,
        ),
      ),
    /** Mary's credit: what can be spent, and what her checkouts hold. */
    credit: async (userId = mary) => {
      const { state } = await loadStream(store, familyCredit, userId)
      return [state.balance, heldOf(state)]
    },
    sweeps: async () => {
      for (const { run } of process.sweeps) await run()
    },
    /** The names of the events in a stream, without context and version. */
    told: async (stream: string) =>
      ((await store.read([stream])).get(stream) ?? []).map(({ type }) => type.split('.')[1]),
    /** Chanda's slot on a day of week 1. */
    slot: async (day: number) => {
      const stream = `mealSlot-${chanda.id}.2026-09-${13 + day}`
      const events = (await store.read([stream])).get(stream) ?? []
      return dayOf(
        fold(
          mealSlot,
          events.flatMap((event) => readSlotEvent(event) ?? []),
        ),
      )
    },
    /** How many events the store holds. */
    size: async () => Number((await store.end()).events),
  }
}

/** The same where Nshima is free and stew costs K45.50. */
export const freeTill = (...asked: Parameters<typeof till>) => {
  const school = till(...asked)
  school.school.items = [
    { ...nshima, price: 0 },
    { ...stew, price: 4550 },
  ]
  return school
}

/** Meals on these days that were paid for, and nobody has looked yet. */
export const paidTill = async (...days: number[]) => {
  const school = till()
  await school.pay(days.map((day) => nshimaOn(day)))
  school.provider.paid('TOKEN-1')
  return school
}

/** Two paid meals: Tuesday's is ordered, Wednesday's blocked. */
export const halfBlockedTill = async () => {
  const school = till()
  await school.pay([nshimaOn(2), nshimaOn(3)])
  school.provider.paid('TOKEN-1')
  school.school.cycle = { ...cycle, blockedDays: [{ week: 1, day: 3 }] }
  await school.settle()
  return school
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
