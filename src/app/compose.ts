import { auditModule } from '#modules/audit/index'
import { catalogueModule } from '#modules/catalogue/index'
import { cyclesModule } from '#modules/cycles/index'
import { identityModule } from '#modules/identity/index'
import { orderingModule } from '#modules/ordering/index'
import { paymentsModule } from '#modules/payments/index'
import { refundsModule } from '#modules/refunds/index'
import type { Now } from '#platform/clock'
import type { Position } from '#platform/event-store/event-store'
import type { TakeCall } from '#platform/http/rate-limits'
import { postgresSessions } from '#platform/http/sessions'
import type { Log } from '#platform/log'
import type { Registry } from 'prom-client'
import { inSnapshot } from '../adapters/postgres/snapshot'
import { cardsOf } from './service/card-provider'
import type { Config } from './config'
import type { Infrastructure } from './service/infrastructure'

export type ComposeNeeds = Pick<
  Infrastructure,
  'database' | 'notifications' | 'eventStore' | 'queue' | 'mailer'
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

/** The contexts with their needs bound to one another; the only place that knows them all. */
export const compose = (needs: ComposeNeeds) => {
  const { config, database, notifications, eventStore, now, log, waitForViews } = needs
  const zone = config.SCHOOL_TIMEZONE
  const sessions = postgresSessions(database.pool, (id) => identity.sessionOf(id))
  const cards = cardsOf(needs)

  const identity = identityModule({
    database,
    now,
    log,
    mailer: needs.mailer,
    queue: needs.queue,
    timezone: zone,
    demo: needs.demo,
    rateLimits: needs.rateLimits,
    publicUrl: config.publicUrl,
    schoolName: config.SCHOOL_NAME,
    signingKeys: needs.sessionKeys,
    superadminPassword: config.SUPERADMIN_PASSWORD,
    endSessions: sessions.endSessions,
    orderCountOf: async (studentIds) =>
      (await ordering.orderCountOf(studentIds)) + (await payments.mealsInPayment(studentIds)),
    cancelOrdersOf: (studentIds, by) => ordering.cancelOrdersOf(studentIds, by),
  })

  const catalogue = catalogueModule({
    database,
    notifications,
    now,
    itemsWithOrders: async (itemIds) =>
      new Set([...(await ordering.itemsWithOrders(itemIds)), ...(await payments.itemsInPayment(itemIds))]),
    discountFor: async (userId) => {
      const percentage = await ordering.shownDiscountOf(userId)
      return percentage === null ? null : { percentage }
    },
  })

  const cycles = cyclesModule({
    database,
    notifications,
    now,
    zone,
    orderTotals: async (cycleIds) => {
      const totals = await ordering.orderTotals(cycleIds)
      return new Map(
        [...totals].map(([id, { orders, revenue }]) => [
          id,
          {
            totalOrders: orders,
            totalRevenueNgwee: revenue,
          },
        ]),
      )
    },
  })

  const ordering = orderingModule({
    database,
    notifications,
    eventStore,
    waitForViews,
    now,
    zone,
    itemsByIds: async (ids) =>
      new Map(
        [...(await catalogue.itemsByIds(ids))].map(([id, item]) => [
          id,
          {
            ...item,
            price: item.priceNgwee,
          },
        ]),
      ),
    activeCycle: cycles.activeCycle,
    allCycles: cycles.allCycles,
    cyclesByIds: cycles.cyclesByIds,
    calendar: cycles.orderingCalendar,
    studentsOf: identity.orderableStudentsOf,
    userById: identity.personOf,
    usersNamed: identity.usersNamed,
    usernames: identity.usernamesOf,
  })

  const payments = paymentsModule({
    database,
    eventStore,
    queue: needs.queue,
    waitForViews,
    now,
    log,
    zone,
    provider: cards.provider,
    pushSecret: needs.pushSecret,
    siteOf: (origin) => config.PUBLIC_URL?.replace(/\/$/, '') ?? origin,
    pageOf: cards.pageOf,
    graceMinutes: config.CUTOFF_GRACE_MINUTES,
    withdrawnItems: config.WITHDRAWN_ITEMS,
    ordering,
    identity: {
      personOf: identity.personOf,
      usernames: identity.usernamesOf,
      usersNamed: identity.usersNamed,
      studentsOfUsers: identity.studentsOfUsers,
      mailUser: identity.mailUser,
    },
    catalogue: { itemStates: catalogue.itemsByIds },
  })

  const refunds = refundsModule({
    database,
    eventStore,
    waitForViews,
    now,
    queue: needs.queue,
    orderFacts: ordering.orderFacts,
    cancelledPaidOrders: ordering.cancelledPaidOrders,
    markOrderRefunded: ordering.markOrderRefunded,
    owedByAttempt: payments.owedByAttempt,
    paidForLine: payments.paidForLine,
  })

  const audit = auditModule({
    database,
    eventStore,
    queue: needs.queue,
    now,
    log,
    zone,
    usernames: identity.usernamesOf,
    usersNamed: identity.usersNamed,
    inSnapshot: (read) => inSnapshot(database.pool, read),
    orderTotals: ordering.orderTotals,
    owedInAll: refunds.owedInAll,
  })

  return {
    modules: [identity, catalogue, cycles, ordering, payments, refunds, audit],
    audit,
    sessions,
    cards,
    ensureSuperadmin: identity.ensureSuperadmin,
  }
}
