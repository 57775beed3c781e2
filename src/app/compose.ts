import { v7 } from 'uuid'
import { auditModule } from '#modules/audit/index'
import { booksModule } from '#modules/books/index'
import { catalogueModule } from '#modules/catalogue/index'
import { closuresModule } from '#modules/closures/index'
import { creditModule } from '#modules/credit/index'
import { cyclesModule } from '#modules/cycles/index'
import { findModule } from '#modules/find/index'
import { identityModule } from '#modules/identity/index'
import { orderingModule } from '#modules/ordering/index'
import { paymentsModule } from '#modules/payments/index'
import { refundsModule } from '#modules/refunds/index'
import { contextsOf, type Module } from '#platform/module'
import { refoldStreams } from '#platform/projections/refold-streams'
import { openedEvents, sealingEvents, type PersonalValues } from '#platform/event-store/sealed-events'
import type { Now } from '#platform/clock'
import type { Position } from '#platform/event-store/event-store'
import type { TakeCall } from '#platform/http/rate-limits'
import type { Log } from '#platform/log'
import type { Registry } from 'prom-client'
import { inSnapshot } from '../adapters/postgres/snapshot'
import { deletionList } from './backup/deletion-list'
import type { Config } from './config'
import { cardsOf } from './service/card-provider'
import type { Infrastructure } from './service/infrastructure'

export type ComposeNeeds = Pick<
  Infrastructure,
  'database' | 'notifications' | 'eventStore' | 'familyKeys' | 'queue' | 'mailer' | 'sms' | 'maintenance'
> & {
  config: Config
  log: Log
  now: Now
  demo: boolean
  sessionKeys: string[]
  /** The secret in the address that the card provider pushes to. */
  pushSecret: string
  /** Where this process listens, known once it does. */
  ownUrl: () => string
  rateLimits: TakeCall | 'off'
  waitForViews: (position: Position) => Promise<void>
  /** Where calls to the card provider are measured, if anybody looks. */
  metrics?: Registry
}

const makesReadModels: ReadonlySet<string> = new Set(['rebuild', 'restore', 'copy'])

/** The contexts with their needs bound to one another; the only place that knows them all. */
export const compose = (needs: ComposeNeeds) => {
  const { config, database, notifications, familyKeys, queue, mailer, now, log, waitForViews } = needs
  let places: PersonalValues | null = null
  /** The same for every append, once all modules are there. */
  const personal = (): PersonalValues =>
    (places ??= Object.assign({}, ...modules.map((module) => module.personal ?? {})))
  const eventStore = sealingEvents(needs.eventStore, familyKeys, personal)
  const zone = config.SCHOOL_TIMEZONE
  const process = { database, notifications, eventStore, queue, mailer, now, log, waitForViews, zone }
  const cards = cardsOf(needs)

  const deleted = deletionList(config)
  const identity = identityModule({
    ...process,
    demo: needs.demo,
    sms: needs.sms,
    rateLimits: needs.rateLimits,
    publicUrl: config.publicUrl,
    schoolName: config.SCHOOL_NAME,
    signingKeys: needs.sessionKeys,
    superadminPassword: config.SUPERADMIN_PASSWORD,
    ordering: {
      orderCountOf: (studentIds) => ordering.orderCountOf(studentIds),
      ordersOffMenu: (studentIds, grade) => ordering.ordersOffMenu(studentIds, grade),
      sameDates: (some, others) => ordering.sameDates(some, others),
      withLunchesToCome: (studentIds) => ordering.withLunchesToCome(studentIds),
      orderedSince: (studentIds, since) => ordering.orderedSince(studentIds, since),
      cancelOrdersOf: (studentIds, by) => ordering.cancelOrdersOf(studentIds, by),
      deleteDiscountCodesOf: (userId, by) => ordering.deleteDiscountCodesOf(userId, by),
    },
    deletionList: deleted,
    readModels: {
      forgetFamily: (userId) => forgetFamily(userId),
      areBeingMade: async () => makesReadModels.has((await needs.maintenance.running())?.what ?? ''),
    },
    catalogue: { allergenWords: () => catalogue.allergenWords() },
    payments: { mealsInPayment: (studentIds) => payments.mealsInPayment(studentIds) },
    credit: {
      leftOf: async (userId) => ({
        creditBalance: await credit.allOf(userId),
        owed: await refunds.owedForAll(await payments.attemptsOfUser(userId)),
      }),
      giveUp: async (userId, administrator, by) => {
        await refunds.giveUp(await payments.attemptsOfUser(userId), administrator, by)
        await credit.giveUp(userId, administrator, by)
      },
    },
  })

  const catalogue = catalogueModule({
    ...process,
    ordering: {
      itemsWithOrders: (ids) => ordering.itemsWithOrders(ids),
      portionsTaken: (asked) => ordering.portionsTaken(asked),
      ordersOn: (itemId, date) => ordering.ordersOn(itemId, date),
      discountOf: (userId) => ordering.discountOf(userId),
    },
    payments: { itemsInPayment: (ids) => payments.itemsInPayment(ids) },
  })

  const cycles = cyclesModule({
    ...process,
    ordering: {
      orderTotals: (cycleIds) => ordering.orderTotals(cycleIds),
      ordersOnDates: (from, to, exceptCycleId) => ordering.ordersOnDates(from, to, exceptCycleId),
    },
    closures: {
      closedDates: () => closures.closedDates(),
      closePlanned: (...words) => closures.closePlanned(...words),
      endPlanned: (...words) => closures.endPlanned(...words),
    },
  })

  const ordering = orderingModule({
    ...process,
    catalogue,
    cycles,
    identity,
    credit: {
      reclaimCredit: (orders, at) => credit.reclaimCredit(orders, at),
      settlePrice: (change, at) => credit.settlePrice(change, at),
    },
    books: { receiptNumbers: (orders) => books.receiptNumbers(orders) },
  })

  const payments = paymentsModule({
    ...process,
    provider: cards.provider,
    pushSecret: needs.pushSecret,
    siteOf: (origin) => config.PUBLIC_URL?.replace(/\/$/, '') ?? origin,
    pageOf: cards.pageOf,
    closures: { closedSince: (dates, since) => closures.closedSince(dates, since) },
    graceMinutes: config.CUTOFF_GRACE_MINUTES,
    withdrawnItems: config.WITHDRAWN_ITEMS,
    ordering,
    identity,
    catalogue,
    credit: {
      accountOf: (userId) => credit.accountOf(userId),
      checkoutsThatHold: () => credit.checkoutsThatHold(),
      accounts: () => credit.accounts(),
    },
    books: { receiptOfCheckout: (attemptId) => books.receiptOfCheckout(attemptId) },
  })

  const refunds = refundsModule({
    ...process,
    refundApprovalAbove: async () => {
      const { refundApprovalAbove: kwacha } = await books.settings()
      return kwacha === null ? null : Math.round(kwacha * 100)
    },
    identity,
    cards: cards.provider,
    creditNotes: (refundIds) => books.creditNotes(refundIds),
    cardRefundsOn: async () => (await books.settings()).cardRefunds,
    ordering,
    payments,
    credit: {
      owedAsMoney: (order, received) => credit.owedAsMoney(order, received),
      creditForRefund: (refund, at) => credit.creditForRefund(refund, at),
    },
  })

  const credit = creditModule({
    ...process,
    identity,
    ordering,
    payments,
    refunds,
    countOutflow: refunds.countOutflow,
  })

  const closures = closuresModule({ ...process, cycles, ordering, payments, refunds, credit, identity })

  const books = booksModule({
    ...process,
    schoolName: config.SCHOOL_NAME,
    publicUrl: config.publicUrl,
    identity,
    ordering,
    payments,
    refunds,
  })

  const audit = auditModule({
    ...process,
    // The chain is made and checked of events as they are stored.
    eventStore: { ...needs.eventStore, append: eventStore.append },
    openedEvents: (events) => openedEvents(familyKeys, events),
    identity,
    catalogue,
    ordering,
    refunds,
    credit,
    books,
    inSnapshot: (read) => inSnapshot(database.pool, read),
    maintenanceRunning: () => needs.maintenance.running(),
    undisturbed: (work) => needs.maintenance.run('audit', work),
  })

  const find = findModule({ ...process, identity, payments, ordering, books, refunds, credit, audit })

  const modules: Module[] = [
    identity,
    catalogue,
    cycles,
    ordering,
    payments,
    refunds,
    credit,
    closures,
    books,
    audit,
    find,
  ]

  const forgetFamily = async (userId: number): Promise<void> => {
    familyKeys.forget(userId)
    const attempts = await payments.attemptsOfUser(userId)
    const streams = [
      ...attempts.map(payments.attemptStream),
      ...(await payments.transferStreamsOf(userId)),
      ...(await ordering.streamsOfUser(userId)),
      ...(await refunds.streamsOfAttempts(attempts)),
      credit.streamOfUser(userId),
      ...(await audit.changeStreamsNaming(userId)),
    ]
    await payments.forgetUser(userId)
    await refoldStreams({ database, eventStore: needs.eventStore, familyKeys }, contextsOf(modules), streams)
  }

  return {
    modules,
    audit,
    sessions: identity.sessions,
    contact: identity.contact,
    cards,
    /** Deletes the families again that a restore has brought back; answers how many. */
    deleteAgain: async (): Promise<number> =>
      identity.deleteAgain(await deleted.all(), { actor: 'command:restore', correlationId: v7() }),
    sealSecondFactors: identity.sealSecondFactors,
    ensureSuperadmin: identity.ensureSuperadmin,
    resetSuperadmin: identity.resetSuperadmin,
  }
}
