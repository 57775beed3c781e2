import { paymentBypass } from '#contracts/payments'
import { countPayout } from '#modules/credit/count-payout.commands'
import {
  creditAccount,
  creditAccounts,
  reclaimAbsence,
  reclaimCredit,
} from '#modules/credit/credit-account.commands'
import { familyCredit } from '#modules/credit/family-credit.decide'
import {
  amendedLines,
  holdersOf,
  paidLineUnavailableReasons,
  checkCart,
} from '#modules/ordering/cart/cart.commands'
import { mealsOf } from '#modules/ordering/cart/checkout-meals.commands'
import type { MenuFacts, StudentFacts } from '#modules/ordering/cart/line-policies.decide'
import { orderPayments } from '#modules/ordering/orders/order-payments.commands'
import { orderCommands, orderReplies, ordersNow } from '#modules/ordering/orders/orders.commands'
import { loadPortions } from '#modules/ordering/portions/portions.view'
import type { CycleFacts } from '#modules/ordering/ports'
import { mealSlot } from '#modules/ordering/slot/meal-slot.decide'
import { owingAttempts } from '#modules/payments/attempt/attempts.view'
import { paymentAttempt } from '#modules/payments/attempt/fold'
import { owedBack, paidForLine } from '#modules/payments/attempt/payment-attempt'
import { startCardPayment } from '#modules/payments/card/card-checkout.commands'
import { confirmItems, recordBrowserClaim } from '#modules/payments/card/issue-token.commands'
import { finishFreeCheckouts, placeFreeCheckout } from '#modules/payments/checkout/place-order.commands'
import type { CheckoutTerms } from '#modules/payments/checkout/terms.commands'
import type { PaymentsNeeds, WithdrawnItems } from '#modules/payments/ports'
import type { CardProvider } from '#modules/payments/providers/provider'
import { refusal } from '#modules/payments/refusals'
import { answerPush, takePush } from '#modules/payments/settlement/push.commands'
import { abandon, accept, retry, waive } from '#modules/payments/settlement/recovery.commands'
import {
  followHeldCredit,
  cardPaymentSweeps,
  recoverPaymentWork,
  settlePayments,
} from '#modules/payments/settlement/settle-card-payments.job'
import { recordRefund, verifyAndSettle } from '#modules/payments/settlement/settle.commands'
import type { OwedNeeds } from '#modules/refunds/ports'
import { turnIntoCredit } from '#modules/refunds/refund-as-credit.commands'
import { payBackRefund } from '#modules/refunds/refund.commands'
import { settleCredit } from '#modules/refunds/settle-credit.reactor'
import { recordRefunds, settleRefunds } from '#modules/refunds/settle-refund.reactor'
import { settleTransfers } from '#modules/transfers/confirmations/confirm-transfers.commands'
import { undoByHand, verifyByHand } from '#modules/transfers/confirmations/verify-by-hand.commands'
import type { TransfersNeeds } from '#modules/transfers/ports'
import { commandHandler, loadStream } from '#platform/event-store/command-handler'
import type { EventStore, Position } from '#platform/event-store/event-store'
import { tooManyRequests } from '#platform/http/request'
import { enteredOnce, cutoffOf, nobodyAllergic, zone, hourTerms } from '../../ordering/lunches'
import { standIn } from '../../support/stand-ins'
import { silentLog } from '../../support/start-postgres'
import { type Death, mortalStore } from './failing-store'
import type { MachineTables } from './tables'

type SchoolNow = {
  cycle: CycleFacts | null
  items: readonly MenuFacts[]
  childrenOf: ReadonlyMap<number, readonly StudentFacts[]>
  isBroken: boolean
}

/** The school's facts as its tables tell them, while they are there. */
const factsOf = ({ school }: { school: SchoolNow }, live: () => void) => {
  const table = async <Rows>(rows: Rows): Promise<Rows> => {
    live()
    if (school.isBroken) throw new Error('database away')
    return rows
  }
  return {
    zone,
    catalogue: {
      allergyRule: async () => 'block' as const,
      itemsByIds: (ids: readonly number[]) =>
        table(new Map(school.items.filter(({ id }) => ids.includes(id)).map((item) => [item.id, item]))),
    },
    cycles: { orderingCalendar: () => table({ cycle: school.cycle, cutoffOf, closures: [] }) },
    identity: {
      ...nobodyAllergic,
      ...enteredOnce,
      cartChildrenOf: (id: number) =>
        table(
          (school.childrenOf.get(id) ?? []).map((student) => ({
            student,
            needs: { allergies: [], diet: 'none' },
            otherIds: [],
          })),
        ),
    },
  }
}

/** What all processes share: the streams, the tables, the school as it is, the time, the bank. */
export type Environment = {
  store: EventStore
  /** Appends one stream after another, so that others and crashes come between. */
  isSplit: boolean
  database: MachineTables
  viewsInclude: (position: Position) => Promise<void>
  provider: CardProvider
  clock: { now: Date }
  pause: () => Promise<unknown>
  withdrawnItems?: WithdrawnItems
  school: {
    cycle: CycleFacts | null
    items: readonly MenuFacts[]
    childrenOf: ReadonlyMap<number, readonly StudentFacts[]>
    discountOf: (userId: number) => number
    /** Card payments are refused for alternative ones. */
    isBypassed?: boolean
    /** Prompts are sent to phones. */
    hasPrompts?: boolean
    /** So many more calls of a limit are allowed. */
    promptsLeft?: number
    /** What is handed in without a card and costs something is paid for otherwise; else it is refused. */
    hasAlternative?: boolean
    /** What is asked of the school's tables fails. */
    isBroken: boolean
  }
}

const nobody = () => {
  throw new Error('Not part of these stories')
}

/** What a process of the service needs, all of it the service's own but the provider, the school and the tables. */
const needsOf = (around: Environment, death: Death | null) => {
  const { school, clock, database } = around
  const { isDead, live, ...eventStore } = mortalStore(around, death)
  const now = () => clock.now
  const viewsInclude = async (position: Position) => {
    live()
    await around.viewsInclude(position)
  }
  const tables = { eventStore, ...factsOf(around, live) }
  const portions = loadPortions(standIn(tables), async () => [])
  const facts = { ...tables, portions }
  const credit = {
    accountOf: creditAccount(standIn({ eventStore })),
    checkoutsThatHold: database.checkoutsThatHold,
    accounts: creditAccounts(standIn({ eventStore })),
    reclaimCredit: reclaimCredit(standIn({ eventStore })),
    reclaimAbsence: reclaimAbsence(standIn({ eventStore })),
    countOutflow: countPayout(
      standIn({ eventStore, zone: tables.zone, refundApprovalAbove: async () => null }),
    ),
    checkoutsThatSpent: database.checkoutsThatSpent,
    ordersCharged: database.ordersCharged,
    ordersGivenCredit: database.ordersGivenCredit,
    entriesOfOrders: database.entriesOfOrders,
  }
  const { identity } = tables
  const shown = {
    eventStore,
    familyTerms: hourTerms,
    shownTerms: hourTerms,
    receiptNumbers: async () => new Map(),
    identity,
  }
  const orders = orderCommands(standIn({ ...shown, viewsInclude, now, credit, portions }))
  const ordering = {
    ordersNow: ordersNow(standIn({ eventStore })),
    refundStep: orders.refundStep,
    ...orderPayments(standIn({ ...facts, credit }), async () => []),
    orderIdsWhere: database.orderIdsWhere,
    unpaidOrders: nobody,
    holdersOf: holdersOf(standIn(facts)),
    ordersWhere: nobody,
    change: nobody,
    totals: async () => new Map(),
    checkCart: checkCart(
      standIn({
        ...facts,
        discountOf: async (userId) => () => ({ percentage: school.discountOf(userId), sponsor: null }),
      }),
    ),
    mealsOf: mealsOf(standIn(facts)),
    orderReplies: orderReplies(standIn(shown)),
    paidLineUnavailableReasons: paidLineUnavailableReasons(standIn(facts)),
    amendedLines: amendedLines(standIn(facts)),
  }
  const { verify } = around.provider
  const needs: PaymentsNeeds = standIn({
    eventStore,
    cycles: { ...facts.cycles, closedSince: async () => () => undefined },
    database,
    now,
    viewsInclude,
    log: silentLog,
    zone,
    graceMinutes: 15,
    withdrawnItems: around.withdrawnItems ?? 'honour',
    provider: {
      ...around.provider,
      verify: async (...asked) => {
        live()
        return verify(...asked)
      },
    },
    queue: { enqueue: nobody },
    pushSecret: null,
    siteOf: (origin) => origin,
    pageOf: (paymentUrl) => paymentUrl,
    ordering,
    credit,
    receiptsOfCheckouts: async (ids) => new Map(ids.map((id) => [id, receipt])),
    identity: {
      usernamesOf: nobody,
      peopleOf: nobody,
      families: nobody,
      usersNamed: nobody,
      studentsOfUsers: nobody,
      confirmPassword: nobody,
      cartChildrenOf: facts.identity.cartChildrenOf,
      maxUnpaidMeals: async () => 40,
      otherIdsOf: async () => new Map(),
      maySkipEmail: async () => false,
    },
    messaging: { tellingSuperadmins: nobody, messageUser: async () => true },
    catalogue: facts.catalogue,
  })
  return { needs, orders, ordering, credit, isDead }
}

/** The receipt of whatever was paid. */
export const receipt = { number: '2026-000123', url: 'https://school.example/receipts/2026-000123' }

/** One process of the service in these surroundings, which may die. What is changed in its `needs` takes effect. */
const wallet = { name: '', number: '' }
const bankTransfer = { bankName: '', accountName: '', accountNumber: '', branchName: '', swiftCode: '' }
const noWays = paymentBypass.parse({ enabled: false, airtelMoney: wallet, mtnMoney: wallet, bankTransfer })

export const serviceProcess = (around: Environment, death: Death | null = null) => {
  const { needs: plain, orders, ordering, credit, isDead } = needsOf(around, death)
  const needs = Object.assign(plain, {
    settle: verifyAndSettle(plain),
    settings: async () => ({
      ...noWays,
      enabled: around.school.isBypassed ?? false,
      prompt: around.school.hasPrompts ?? false,
    }),
    notePrompt: async () => {
      const left = around.school.promptsLeft ?? 10
      if (left === 0) throw tooManyRequests(1800)
      around.school.promptsLeft = left - 1
      return async () => void (around.school.promptsLeft! += 1)
    },
    noteToken: async () => undefined,
  })
  const terms: CheckoutTerms = {
    refuseOtherWay: async (way) => {
      if (!around.school.hasAlternative || way === 'mtn') throw refusal('way_not_offered')
    },
    termsOf: async (attemptId, { payBy }) =>
      around.school.hasAlternative
        ? {
            kind: 'alternative' as const,
            companyRef: `ALT-${attemptId.slice(0, 8)}`,
            ...(payBy && { payBy }),
          }
        : { kind: 'free' as const, companyRef: null },
  }
  const attemptOf = async (id: string) => (await loadStream(needs.eventStore, paymentAttempt, id)).state
  const payments = {
    paidForLine: async (id: string, line: number) => paidForLine(await attemptOf(id), line),
    owedByAttempt: async (id: string) => owedBack(await attemptOf(id)),
    owingAttempts: () => owingAttempts(needs.database.knex),
    recordRefund: recordRefund(needs),
  }
  const transfers: TransfersNeeds = standIn({ ...needs, payments })
  const refunds: OwedNeeds = standIn({
    ...needs,
    ...around.database,
    database: around.database,
    refundApprovalAbove: async () => null,
    ordering,
    credit,
    payments,
  })
  const settling = settlePayments(needs)
  const [paidBack, owed, credited] = [recordRefunds(refunds), settleRefunds(refunds), settleCredit(refunds)]
  return {
    isDead,
    needs,
    transfers,
    attemptOf,
    start: startCardPayment(needs),
    settle: needs.settle,
    confirmItems: confirmItems(needs),
    recordBrowserClaim: recordBrowserClaim(needs),
    retry: retry(needs),
    accept: accept(needs),
    waive: waive(needs),
    abandon: abandon(needs),
    place: placeFreeCheckout(needs, terms),
    push: async (raw: string) => answerPush(needs)(await takePush(needs)(raw)),
    cancelOwn: orders.cancelOwn,
    changeOrders: orders.changeOrders,
    verifyByHand: verifyByHand(transfers),
    undoByHand: undoByHand(transfers),
    payBack: payBackRefund(refunds),
    turnIntoCredit: turnIntoCredit(refunds),
    /** A family's credit, for what the office and others do to it. */
    changeCredit: commandHandler(familyCredit, needs),
    /** A meal slot, for what cancels with a remedy. */
    changeSlot: commandHandler(mealSlot, needs),
    sweeps: [
      ...cardPaymentSweeps(needs),
      settling.sweep,
      finishFreeCheckouts(needs),
      followHeldCredit(needs),
      paidBack.sweep,
      settleTransfers(transfers),
      owed.sweep,
      credited.sweep,
    ],
    works: [settling.work, recoverPaymentWork(needs), paidBack.work, owed.work, credited.work],
  }
}

export type ServiceProcess = ReturnType<typeof serviceProcess>
