import Koa from 'koa'
import compress from 'koa-compress'
import type { Registry } from 'prom-client'
import type { Log } from '#platform/log'
import { errorReplies } from './error-replies'
import type { Readiness } from './health'
import { health } from './health'
import { httpRefusals } from './http-refusals'
import type { Listening } from './listening'
import { listening } from './listening'
import { lostAnswers } from './lost-answers'
import { matchRoute } from './match-route'
import { requestMetrics } from './metrics'
import type { TakeCall } from './rate-limits'
import { rateLimits } from './rate-limits'
import { requestLog } from './request-log'
import { rights } from './rights'
import type { Route } from './route'
import { sameOriginOnly } from './same-origin'
import { securityHeaders } from './security-headers'
import { serveRoute } from './serve-route'
import type { SessionStore } from './session-store'
import { sessionReader } from './sessions'
import { webFiles } from './web-files'

export type HttpNeeds = {
  routes: Route[]
  /** The HTTP status of every module's refusal codes; the platform adds its own. */
  refusals: Record<string, number>
  sessions: SessionStore
  rateLimits: TakeCall | 'off'
  log: Log
  /** The address users type; with https, cookies are Secure and TLS is insisted on. */
  publicUrl: string
  /** Sign the session cookie; the first signs, the others are still accepted. */
  sessionKeys: string[]
  /** How many proxies stand in front and write X-Forwarded-For. */
  trustProxy: number
  /** What a scraper on another machine sends as its bearer token; not set, there is none. */
  metricsToken?: string | undefined
  /** The built web application; null to serve none. */
  webRoot: string | null
  readiness: () => Promise<Readiness>
  metrics: Registry
  /** How long headers (15 s) and a body (30 s) may take to arrive, and running requests to finish when closing (10 s). */
  headersTimeoutMs?: number
  bodyTimeoutMs?: number
  closeGraceMs?: number
}

export type HttpServer = { app: Koa; listen: (port: number, host: string) => Promise<Listening> }

/** The column of middleware that every request passes, outermost first, as one Koa application. */
export const httpServer = (needs: HttpNeeds): HttpServer => {
  const { routes, log, sessions, publicUrl, trustProxy } = needs
  const https = new URL(publicUrl).protocol === 'https:'
  const app = new Koa({ keys: needs.sessionKeys, proxy: trustProxy > 0, maxIpsCount: trustProxy })
  app.on('error', lostAnswers(log))
  app.use(requestLog(log, requestMetrics(needs.metrics)))
  app.use(errorReplies({ ...needs.refusals, ...httpRefusals }, log))
  app.use(securityHeaders(https))
  app.use(compress({ threshold: 1024 }))
  app.use(health(needs))
  app.use(matchRoute(routes, webFiles(needs.webRoot), needs.bodyTimeoutMs ?? 30_000))
  app.use(sameOriginOnly(publicUrl))
  app.use(sessionReader(app, { sessions, https }))
  app.use(rights)
  app.use(rateLimits(needs.rateLimits, log))
  app.use(serveRoute)
  const { headersTimeoutMs: headersMs = 15_000, closeGraceMs: graceMs = 10_000 } = needs
  return { app, listen: (port, host) => listening(app, port, host, { headersMs, graceMs }) }
}
