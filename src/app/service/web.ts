import type { compose } from '../compose'
import type { Config } from '../config'
import { devMailRoutes } from './dev-mail.routes'
import type { Environment } from './service-options'
import { firstPage, pageTexts } from './first-page'
import { httpServer, type Readiness, type Listening } from '#platform/http/http-server'
import type { ConsumeCall } from '#platform/http/rate-limits'
import type { Route } from '#platform/http/route'
import type { Module } from '#platform/module'
import type { RequestKeys } from '#platform/request-keys'
import { StartError } from '#platform/failures'
import type { Registry } from 'prom-client'

type Needs = {
  config: Config
  school: Pick<ReturnType<typeof compose>, 'modules' | 'sessions' | 'contact'>
  routes: Route[][]
  environment: Environment
  sessionKeys: string[]
  rateLimits: ConsumeCall | 'off'
  requestKeys: RequestKeys
  metrics: Registry
  readiness: () => Promise<Readiness>
}

/** A worker answers health checks only. Throws StartError when the port is taken. */
export const serve = async (needs: Needs): Promise<Listening> => {
  const { config, school, environment } = needs
  const worker = config.ROLE === 'worker'
  const server = httpServer({
    routes: needs.routes,
    refusals: refusalsOf(school.modules),
    sessions: school.sessions,
    rateLimits: needs.rateLimits,
    requestKeys: needs.requestKeys,
    log: environment.log,
    now: environment.now,
    metrics: needs.metrics,
    metricsToken: config.METRICS_TOKEN,
    publicUrl: config.publicUrl,
    sessionKeys: needs.sessionKeys,
    trustProxy: config.TRUST_PROXY,
    webRoot: worker ? null : environment.webRoot,
    page: { firstPage, words: pageTexts(school.contact) },
    readiness: needs.readiness,
  })
  return server.listen(config.PORT, config.HOST).catch(explainPort(config))
}

export const routesOf = ({ modules, cards }: ReturnType<typeof compose>, config: Config): Route[][] =>
  config.ROLE === 'worker'
    ? []
    : [
        ...modules.map(({ routes }) => routes),
        cards.routes,
        config.SMTP_URL || config.production ? [] : devMailRoutes(config.DATA_DIR),
      ]

/** Throws when two modules give one code different statuses. */
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
