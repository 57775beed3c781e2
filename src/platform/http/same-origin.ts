import type { Context, Middleware } from 'koa'
import { httpRefusal } from './http-refusals'

/**
 * Lets calls that change something through only from our own pages. A browser always sends Origin or Sec-Fetch-Site
 * with such a call; without either the caller is no browser and carries nobody's cookies against their will.
 */
export const sameOriginOnly = (publicUrl: string): Middleware => {
  const publicOrigin = new URL(publicUrl).origin
  return (context, next) => {
    if (!isOurs(context, publicOrigin)) throw httpRefusal('cross_site', 'This request came from another site')
    return next()
  }
}

const isOurs = (context: Context, publicOrigin: string) => {
  const { origin } = context.req.headers
  if (origin !== undefined)
    return origin === publicOrigin || origin === `${context.protocol}://${context.host}`
  const site = context.req.headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none'
}
