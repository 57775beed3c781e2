import type { ServerResponse } from 'node:http'
import etag from '@koa/etag'
import { send } from '@koa/send'
import type { Context, Middleware } from 'koa'
import conditional from 'koa-conditional-get'
import { debugOnlyRoutes, stateOf } from './request'

const notPages = /^\/(?:api|dev|sandbox|metrics|healthz|readyz|assets)(?:\/|$)/

// Order ids have dots too, but no letters after them.
const fileName = /\.[a-z]\w*$/i

// Addresses of the application, in any case, with or without a final slash.
export const ownAddress = new RegExp(
  `^/(?:${[
    'account',
    'books/closings/[^/]+',
    'debug-login',
    'families/[^/]+(?:/account)?',
    'guardian-invite/[^/]+',
    'menu/edit/[^/]+',
    'payment/(?:success|cancel)',
    'receipts/[^/]+',
    'register',
    'roll/(?:letters|year-move)',
    'serve',
    'settings',
    'stop/[^/]+',
    'verify-email',
  ].join('|')})?/?$`,
  'i',
)

const hashedName = /\/assets\/[^/]+-[\w-]{8,}\.\w+(?:\.br|\.gz)?$/

/** Serves built files (precompressed `.br` or `.gz`), and `index.html` for own addresses, or with 404 for others. */
export const webFiles = (root: string): Middleware[] => [
  conditional(),
  etag(),
  async (context, next) => {
    const page = isPage(context)
    if (!isRead(context) || !(page || fileName.test(context.path))) return next()
    const sent = await send(context, page ? '/index.html' : context.path, { root, setHeaders }).catch(
      notThere,
    )
    if (!sent) return
    stateOf(context).label = page ? debugOnlyRoutes.page : debugOnlyRoutes.file
    if (page && !ownAddress.test(context.path)) context.status = 404
  },
]

const isRead = ({ method }: Context) => method === 'GET' || method === 'HEAD'

// Missing files are 404: a page would be taken for a broken script or picture.
export const isPage = (context: Context) =>
  ownAddress.test(context.path) ||
  (!notPages.test(context.path) && !fileName.test(context.path) && Boolean(context.accepts('html')))

const setHeaders = (response: ServerResponse, path: string) =>
  response.setHeader(
    'Cache-Control',
    hashedName.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
  )

/** A missing file or a path outside the folder: unanswered, so 404. */
const notThere = (error: { status?: number }) => {
  if (error.status === undefined || error.status >= 500) throw error
}
