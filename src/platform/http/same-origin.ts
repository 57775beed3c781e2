import type { Context, Middleware } from 'koa'
import { httpRefusal } from './http-refusals'

/**
 * Refuses cross-site writes. Browsers always send Origin or Sec-Fetch-Site; without either the caller is no browser and carries no foreign
 * cookies.
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
