import { openInfrastructure } from './infrastructure'
import type { Infrastructure } from './infrastructure'
import { closing } from './closing'
import { compose } from './compose'
import type { Config } from './config'
import { devMailRoutes } from './dev-mail.routes'
import { readinessOf, watch } from './readiness'
import { sessionKeys } from './session-keys'
import { startSweeper } from './sweeper'
import type { Now } from '#platform/clock'
import { httpServer } from '#platform/http/http-server'
import { metricsRegistry } from '#platform/http/metrics'
import { postgresRateLimits, sweepRateLimits } from '#platform/http/rate-limits'
import type { Log } from '#platform/log'
import type { Module } from '#platform/module'
import { startFollower } from '#platform/projections/follower'
import { startProjector } from '#platform/projections/projector'
import { StartError } from '#platform/start-error'

export type Surroundings = {
  log: Log
  now: Now
  /** The built web application; null to serve none. */
  webRoot: string | null
  /** True when the school is made up. */
  demo: boolean
}

export type Tuckshop = {
  url: string
  /** The superadmin's generated password, only at the very first start. */
  superadminPassword: string | null
  modules: Module[]
  /** Stops taking requests, finishes those that run and the jobs, then closes everything. */
  stop: () => Promise<void>
}

/** Opens the infrastructure and starts the service on it; closes all of it again when the service cannot start. */
export const startTuckshop = async (config: Config, surroundings: Surroundings): Promise<Tuckshop> => {
  const infrastructure = await openInfrastructure(config, surroundings)
  try {
    const service = await startService(infrastructure, config, surroundings)
    return {
      ...service,
      stop: async () => {
        await service.stop()
        await infrastructure.close()
      },
    }
  } catch (error) {
    await infrastructure.close()
    throw error
  }
}

/** Starts the role's parts on an open infrastructure; `stop` leaves the infrastructure open. */
export const startService = async (
  infrastructure: Infrastructure,
  config: Config,
  surroundings: Surroundings,
): Promise<Tuckshop> => {
  const { log, now, webRoot, demo } = surroundings
  const started = closing()
  const { database } = infrastructure
  const rateLimits = config.RATE_LIMITS === 'on' ? postgresRateLimits(database.pool) : ('off' as const)
  const keys = await sessionKeys(config)
  const school = compose({
    ...infrastructure,
    config,
    log,
    now,
    demo,
    rateLimits,
    sessionKeys: keys,
    viewsPassed: (position) => projector.viewsPassed(position),
  })
  const views = school.modules.flatMap((module) => module.views)
  const projector = startProjector({ ...infrastructure, views, now, log })
  started.add(projector.close)
  try {
    const { password } = await school.ensureSuperadmin()
    const metrics = metricsRegistry()
    watch(metrics, infrastructure, projector)
    if (config.ROLE !== 'web') started.add(await startWorker(infrastructure, school, surroundings))
    const server = httpServer({
      routes: config.ROLE === 'worker' ? [] : routesOf(school.modules, config),
      refusals: refusalsOf(school.modules),
      principalOf: school.principalOf,
      sessions: school.sessions,
      rateLimits,
      log,
      metrics,
      publicUrl: config.publicUrl,
      sessionKeys: keys,
      trustProxy: config.TRUST_PROXY,
      webRoot: config.ROLE === 'worker' ? null : webRoot,
      readiness: readinessOf(infrastructure, projector),
    })
    const listening = await server.listen(config.PORT, config.HOST).catch(explainPort(config))
    started.add(listening.close)
    return { url: listening.url, superadminPassword: password, modules: school.modules, stop: started.close }
  } catch (error) {
    await started.close()
    throw error
  }
}

/** The statuses of all modules' refusal codes; a code that two modules answer differently is a mistake of ours. */
const refusalsOf = (modules: Module[]): Record<string, number> => {
  const all: Record<string, number> = {}
  for (const { name, refusals } of modules)
    for (const [code, status] of Object.entries(refusals)) {
      if ((all[code] ?? status) !== status)
        throw new Error(`${name} gives ${code} another status than a sibling`)
      all[code] = status
    }
  return all
}

const routesOf = (modules: Module[], config: Config) => [
  ...modules.flatMap((module) => module.routes),
  ...(config.SMTP_URL || config.production ? [] : devMailRoutes(config.DATA_DIR)),
]

/** Jobs, reactors and sweeps; answers how to stop them, the jobs that run being finished. */
const startWorker = async (
  infrastructure: Infrastructure,
  { modules, sessions }: ReturnType<typeof compose>,
  { now, log }: Surroundings,
) => {
  const reactors = modules.flatMap((module) => module.reactors)
  const followers = reactors.map(({ name, types, react }) =>
    startFollower({ ...infrastructure, name, types, now, log, handle: react }),
  )
  const stopJobs = await infrastructure.queue.start(modules.flatMap((module) => module.jobs))
  const housekeeping = { name: 'end-expired-sessions', run: async () => void (await sessions.sweep()) }
  const forgetting = {
    name: 'forget-old-call-budgets',
    run: async () => void (await sweepRateLimits(infrastructure.database.pool)),
  }
  const sweeper = startSweeper([...modules.flatMap((module) => module.sweeps), housekeeping, forgetting], log)
  return async () => {
    await sweeper.stop()
    await stopJobs()
    await Promise.all(followers.map((follower) => follower.close()))
  }
}

const explainPort =
  ({ PORT, HOST }: Config) =>
  (error: NodeJS.ErrnoException): never => {
    const reasons: Record<string, string> = {
      EADDRINUSE: 'is taken by another program',
      EACCES: 'may not be used by this user',
      EADDRNOTAVAIL: 'is not on this machine',
    }
    const reason = reasons[error.code ?? '']
    if (!reason) throw error
    throw new StartError(`Port ${PORT} on ${HOST} ${reason}: set PORT (or HOST) to another.`)
  }
