import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Router } from '@koa/router'
import Koa, { type Middleware, type Context } from 'koa'
import compress from 'koa-compress'
import { Registry, collectDefaultMetrics } from 'prom-client'
import type { Log } from '#platform/log'
import type { Now, Ports } from '#platform/ports'
import type { RequestKeys } from '#platform/request-keys'
import { inlineScripts, pageWithData, webFiles, type PageNeeds } from './page'
import { atOnceLimit, uploadTurns, plainAddress, type ConsumeCall } from './rate-limits'
import {
  errorReplies,
  replyJson,
  httpRefusal,
  httpRefusals,
  uploadRefusals,
  notFound,
  observedRequest,
  debugOnlyRoutes,
  stateOf,
} from './request'
import type { Route } from './route'
import { securityHeaders } from './security-headers'
import { inProcessReads, routerOf, wordsFirst, routing } from './serve-route'
import { sessionReader, type SessionStore } from './sessions'

export type HttpNeeds = {
  routes: readonly Route[][]
  refusals: Record<string, number>
  sessions: SessionStore
  rateLimits: ConsumeCall | 'off'
  requestKeys: RequestKeys
  viewsInclude: Ports['viewsInclude']
  log: Log
  now: Now
  /** With https, cookies are Secure and TLS is enforced. */
  publicUrl: string
  sessionKeys: string[]
  /** Number of proxies that append X-Forwarded-For. */
  trustProxy: number
  metricsToken?: string | undefined
  /** Paths that answer this machine alone. */
  localPaths?: RegExp | undefined
  webRoot: string | null
  /** Data embedded in a visitor's page; none by default. */
  page?: PageNeeds
  readiness: () => Promise<Readiness>
  metrics: Registry
  /** Headers 15 s, body 30 s (of an upload without a byte), upload 120 s, closing 10 s. */
  headersTimeoutMs?: number
  bodyTimeoutMs?: number
  uploadTimeoutMs?: number
  closeGraceMs?: number
}

type HttpServer = { app: Koa; listen: (port: number, host: string) => Promise<Listening> }

const maxCartsAtOnce = 4

export const httpServer = (needs: HttpNeeds): HttpServer => {
  const { log, publicUrl, trustProxy, webRoot, bodyTimeoutMs = 30_000, uploadTimeoutMs = 120_000 } = needs
  const https = new URL(publicUrl).protocol === 'https:'
  const app = new Koa({ keys: needs.sessionKeys, proxy: trustProxy > 0, maxIpsCount: trustProxy })
  app.on('error', logDisconnects(log))
  app.use(observedRequest(log, needs.metrics))
  app.use(errorReplies({ ...needs.refusals, ...httpRefusals, ...uploadRefusals }, log))
  app.use(securityHeaders(https, webRoot === null ? [] : inlineScripts(webRoot)))
  if (needs.localPaths) app.use(onlyHere(needs.localPaths))
  app.use(compress({ threshold: 1024 }))
  const session = sessionReader(app, needs.sessions, https)
  const shared = {
    ...needs,
    session,
    bodyTimeoutMs,
    uploadTimeoutMs,
    carts: atOnceLimit(maxCartsAtOnce),
    uploads: uploadTurns(),
  }
  const routes = wordsFirst(needs.routes.flat())
  for (const router of [healthRouter(needs), routerOf(routes, shared)]) app.use(router.routes())
  app.use(new Router().allowedMethods())
  if (webRoot !== null && needs.page)
    app.use(pageWithData(webRoot, needs.page, session, inProcessReads(routes, needs), log))
  for (const serve of webRoot === null ? [] : webFiles(webRoot)) app.use(serve)
  const { headersTimeoutMs: headersMs = 15_000, closeGraceMs: graceMs = 10_000 } = needs
  return { app, listen: (port, host) => listening(app, port, host, { headersMs, graceMs }) }
}

/** `close` stops accepting and lets running requests finish. */
export type Listening = { url: string; port: number; close: () => Promise<void> }

type Timeouts = { headersMs: number; graceMs: number }

const serverOptions = ({ headersMs }: Timeouts) => ({
  maxHeaderSize: 16 * 1024,
  headersTimeout: headersMs,
  // Headers and a whole upload.
  requestTimeout: 150_000,
  // Longer than a load balancer's idle time, so that it closes first.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: Math.min(5_000, headersMs),
})

/** Port 0 picks a free one; rejects as Node does (EADDRINUSE, EACCES). */
const listening = async (app: Koa, port: number, host: string, timeouts: Timeouts): Promise<Listening> => {
  let closing = false
  app.middleware.unshift(hangUpWhen(() => closing))
  const server = createServer(serverOptions(timeouts), app.callback())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const { port: taken } = server.address() as AddressInfo
  const close = () => {
    closing = true
    return finish(server, timeouts.graceMs)
  }
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`, port: taken, close }
}

const hangUpWhen = (closing: () => boolean): Middleware => {
  return async (context, next) => {
    await next()
    if (closing() && !context.headerSent) context.set('Connection', 'close')
  }
}

const finish = (server: Server, graceMs: number) =>
  new Promise<void>((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), 50)
    const grace = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(grace)
      resolve()
    })
  })

const hungUp = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECANCELED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'HPE_INVALID_EOF_STATE',
])

/** Logs incomplete answers: at debug for disconnects, as errors for our own faults. */
const logDisconnects =
  (log: Log) =>
  (err: NodeJS.ErrnoException): void => {
    const { code } = err
    if (code !== undefined && hungUp.has(code)) log.debug({ code }, 'the caller hung up')
    else log.error({ err }, 'an answer could not be sent')
  }

/** `details` are public and hold no secrets. */
export type Readiness = { ready: boolean; details: Record<string, unknown> }

type HealthNeeds = {
  readiness: () => Promise<Readiness>
  metrics: Registry
  /** Opens `/metrics` to remote scrapers; without it only this machine sees it. */
  metricsToken?: string | undefined
  log: Log
}

/** `/healthz` (alive), `/readyz` (can serve), `/metrics` (this machine, or with the token). */
const healthRouter = ({ readiness, metrics, metricsToken, log }: HealthNeeds): Router =>
  new Router(routing)
    .use(quietly)
    .get('/healthz', (context) => replyJson(context, 200, { status: 'ok' }))
    .get('/readyz', async (context) => {
      const { ready, details } = await readiness().catch((err: unknown) => {
        log.error({ err, requestId: stateOf(context).requestId }, 'readiness could not be told')
        return { ready: false, details: {} }
      })
      replyJson(context, ready ? 200 : 503, { ready, details })
    })
    .get('/metrics', async (context) => {
      if (!isThisMachine(context) && !hasToken(context, metricsToken)) throw notFound()
      context.set('Content-Type', metrics.contentType)
      context.body = await metrics.metrics()
    })

export const metricsRegistry = (): Registry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

const quietly: Middleware = (context, next) => {
  stateOf(context).label = debugOnlyRoutes.health
  return next()
}

const loopback = new Set(['127.0.0.1', '::1'])

// A local proxy we do not know would make everyone local; its header shows it.
const isThisMachine = (context: Context) =>
  loopback.has(plainAddress(context.ip)) && (context.app.proxy || !context.req.headers['x-forwarded-for'])

const tracesOfProxies = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via']
const ownNames = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i

/** Neither through a proxy nor under another name, which a page of somebody else's may give to this machine. */
const isAskedHere = ({ req, headers }: Context): boolean => {
  const { remoteAddress = '', localAddress = '' } = req.socket
  const isNear = /^127\.|^::1$/.test(plainAddress(remoteAddress))
  const isItself = remoteAddress !== '' && remoteAddress === localAddress
  if (!(isNear || isItself) || tracesOfProxies.some((name) => headers[name] !== undefined)) return false
  const host = headers.host ?? ''
  return ownNames.test(host) || (isItself && host.replace(/:\d+$/, '') === plainAddress(localAddress))
}

const notHere =
  'This answers the machine that it runs on alone. A demonstration for others is started with DEMONSTRATION=on.'

const onlyHere =
  (paths: RegExp): Middleware =>
  (context, next) => {
    if (paths.test(context.path) && !isAskedHere(context)) throw httpRefusal('forbidden', notHere)
    return next()
  }

const digest = (text: string) => createHash('sha256').update(text).digest()

const hasToken = (context: Context, token: string | undefined) =>
  token !== undefined && timingSafeEqual(digest(context.get('Authorization')), digest(`Bearer ${token}`))
