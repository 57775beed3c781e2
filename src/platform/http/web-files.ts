import type { Context } from 'koa'
import { stateOf } from './request-state'
import { quietLabels } from './request-log'
import type { Encoding, StaticFile } from './static-files'
import { loadStaticFiles } from './static-files'

/** Answers with a file or page of the web application; false when there is none for this request. */
export type ServeWeb = (context: Context) => Promise<boolean>

const notPages = /^\/(?:api|dev|sandbox|metrics|healthz|readyz|assets)(?:\/|$)/

// An order's id has dots too, but no letters after them.
const fileName = /\.[a-z]\w*$/i

/**
 * Serves the built web application: its files by name, and `index.html` for every other address a browser may open.
 * Null: there is no build to serve (the API alone, or a development server in front).
 */
export const webFiles = (root: string | null): ServeWeb => {
  if (root === null) return () => Promise.resolve(false)
  const files = loadStaticFiles(root)
  const index = files.get('/index.html')
  return async (context) => {
    if (context.method !== 'GET' && context.method !== 'HEAD') return false
    const file = files.get(decoded(context.path))
    const page = !file && isPage(context) ? index : undefined
    const found = file ?? page ?? (context.path === '/' ? index : undefined)
    if (!found) return false
    stateOf(context).label = file ? quietLabels.file : quietLabels.page
    await sendFile(context, found)
    return true
  }
}

const decoded = (path: string) => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

// A missing file must be a 404: a browser would take the page for a broken script or picture.
const isPage = (context: Context) =>
  !notPages.test(context.path) && !fileName.test(context.path) && Boolean(context.accepts('html'))

const sendFile = async (context: Context, file: StaticFile) => {
  context.status = 200
  context.type = file.extension
  context.set('Cache-Control', file.cacheControl)
  context.set('ETag', file.etag)
  if (file.compressed) context.vary('Accept-Encoding')
  if (context.fresh) {
    context.status = 304
    return
  }
  const encoding = file.compressed && context.acceptsEncodings('br', 'gzip', 'identity')
  if (file.compressed && (encoding === 'br' || encoding === 'gzip')) {
    context.set('Content-Encoding', encoding)
    context.body = await file.compressed(encoding satisfies Encoding)
  } else {
    context.body = file.body
  }
}
