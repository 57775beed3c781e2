import type { Middleware } from 'koa'
import { refusalOf } from './rights.decide'
import { stateOf } from './request-state'

/** Refuses callers whom the matched route is not for. */
export const rights: Middleware = (context, next) => {
  const { match, principal } = stateOf(context)
  const refusal = match && refusalOf(match.route.access, principal)
  if (refusal) throw refusal
  return next()
}
