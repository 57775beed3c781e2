import { orderCommands } from '#modules/ordering/orders/orders.commands'
import { orderMoney } from '#modules/ordering/orders/order-money.commands'
import { orderReplies } from '#modules/ordering/orders/order-replies.commands'
import { checkCart } from '#modules/ordering/cart/cart.commands'
import type { CycleFacts, MenuFacts, StudentFacts } from '#modules/ordering/cart/cart-line.decide'
import { checkoutMeals } from '#modules/ordering/cart/checkout.commands'
import { amendedLines, paidLineUnavailableReasons } from '#modules/ordering/slot/paid-lines.commands'
import { linesRefused } from '#modules/ordering/refusals'
import { loadSlots } from '#modules/ordering/slot/slots.commands'
import { loadAttempt } from '#modules/payments/attempt/attempts.commands'
import { cardCommands, cardNeeds } from '#modules/payments/card/card.commands'
import { finishFreeCheckouts } from '#modules/payments/checkout/finish-free-checkouts.job'
import { placeFreeCheckout } from '#modules/payments/checkout/free-checkout.commands'
import { owedBack } from '#modules/payments/attempt/owed-back'
import { paidForLine } from '#modules/payments/attempt/paid-for-line'
import type { CardProvider } from '#modules/payments/providers/provider'
import { takePush } from '#modules/payments/settlement/push.commands'
import { recordRefundWork } from '#modules/payments/settlement/record-refund.job'
import { settleCardPayments } from '#modules/payments/settlement/settle-card-payments.job'
import { settlingWorks } from '#modules/payments/settlement/settle-payment.job'
import { openAttemptRefundsWork } from '#modules/refunds/attempt-refunds.job'
import { payBackRefund } from '#modules/refunds/pay-back.commands'
import { settleRefundsSweep, settleRefundWork } from '#modules/refunds/settle-refund.job'
import type { EventStore, Position, StreamAppend } from '#platform/event-store/event-store'
import type { Database } from '#platform/database'
import { silentLog } from '../../support/start-postgres'
import { cutoff, zone } from '../../ordering/lunches'
import { Crash } from '../lunch-counter'

/** What all processes share: the streams, the tables, the school as it is, the time, the bank. */
export type Surroundings = {
  store: EventStore
  /** Appends one stream after another, so that others and crashes come between. */
  isSplit: boolean
  database: Pick<Database, 'pool' | 'pipelinedReads'>
  waitForViews: (position: Position) => Promise<void>
  provider: CardProvider
  clock: { now: Date }
  pause: () => Promise<unknown>
  school: {
    cycle: CycleFacts
    items: readonly MenuFacts[]
    childrenOf: ReadonlyMap<number, readonly StudentFacts[]>
    discountOf: (userId: number) => number
    isBroken: boolean
  }
}

/** The process dies at its nth append, before that is done or after. */
export type Death = { at: number; when: 'before' | 'after' }

const mortalStore = ({ store, isSplit, pause }: Surroundings, death: Death | null) => {
  let step = 0
  let isDead = false
  const live = () => {
    if (isDead) throw new Crash()
  }
  const die = () => {
    isDead = true
    throw new Crash()
  }
  const appendStep = async (appends: StreamAppend[]) => {
    await pause()
    live()
    const isLast = step === death?.at
    step += 1
    if (isLast && death.when === 'before') die()
    const position = await store.append(appends)
    if (isLast) die()
    live()
    return position
  }
  const append: EventStore['append'] = async (appends) => {
    if (!isSplit) return appendStep(appends)
    let last: Position = ''
    for (const one of appends) last = await appendStep([one])
    return last
  }
  const read: EventStore['read'] = async (streams) => {
    await pause()
    live()
    const found = await store.read(streams)
    live()
    return found
  }
  return { read, append, live, isDead: () => isDead }
}

/** One process of the service over these environment, which may die; everything in it is the service's own. */
export const serviceProcess = (around: Surroundings, death: Death | null = null) => {
  const { school, clock, database } = around
  const { isDead, live, ...eventStore } = mortalStore(around, death)
  const now = () => clock.now
  const waitForViews = async (position: Position) => {
    live()
    await around.waitForViews(position)
  }
  const table = async <Rows>(rows: Rows): Promise<Rows> => {
    live()
    if (school.isBroken) throw new Error('database away')
    return rows
  }
  const facts = {
    eventStore,
    zone,
    itemsByIds: (ids: readonly number[]) =>
      table(new Map(school.items.filter(({ id }) => ids.includes(id)).map((item) => [item.id, item]))),
    calendar: () => table({ cycle: school.cycle, cutoff }),
    studentsOf: (userId: number) => table(school.childrenOf.get(userId) ?? []),
  }
  const mealsOf = async (checkout: Parameters<typeof checkoutMeals>[0]) =>
    checkoutMeals(
      checkout,
      await loadSlots(
        eventStore,
        checkout.lines.map(({ slot }) => slot),
      ),
    )
  const orders = orderCommands({ eventStore, waitForViews, now })
  const money = orderMoney({ database, eventStore }, orders)
  const { verify, ...provider } = around.provider
  const shared = {
    eventStore,
    database,
    now,
    waitForViews,
    log: silentLog,
    zone,
    graceMinutes: 15,
    withdrawnItems: 'honour' as const,
    provider: {
      ...provider,
      verify: async (...asked: Parameters<typeof verify>) => {
        live()
        return verify(...asked)
      },
    },
    checkCart: checkCart({ ...facts, discountOf: async (userId) => school.discountOf(userId) }),
    mealsOf,
    linesRefused,
    paidLineUnavailableReasons: paidLineUnavailableReasons(facts),
    amendedLines: amendedLines(facts),
    itemStates: facts.itemsByIds,
    publicUrl: () => 'https://lunch.school.test',
  }
  const card = cardNeeds(shared)
  const attemptNow = async (id: string) => (await loadAttempt(eventStore, id)).attempt
  const refunds = {
    ...shared,
    ...money,
    paidForLine: async (id: string, line: number) => paidForLine(await attemptNow(id), line),
  }
  return {
    isDead,
    ...cardCommands(card),
    placeOtherwise: placeFreeCheckout({
      ...shared,
      termsOf: async (attemptId, total) =>
        total === 0
          ? { kind: 'free', companyRef: null }
          : { kind: 'alternative', companyRef: `ALT-${attemptId.slice(0, 8)}` },
      orderReplies: orderReplies({ database, eventStore }),
    }),
    takePush: takePush(card),
    cancelOwn: orders.cancelOwn,
    changeOrders: orders.changeOrders,
    confirmPayments: money.confirmPayments,
    payBack: payBackRefund(refunds),
    sweeps: [settleCardPayments(card), finishFreeCheckouts(shared), settleRefundsSweep(refunds)],
    works: [
      ...settlingWorks(card),
      recordRefundWork(shared),
      settleRefundWork(refunds),
      openAttemptRefundsWork({
        ...shared,
        owedByAttempt: async (id) => owedBack(await attemptNow(id)),
      }),
    ],
  }
}

export type ServiceProcess = ReturnType<typeof serviceProcess>
