import { Router } from '@koa/router'
import Koa from 'koa'
import compress from 'koa-compress'
import type { Registry } from 'prom-client'
import type { Now } from '#platform/clock'
import type { Log } from '#platform/log'
import type { RequestKeys } from '#platform/request-keys'
import { errorReplies } from './error-replies'
import { healthRouter, type Readiness } from './health'
import { httpRefusals, uploadRefusals } from './http-refusals'
import { listening, logDisconnects, type Listening } from './listening'
import { atOnceLimit, uploadTurns, type ConsumeCall } from './rate-limits'
import { observedRequest } from './request'
import { inlineScripts, pageWithData, type PageNeeds } from './page'
import type { Route } from './route'
import { securityHeaders } from './security-headers'
import { inProcessReads, routerOf, wordsFirst } from './serve-route'
import { sessionReader, type SessionStore } from './sessions'
import { webFiles } from './web-files'

export type HttpNeeds = {
  routes: readonly Route[][]
  refusals: Record<string, number>
  sessions: SessionStore
  rateLimits: ConsumeCall | 'off'
  requestKeys: RequestKeys
  log: Log
  now: Now
  /** With https, cookies are Secure and TLS is enforced. */
  publicUrl: string
  sessionKeys: string[]
  /** Number of proxies that append X-Forwarded-For. */
  trustProxy: number
  metricsToken?: string | undefined
  webRoot: string | null
  /** Data embedded in a visitor's page; none by default. */
  page?: PageNeeds
  readiness: () => Promise<Readiness>
  metrics: Registry
  /** Headers 15 s, body 30 s, closing 10 s. */
  headersTimeoutMs?: number
  bodyTimeoutMs?: number
  closeGraceMs?: number
}

export type HttpServer = { app: Koa; listen: (port: number, host: string) => Promise<Listening> }

const maxCartsAtOnce = 4

export const httpServer = (needs: HttpNeeds): HttpServer => {
  const { log, publicUrl, trustProxy, webRoot, bodyTimeoutMs = 30_000 } = needs
  const https = new URL(publicUrl).protocol === 'https:'
  const app = new Koa({ keys: needs.sessionKeys, proxy: trustProxy > 0, maxIpsCount: trustProxy })
  app.on('error', logDisconnects(log))
  app.use(observedRequest(log, needs.metrics))
  app.use(errorReplies({ ...needs.refusals, ...httpRefusals, ...uploadRefusals }, log))
  app.use(securityHeaders(https, webRoot === null ? [] : inlineScripts(webRoot)))
  app.use(compress({ threshold: 1024 }))
  const session = sessionReader(app, needs.sessions, https)
  const shared = {
    ...needs,
    session,
    bodyTimeoutMs,
    carts: atOnceLimit(maxCartsAtOnce),
    uploads: uploadTurns(),
  }
  const routes = wordsFirst(needs.routes.flat())
  for (const router of [healthRouter(needs), routerOf(routes, shared)]) app.use(router.routes())
  app.use(new Router().allowedMethods())
  if (webRoot !== null && needs.page)
    app.use(pageWithData(webRoot, needs.page, session, inProcessReads(routes), log))
  for (const serve of webRoot === null ? [] : webFiles(webRoot)) app.use(serve)
  const { headersTimeoutMs: headersMs = 15_000, closeGraceMs: graceMs = 10_000 } = needs
  return { app, listen: (port, host) => listening(app, port, host, { headersMs, graceMs }) }
}
