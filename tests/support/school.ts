import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '#platform/log'
import type { Now } from '#platform/ports'
import { composeOffline } from '../../src/app/commands/command'
import { readConfig } from '../../src/app/config'
import { clientOf, registerParent, staySignedIn } from '../../src/app/demo/client'
import { openInfrastructure } from '../../src/app/service/infrastructure'
import type { Opening } from '../../src/app/service/school-id'
import { startService } from '../../src/app/service/tuckshop'
import { caughtUp } from './caught-up'
import { eventually } from './eventually'
import { inStepInfrastructure, startInStep } from './in-step'
import { freshDatabaseUrl } from './postgres'
import { schoolEvents } from './school-events'
import { testPasswordCost } from './stand-ins'
import { silentLog } from './start-postgres'

export const superadminPassword = 'superadmin-password'

const noSweeps = 3_600_000
/** Sweeps that come by themselves, for tests about what nobody drives. */
export const sweeping = { sweepEveryMs: 1_500 }

export type SchoolOptions = {
  /** The school's wall clock at the start, an ISO instant. A Wednesday morning in term. */
  at?: string
  variables?: Record<string, string>
  webRoot?: string | null
  log?: Log
  sweepEveryMs?: number
  /** The queue forgets every job that it is given, as one that is emptied again and again. */
  forgetsJobs?: boolean
  /** The whole service, with its worker, followers and queue; by default `in-step.ts`, which is half the work. */
  whole?: boolean
}

export type School = Awaited<ReturnType<typeof startSchool>>

/**
 * The whole service on a free port of this machine, a database of its own, and a clock that stands still until it is
 * set. `infrastructure` is what it runs on; `close` ends and removes everything.
 */
export const startSchool = async (options: SchoolOptions = {}) => {
  const { at = '2026-09-16T07:00:00+02:00', variables = {}, webRoot = null, log = silentLog } = options
  // A test drives the sweeps (`sweep`); with browsers they come as in the product, only more often.
  const { sweepEveryMs = webRoot === null ? noSweeps : sweeping.sweepEveryMs } = options
  const dataDir = await mkdtemp(join(tmpdir(), 'tuckshop school '))
  const { url: databaseUrl, drop } = await freshDatabaseUrl()
  const events = await schoolEvents()
  let instant = new Date(at)
  const now = () => instant
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    SUPERADMIN_PASSWORD: superadminPassword,
    SCHOOL_NAME: 'Lusaka Test School',
    EVENTSTORE_URL: events.url,
    ...variables,
  })
  const inStep =
    !options.whole &&
    webRoot === null &&
    options.sweepEveryMs === undefined &&
    config.ROLE !== 'worker' &&
    config.EVENTSTORE_URL === undefined &&
    config.REDIS_URL === undefined &&
    config.RATE_LIMITS === 'off'
  const opened = inStep ? await inStepInfrastructure(config, log) : await openInfrastructure(config, { log })
  const forgetful = { ...opened.queue, enqueue: async () => {} }
  const infrastructure = options.forgetsJobs ? { ...opened, queue: forgetful } : opened
  // A burdened machine shows a write late, and a test reads right after it.
  const passwordCost = config.production ? undefined : testPasswordCost
  const environment = { log, now, webRoot, demo: false, passwordCost, sweepEveryMs, viewsWaitMs: 20_000 }
  const service = await (inStep ? startInStep : startService)(infrastructure, config, environment)
  const viewsShowAll = () => caughtUp(infrastructure.database.pool, infrastructure.eventStore)
  const sweeps = service.modules.flatMap((module) => module.sweeps)
  const runAll = async (some: typeof sweeps) => {
    for (const { run } of some) await run()
    await viewsShowAll()
  }
  const sweepNamed = async (...names: string[]) => {
    const found = sweeps.filter(({ name }) => names.includes(name))
    if (found.length !== names.length) throw new Error(`Not all are sweeps: ${names.join(', ')}`)
    await runAll(found)
  }
  const sweep = () => runAll(sweeps)
  return {
    url: service.url,
    isWhole: !inStep,
    config,
    modules: service.modules,
    routes: service.routes,
    dataDir,
    databaseUrl,
    eventsUrl: events.url,
    infrastructure,
    setClock: (to: string | Date) => void (instant = new Date(to)),
    /** A sweep that met an outage tries again when its time has come, which it never does while the clock stands. */
    passMinute: () => void (instant = new Date(instant.getTime() + 60_000)),
    now,
    /** Runs every sweep once, one after another, until the views show it; a test about outages catches what fails. */
    sweep,
    sweepNamed,
    viewsShowAll,
    /** Sweeps again and again until it is so. */
    sweepUntil: <Seen>(look: () => Seen | Promise<Seen>) =>
      eventually(async () => {
        await sweep()
        return look()
      }),
    visitor: () => clientOf(service.url),
    superadmin: () => staySignedIn(service.url, 'superadmin', superadminPassword),
    signIn: (username: string, password: string) => staySignedIn(service.url, username, password),
    parent: (username: string, more: { name?: string; email?: string } = {}) =>
      registerParent(service.url, { username, password: 'parent-password', name: username, ...more }),
    close: async () => {
      await service.stop()
      await infrastructure.close()
      events.close()
      await drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export type SecondSchool = Awaited<ReturnType<typeof emptySchool>>

/** A place for a school as a command finds it: a fresh database of its own, and nothing started on it. */
export const emptySchool = async (now: Now, variables: Record<string, string> = {}) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tuckshop second '))
  const { url, drop } = await freshDatabaseUrl()
  const open = async (more: Record<string, string>, opening: Opening = 'service') => {
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDir, ...more })
    const infrastructure = await openInfrastructure(config, { log: silentLog, opening })
    const { modules } = composeOffline(infrastructure, config, { log: silentLog, now })
    return { config, infrastructure, modules }
  }
  const school = {
    ...(await open(variables)),
    dataDir,
    /** Once more, as a command does that is given with these variables. */
    reopen: async (more: Record<string, string>, opening?: Opening) => {
      await school.infrastructure.close()
      Object.assign(school, await open(more, opening))
    },
    close: async () => {
      await school.infrastructure.close()
      await drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return school
}
