import type { Middleware } from 'koa'
import { httpRefusal, notFound } from './http-refusals'
import { stateOf } from './request-state'
import type { Route } from './route'
import { addressOf, routeTable } from './route-table'
import type { ServeWeb } from './web-files'

const usualBodyBytes = 256 * 1024

/** Finds the route of a request; what no route answers may be a file or page of the web application. */
export const matchRoute = (
  routes: readonly Route[],
  serveWeb: ServeWeb,
  bodyTimeoutMs: number,
): Middleware => {
  const find = routeTable(routes)
  const limits = new Map(
    routes.map((route) => {
      const { maxBodyBytes: maxBytes = usualBodyBytes } = route.options
      return [route, { maxBytes, timeoutMs: bodyTimeoutMs }]
    }),
  )
  return async (context, next) => {
    const found = find(context.method, context.path)
    if (found?.match) {
      const state = stateOf(context)
      state.match = found.match
      state.label = addressOf(found.match.route).path
      state.bodyLimits = limits.get(found.match.route)!
      return next()
    }
    if (found) {
      context.set('Allow', found.allow)
      throw httpRefusal('method_not_allowed', `This address takes ${found.allow} only`)
    }
    if (!(await serveWeb(context))) throw notFound()
  }
}
