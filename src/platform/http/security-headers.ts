import type { Context, Middleware } from 'koa'
import helmet from 'koa-helmet'
import { httpRefusal } from './request'

/** Browsers always send Origin or Sec-Fetch-Site on writes; a caller without either carries no foreign cookies. */
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

const policy = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  scriptSrcAttr: ["'none'"],
  styleSrc: ["'self'"],
  // Administrators enter picture addresses.
  imgSrc: ["'self'", 'data:', 'https:'],
  fontSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  workerSrc: ["'self'"],
  manifestSrc: ["'self'"],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
  formAction: ["'self'"],
}

const yearSeconds = 365 * 24 * 60 * 60
const permissions = 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'

/** A raw route may set its own policy. No TLS headers on plain http. `pageScripts` are hashes of inline scripts. */
export const securityHeaders = (https: boolean, pageScripts: readonly string[] = []): Middleware => {
  const set = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        ...policy,
        scriptSrc: [...policy.scriptSrc, ...pageScripts],
        ...(https && { upgradeInsecureRequests: [] }),
      },
    },
    // 'no-referrer' sends `Origin: null` with our forms, which the same-origin check refuses.
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: https && { maxAge: yearSeconds, includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
  })
  return (context, next) => {
    context.set('Permissions-Policy', permissions)
    return set(context, next)
  }
}
