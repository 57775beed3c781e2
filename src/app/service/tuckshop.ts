import { metricsRegistry, type Listening } from '#platform/http/http-server'
import { rateLimiter } from '#platform/http/rate-limits'
import type { Route } from '#platform/http/route'
import { contextsOf, type Module } from '#platform/module'
import { startProjectors } from '#platform/projections/projector'
import { requestKeys } from '#platform/request-keys'
import { compose } from '../compose'
import type { Config, Environment } from '../config'
import { measuredEventStore, measuredWait } from '../metrics/measured'
import { watch } from '../metrics/watch'
import { openInfrastructure, type Infrastructure, closing } from './infrastructure'
import { failingOf, readinessOf } from './readiness'
import { keepSuperadminPassword, pushSecret, sessionKeys } from './secrets'
import { routesOf, serve } from './web'
import { startWorker, type Worker } from './worker'

export type Tuckshop = {
  url: string
  /** The file with superadmin's generated password, only at the very first start. */
  superadminPasswordFile: string | null
  modules: Module[]
  routes: Route[]
  stop: () => Promise<void>
}

export const startTuckshop = async (config: Config, environment: Environment): Promise<Tuckshop> => {
  const infrastructure = await openInfrastructure(config, environment)
  try {
    await infrastructure.maintenance.tidy()
    const service = await startService(infrastructure, config, environment)
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

export const startService = async (
  opened: Infrastructure,
  config: Config,
  environment: Environment,
): Promise<Tuckshop> => {
  const { log, now, demo, passwordCost } = environment
  const started = closing()
  const metrics = metricsRegistry()
  const infrastructure = { ...opened, eventStore: measuredEventStore(opened.eventStore, metrics) }
  const rateLimits = config.RATE_LIMITS === 'on' ? rateLimiter(opened.budgets) : 'off'
  const keys = await sessionKeys(config)
  let ownUrl = config.publicUrl
  const viewsInclude = measuredWait((position) => projectors.viewsInclude(position), metrics)
  const school = compose({
    ...infrastructure,
    config,
    log,
    now,
    demo,
    passwordCost,
    rateLimits,
    metrics,
    sessionKeys: keys,
    pushSecret: await pushSecret(config),
    ownUrl: () => ownUrl,
    failing: () => failing(),
    viewsInclude,
  })
  started.add(school.cards.close)
  const contexts = contextsOf(school.modules)
  const { viewsWaitMs } = environment
  const projectors = startProjectors({ ...infrastructure, contexts, now, log, viewsWaitMs })
  started.add(projectors.close)
  let worker: Worker | null = null
  const failing = failingOf(infrastructure, projectors, () => worker?.failing() ?? [])
  try {
    const { password } = await school.ensureSuperadmin()
    await school.sealSecondFactors()
    const superadminPasswordFile =
      password === null ? null : await keepSuperadminPassword(config.DATA_DIR, password)
    const readiness = readinessOf(infrastructure, projectors, school.cards.kind, failing)
    const routes = routesOf(school, config, environment.webRoot)
    const web = {
      config,
      school,
      routes,
      environment,
      sessionKeys: keys,
      rateLimits,
      requestKeys: requestKeys(infrastructure.database.knex, now),
      viewsInclude,
      metrics,
      readiness,
    } as const
    const listening = await serve(web)
    started.add(listening.close)
    if (config.ROLE !== 'worker') ownUrl = reachable(listening)
    if (config.ROLE !== 'web') {
      worker = await startWorker(infrastructure, school, environment, metrics)
      started.add(worker.stop)
    }
    const followings = [...projectors.followings, ...(worker?.followings ?? [])]
    const { modules } = school
    watch(metrics, infrastructure, { config, log, followings, readiness, failing, modules })
    return {
      url: listening.url,
      superadminPasswordFile,
      modules,
      routes: routes.flat(),
      stop: started.close,
    }
  } catch (error) {
    await started.close()
    throw error
  }
}

const reachable = ({ url, port }: Listening) =>
  /\/\/(0\.0\.0\.0|\[::\]):/.test(url) ? `http://127.0.0.1:${port}` : url
