import helmet from 'koa-helmet'
import type { Middleware } from 'koa'

const policy = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  scriptSrcAttr: ["'none'"],
  styleSrc: ["'self'"],
  // Menu pictures are addresses that administrators enter.
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

/**
 * Headers of every answer; a raw route may set a policy of its own. Nothing about TLS is promised on plain http.
 * `pageScripts` are the hashes of what may run in the page itself.
 */
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
    // With 'no-referrer' browsers send `Origin: null` with our own forms, which the cross-site check would refuse.
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: https && { maxAge: yearSeconds, includeSubDomains: false },
    xFrameOptions: { action: 'deny' },
  })
  return (context, next) => {
    context.set('Permissions-Policy', permissions)
    return set(context, next)
  }
}
