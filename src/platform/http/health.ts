import { createHash, timingSafeEqual } from 'node:crypto'
import { Router } from '@koa/router'
import type { Context, Middleware } from 'koa'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Log } from '#platform/log'
import { plainAddress } from './rate-limits'
import { replyJson } from './error-replies'
import { notFound } from './http-refusals'
import { debugOnlyRoutes, stateOf } from './request'
import { routing } from './serve-route'

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

const digest = (text: string) => createHash('sha256').update(text).digest()

const hasToken = (context: Context, token: string | undefined) =>
  token !== undefined && timingSafeEqual(digest(context.get('Authorization')), digest(`Bearer ${token}`))
