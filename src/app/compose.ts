import type { Registry } from 'prom-client'
import { v7 } from 'uuid'
import { auditModule } from '#modules/audit/index'
import { booksModule } from '#modules/books/index'
import { catalogueModule } from '#modules/catalogue/index'
import { closuresModule } from '#modules/closures/index'
import { creditModule } from '#modules/credit/index'
import { cyclesModule } from '#modules/cycles/index'
import { enrolmentModule } from '#modules/enrolment/index'
import { findModule } from '#modules/find/index'
import { identityModule, passwordCostFor, type PasswordCost } from '#modules/identity/index'
import { messagingModule } from '#modules/messaging/index'
import { orderingModule } from '#modules/ordering/index'
import { paymentsModule } from '#modules/payments/index'
import { refundsModule } from '#modules/refunds/index'
import { transfersModule } from '#modules/transfers/index'
import { openedEvents, sealingEvents, type PersonalValues } from '#platform/event-store/sealed-events'
import { rateLimitRetention, type ConsumeCall } from '#platform/http/rate-limits'
import type { Log } from '#platform/log'
import { contextsOf, type Module } from '#platform/module'
import type { Now, Ports } from '#platform/ports'
import { refoldStreams } from '#platform/projections/rebuild-views'
import { requestRetention } from '#platform/request-keys'
import type { Retention } from '#platform/retention'
import { inSnapshot } from '../adapters/postgres/tables'
import { deletionList } from './backup/deletion-list'
import type { Config } from './config'
import { hooks } from './hooks'
import { cardsOf } from './service/card-provider'
import type { Infrastructure } from './service/infrastructure'
import type { Failing } from './service/readiness'

export type ComposeNeeds = Pick<
  Infrastructure,
  | 'database'
  | 'notifications'
  | 'locks'
  | 'eventStore'
  | 'familyKeys'
  | 'queue'
  | 'mailer'
  | 'sms'
  | 'maintenance'
> & {
  config: Config
  log: Log
  now: Now
  demo: boolean
  passwordCost?: PasswordCost
  sessionKeys: string[]
  pushSecret: string
  ownUrl: () => string
  rateLimits: ConsumeCall | 'off'
  viewsInclude: Ports['viewsInclude']
  failing: () => Promise<readonly Failing[]>
  metrics?: Registry
}

const makesReadModels: ReadonlySet<string> = new Set(['rebuild', 'restore'])

/** Makes the modules from bottom to top (docs/decisions/0048). */
export const compose = (needs: ComposeNeeds) => {
  const { config, database, notifications, familyKeys, queue, mailer, now, log, viewsInclude } = needs
  let places: PersonalValues | null = null
  const personal = (): PersonalValues =>
    (places ??= Object.assign({}, ...modules.map((module) => module.personal ?? {})))
  const eventStore = sealingEvents(needs.eventStore, familyKeys, personal)
  const zone = config.SCHOOL_TIMEZONE
  const ports: Ports = {
    database,
    notifications,
    eventStore,
    queue,
    mailer,
    sms: needs.sms,
    now,
    log,
    viewsInclude,
    zone,
    schoolName: config.SCHOOL_NAME,
    publicUrl: config.publicUrl,
  }
  const cards = cardsOf(needs)

  const deleted = deletionList(config)
  const above = hooks(() => ({ identity, ordering, payments, transfers, books, enrolment }))
  const catalogue = catalogueModule({ ...ports, itemsInUse: above.itemsInUse })

  const messaging = messagingModule({ ...ports, addressees: above.addressees, rateLimits: needs.rateLimits })
  const identity = identityModule({
    ...ports,
    messaging,
    demo: needs.demo,
    passwordCost: passwordCostFor(config.production, needs.passwordCost),
    makerUrl: config.MAKER_URL,
    rateLimits: needs.rateLimits,
    signingKeys: needs.sessionKeys,
    superadminPassword: config.SUPERADMIN_PASSWORD,
    catalogue,
    claims: above.claims,
    retentions: () => retentions(),
  })

  const cycles = cyclesModule({ ...ports, ordersOnDates: above.ordersOnDates })
  const credit = creditModule({ ...ports, ...above.refundRules, identity })
  const ordering = orderingModule({
    ...ports,
    ...above.receipts,
    catalogue,
    messaging,
    identity,
    cycles,
    credit,
  })
  const payments = paymentsModule({
    ...ports,
    ...above.receipts,
    messaging,
    identity,
    catalogue,
    cycles,
    credit,
    ordering,
    provider: cards.provider,
    pushSecret: needs.pushSecret,
    siteOf: (origin) => config.PUBLIC_URL?.replace(/\/$/, '') ?? origin,
    pageOf: cards.pageOf,
    graceMinutes: config.CUTOFF_GRACE_MINUTES,
    areCallersLimited: needs.rateLimits !== 'off',
    withdrawnItems: config.WITHDRAWN_ITEMS,
  })
  const transfers = transfersModule({
    ...ports,
    locks: needs.locks,
    messaging,
    identity,
    credit,
    ordering,
    payments,
  })
  const refunds = refundsModule({
    ...ports,
    ...above.receipts,
    ...above.refundRules,
    cards: cards.provider,
    messaging,
    identity,
    credit,
    ordering,
    payments,
  })
  const closures = closuresModule({
    ...ports,
    cycles,
    ordering,
    payments,
    refunds,
    credit,
    messaging,
    identity,
  })

  const books = booksModule({
    ...ports,
    messaging,
    identity,
    ordering,
    payments,
    transfers,
    refunds,
  })

  const audit = auditModule({
    ...ports,
    // The chain covers events as stored, encrypted.
    eventStore: { ...needs.eventStore, append: eventStore.append },
    openedEvents: (events) => openedEvents(familyKeys, events),
    identity,
    catalogue,
    ordering,
    reasonsOf: async (ids) =>
      new Map([...(await ordering.actReasons(ids)), ...(await closures.closureReasons(ids))]),
    refunds,
    credit,
    books,
    inSnapshot: (read) => inSnapshot(database.pool, read),
    maintenanceRunning: () => needs.maintenance.running(),
    withMaintenanceLock: (work) => needs.maintenance.run('audit', work),
  })

  const below: Module[] = [
    messaging,
    identity,
    catalogue,
    cycles,
    ordering,
    payments,
    transfers,
    refunds,
    credit,
    closures,
    books,
    audit,
  ]

  const enrolment = enrolmentModule({
    ...ports,
    messaging,
    identity,
    credit,
    ordering,
    payments,
    transfers,
    refunds,
    audit,
    rateLimits: needs.rateLimits,
    signingKeys: needs.sessionKeys,
    deletionList: deleted,
    forgetWords: async (transaction, words) => {
      for (const module of below) await module.forgetWords?.(transaction, words)
    },
    readModels: {
      forgetKey: (userId) => familyKeys.forget(userId),
      refold: (streams) =>
        refoldStreams({ database, eventStore: needs.eventStore, familyKeys }, contextsOf(below), streams),
      isRebuilding: async () => makesReadModels.has((await needs.maintenance.running())?.what ?? ''),
    },
  })

  const find = findModule({
    ...ports,
    messaging,
    identity,
    payments,
    transfers,
    cycles,
    ordering,
    books,
    refunds,
    credit,
    audit,
    failing: needs.failing,
    familyParts: () => below.flatMap((module) => module.familyParts ?? []),
  })

  const modules: Module[] = [...below, enrolment, find]

  const retentions = (): Retention[] => [
    rateLimitRetention(database.pool),
    requestRetention(database.pool, now),
    ...queue.retentions,
    ...modules.flatMap((module) => module.retentions ?? []),
    ...cards.retentions,
  ]

  return {
    modules,
    audit,
    sessions: identity.sessions,
    contact: messaging.contact,
    cards,
    /** Those of docs/operations.md, "What is kept for how long". */
    retentions,
    deleteAgain: async (): Promise<number> =>
      enrolment.deleteAgain(await deleted.all(), { actor: 'command:restore', correlationId: v7() }),
    sealSecondFactors: identity.sealSecondFactors,
    ensureSuperadmin: identity.ensureSuperadmin,
    resetSuperadmin: identity.resetSuperadmin,
  }
}
