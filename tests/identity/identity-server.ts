import { Registry } from 'prom-client'
import { catalogueModule } from '#modules/catalogue/index'
import { enrolmentModule, type Enrolment } from '#modules/enrolment/index'
import { identityModule, type Identity } from '#modules/identity/index'
import { messagingModule, type Messaging } from '#modules/messaging/index'
import { httpServer } from '#platform/http/http-server'
import type { ConsumeCall } from '#platform/http/rate-limits'
import type { Log } from '#platform/log'
import type { Mail, SmsGateway } from '#platform/ports'
import { type Client, clientOf } from '../../src/app/demo/client'
import { testDatabase } from '../support/postgres'
import { quietNotices, requestKeysInMemory, standIn, testPasswordCost } from '../support/stand-ins'

const publicUrl = 'https://lunch.example.com'
const morning = new Date('2026-09-16T05:00:00Z')

type Enqueued = { name: string; payload: unknown; id: string }

/**
 * The modules messaging, identity and enrolment behind the real HTTP server on a database of its own, with a settable clock, a queue that waits
 * to be run, a mailer that keeps what it is given (or fails) and a made-up count of orders.
 */
export const startIdentity = async (
  options: { superadminPassword?: string; rateLimits?: ConsumeCall; sms?: SmsGateway } = {},
) => {
  const heard: { level: string; message: string; details: object }[] = []
  const hear = (level: string) => (details: object, message: string) => {
    heard.push({ level, message, details })
  }
  const log: Log = {
    debug: hear('debug'),
    info: hear('info'),
    warn: hear('warn'),
    error: hear('error'),
    child: () => log,
  }
  const { database, close: closeDatabase } = await testDatabase()
  const untouched = () => ({
    now: morning,
    mails: [] as Mail[],
    mailServerIsDown: false,
    mailServerAnswers: async () => {},
    queue: [] as Enqueued[],
    queueIsDown: false,
    ordersOf: new Map<number, number>(),
    mealsInPayment: 0,
    sameDates: [] as string[],
    creditLeft: { creditBalance: 0, owed: 0 },
    cancellingFails: false,
  })
  const world = untouched()
  const now = () => world.now
  const rateLimits = options.rateLimits ?? 'off'
  const catalogue = catalogueModule(standIn({ database, now, notifications: quietNotices().notifications }))
  const ports = {
    database,
    now,
    log,
    rateLimits,
    publicUrl,
    schoolName: 'Baobab School',
    zone: 'Africa/Lusaka',
    sms: options.sms ?? null,
    mailer: {
      send: async (mail: Mail) => {
        if (world.mailServerIsDown) throw new Error('The mail server is down')
        world.mails.push(mail)
        await world.mailServerAnswers()
      },
    },
    queue: {
      enqueue: async ({ name }: { name: string }, payload: unknown, { id }: { id: string }) => {
        if (world.queueIsDown) throw new Error('The queue is down')
        world.queue.push({ name, payload, id })
      },
    },
  }
  const messaging: Messaging = messagingModule(
    standIn({
      ...ports,
      addressees: {
        byIds: (...asked) => identity.addressees.byIds(...asked),
        superadmins: (...asked) => identity.addressees.superadmins(...asked),
        confirmLink: (...asked) => identity.addressees.confirmLink(...asked),
      },
    }),
  )
  const identity: Identity = identityModule(
    standIn({
      ...ports,
      messaging,
      demo: false,
      passwordCost: testPasswordCost,
      signingKeys: ['new-key', 'old-key'],
      superadminPassword: options.superadminPassword,
      retentions: () => messaging.retentions!,
      catalogue,
      claims: {
        trying: (...asked) => enrolment.claims.trying(...asked),
        within: (...asked) => enrolment.claims.within(...asked),
      },
    }),
  )
  const enrolment: Enrolment = enrolmentModule(
    standIn({
      ...ports,
      messaging,
      identity,
      signingKeys: ['new-key', 'old-key'],
      deletionList: { add: async () => undefined },
      forgetWords: messaging.forgetWords!,
      readModels: {
        forgetKey: () => undefined,
        refold: async () => undefined,
        isRebuilding: async () => false,
      },
      ordering: {
        orderIdsWhere: async ({ studentIds = [] }) =>
          studentIds.flatMap((id) => Array<string>(world.ordersOf.get(id) ?? 0).fill(`${id}`)),
        ordersWhere: async () => [],
        totals: standIn(
          async (_filter: unknown, by: string) =>
            new Map((by === 'date' ? world.sameDates : []).map((date) => [date, {}])),
        ),
        deleteDiscountCodesOf: async () => undefined,
        deleteCodesOfChild: async () => undefined,
        moveCodesOfChild: async () => undefined,
        plans: { change: async () => standIn({}) },
        change: async (ids) => {
          if (world.cancellingFails) throw new Error('The event store is away')
          for (const id of ids) world.ordersOf.delete(Number(id))
          return { orders: [], position: null }
        },
      },
      payments: {
        mealsInPayment: async () => world.mealsInPayment,
        attemptsOfUser: async () => [],
        attemptStream: () => '',
        forgetUser: async () => undefined,
      },
      transfers: {
        streamsOfUser: async () => [],
        forgetUser: async () => undefined,
      },
      credit: {
        allOf: async () => world.creditLeft.creditBalance,
        streamOfUser: () => '',
        giveUp: async () => {
          world.creditLeft = { creditBalance: 0, owed: 0 }
        },
      },
      refunds: {
        owedForAll: async () => world.creditLeft.owed,
        giveUp: async () => undefined,
        streamsOfAttempts: async () => [],
      },
      audit: { changeStreamsNaming: async () => [] },
    }),
  )
  const server = await httpServer({
    routes: [messaging.routes, identity.routes, enrolment.routes, catalogue.routes],
    refusals: { ...messaging.refusals, ...identity.refusals, ...enrolment.refusals, ...catalogue.refusals },
    sessions: identity.sessions,
    rateLimits,
    requestKeys: requestKeysInMemory(),
    viewsInclude: async () => {},
    log,
    now: () => new Date(),
    publicUrl: 'http://localhost',
    sessionKeys: ['key'],
    trustProxy: 0,
    webRoot: null,
    readiness: async () => ({ ready: true, details: {} }),
    metrics: new Registry(),
  }).listen(0, '127.0.0.1')

  return {
    messaging,
    identity,
    enrolment,
    catalogue,
    database,
    world,
    faults: () => heard.filter(({ level }) => level === 'error'),
    /** What the log heard under this message. */
    logged: (message: string) =>
      heard.filter((line) => line.message === message).map(({ details }) => details),
    visitor: (): Client => clientOf(server.url),
    /** Runs the jobs that wait and those they bring, one after another; answers how many of them failed. */
    runJobs: async (): Promise<number> => {
      let failed = 0
      for (let next = world.queue.shift(); next; next = world.queue.shift()) {
        const { name, payload, id } = next
        const { handle } = [...messaging.jobs, ...identity.jobs].find(({ job }) => job.name === name)!
        await handle(payload, { jobId: id, attempt: 1 }).catch(() => {
          failed += 1
        })
      }
      return failed
    },
    sweep: async () => {
      for (const { run } of [...messaging.sweeps, ...identity.sweeps, ...enrolment.sweeps]) await run()
    },
    /** As at the start, without anybody; ids go on. */
    reset: async () => {
      Object.assign(world, untouched())
      heard.length = 0
      await database.pool.query(
        'truncate identity.users, messaging.mail_outbox, identity.reset_requests, platform.changes cascade',
      )
    },
    minutesPass: (minutes: number) => {
      world.now = new Date(world.now.getTime() + minutes * 60_000)
    },
    close: async () => {
      await server.close()
      await closeDatabase()
    },
  }
}

export type IdentityServer = Awaited<ReturnType<typeof startIdentity>>
