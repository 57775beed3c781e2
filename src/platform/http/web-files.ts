import type { ServerResponse } from 'node:http'
import etag from '@koa/etag'
import { send } from '@koa/send'
import type { Context, Middleware } from 'koa'
import conditional from 'koa-conditional-get'
import { debugOnlyRoutes, stateOf } from './request'

const notPages = /^\/(?:api|dev|sandbox|metrics|healthz|readyz|assets)(?:\/|$)/

// An order's id has dots too, but no letters after them.
const fileName = /\.[a-z]\w*$/i

// The application's own addresses; its router takes them in any case, with a slash at the end or without.
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

/**
 * Serves the built web application: its files by name, compressed where the build has left a `.br` or `.gz` beside
 * them, `index.html` for the application's own addresses and, with 404, for every other that a browser may open.
 */
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

// A missing file must be a 404: a browser would take the page for a broken script or picture.
export const isPage = (context: Context) =>
  ownAddress.test(context.path) ||
  (!notPages.test(context.path) && !fileName.test(context.path) && Boolean(context.accepts('html')))

const setHeaders = (response: ServerResponse, path: string) =>
  response.setHeader(
    'Cache-Control',
    hashedName.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
  )

/** No such file, or an address that leads out of the folder: nothing is answered, and so it is a 404. */
const notThere = (error: { status?: number }) => {
  if (error.status === undefined || error.status >= 500) throw error
}
