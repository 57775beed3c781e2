import { createHash, timingSafeEqual } from 'node:crypto'
import { Router } from '@koa/router'
import type { Context, Middleware } from 'koa'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Log } from '#platform/log'
import { plainAddress } from './caller-key'
import { replyJson } from './error-replies'
import { notFound } from './http-refusals'
import { debugOnlyRoutes, stateOf } from './request'
import { routing } from './serve-route'

/** Whether this process can serve, and why not; `details` are shown to anyone, so they hold no secrets. */
export type Readiness = { ready: boolean; details: Record<string, unknown> }

type HealthNeeds = {
  readiness: () => Promise<Readiness>
  metrics: Registry
  /** Opens `/metrics` to a scraper elsewhere; without one only this machine sees it. */
  metricsToken?: string | undefined
  log: Log
}

/** `/healthz` (the process lives), `/readyz` (it can serve), `/metrics` (for a scraper on this machine, or with the token). */
export const healthRouter = ({ readiness, metrics, metricsToken, log }: HealthNeeds): Router =>
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

/** The registry of one process, with Node's own measurements; hand it to whoever has something to count. */
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

// A proxy on this machine that we were not told of would make everybody look local; its header gives it away.
const isThisMachine = (context: Context) =>
  loopback.has(plainAddress(context.ip)) && (context.app.proxy || !context.req.headers['x-forwarded-for'])

const digest = (text: string) => createHash('sha256').update(text).digest()

const hasToken = (context: Context, token: string | undefined) =>
  token !== undefined && timingSafeEqual(digest(context.get('Authorization')), digest(`Bearer ${token}`))
