import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import etag from '@koa/etag'
import { send } from '@koa/send'
import type { Context, Middleware } from 'koa'
import conditional from 'koa-conditional-get'
import { escapeHtml } from '#kernel/html-text'
import { Refusal } from '#kernel/refusal'
import type { Log } from '#platform/log'
import { withTimeout } from '#platform/pacing'
import { debugOnlyRoutes, stateOf } from './request'
import type { Principal } from './route'
import type { InProcessRead } from './serve-route'

export type FirstPage = {
  parts: string[]
  reads: string[]
}

export type PageNeeds = {
  firstPage: (who: Principal | null, at: URL) => FirstPage
  words: () => Promise<Record<string, string>>
}

type Manifest = Record<string, { file: string; css?: string[]; imports?: string[] }>

const patienceMs = 1_500

/** Embeds this visitor's data in the page. When the data fails or is late, serves the bare page, which asks for it. */
export const pageWithData = (
  root: string,
  { firstPage, words }: PageNeeds,
  session: Middleware,
  readHere: InProcessRead,
  log: Log,
): Middleware => {
  const composed = async (context: Context): Promise<string> => {
    await session(context, async () => undefined)
    const { parts, reads } = firstPage(stateOf(context).principal, context.URL)
    const [page, manifest, sent, filled] = await Promise.all([
      readFile(join(root, 'index.html'), 'utf8'),
      manifestIn(root),
      Promise.all(reads.map(async (url) => [url, await replyOrNull(readHere(context, url))] as const)),
      words(),
    ])
    const links = filesBeside(manifest, parts).map(preload)
    return withWords(page, filled)
      .replace('</head>', () => `${links.join('')}</head>`)
      .replace('<!--sent-->', () => dataBlock(Object.fromEntries(sent)))
  }
  return async (context, next) => {
    // index.html by name has no data; the hatch caches it.
    if (context.method !== 'GET' || !isPage(context)) return next()
    const page = await withTimeout(patienceMs, composed(context), notInTime).catch((error: unknown) => {
      log.warn({ err: error, requestId: stateOf(context).requestId }, 'a page goes without its data')
      return null
    })
    if (page === null) return next()
    stateOf(context).label = debugOnlyRoutes.page
    context.status = ownAddress.test(context.path) ? 200 : 404
    context.type = 'html'
    context.set('Cache-Control', 'private, no-store')
    context.body = page
  }
}

const notInTime = () => new Error(`Not read within ${patienceMs} ms`)

/** Null for a refusal, which need not be asked again; failures are left to the page. */
const replyOrNull = (reply: Promise<unknown>): Promise<unknown> =>
  reply.catch((error: unknown) => (error instanceof Refusal ? null : undefined))

const manifestIn = (root: string): Promise<Manifest> =>
  readFile(join(root, '.vite/manifest.json'), 'utf8').then(
    (text) => JSON.parse(text) as Manifest,
    () => ({}),
  )

const filesBeside = (manifest: Manifest, parts: string[]): string[] => {
  const named = filesOf(manifest, ['index.html'])
  return [...filesOf(manifest, parts)].filter((file) => !named.has(file)).map((file) => `/${file}`)
}

const filesOf = (manifest: Manifest, modules: string[], files = new Set<string>()): Set<string> => {
  for (const name of modules) {
    const made = Object.hasOwn(manifest, name) ? manifest[name] : undefined
    if (!made || files.has(made.file)) continue
    for (const file of [made.file, ...(made.css ?? [])]) files.add(file)
    filesOf(manifest, made.imports ?? [], files)
  }
  return files
}

const withWords = (page: string, words: Record<string, string>) =>
  Object.entries(words).reduce(
    (text, [name, word]) => text.replaceAll(`<!--${name}-->`, escapeHtml(word)),
    page,
  )

const preload = (file: string) =>
  file.endsWith('.css')
    ? `<link rel="stylesheet" crossorigin href="${file}">`
    : `<link rel="modulepreload" fetchpriority="low" crossorigin href="${file}">`

/** Escapes `<`: no reply can end its script block. */
const dataBlock = (sent: Record<string, unknown>) =>
  `<script type="application/json" id="sent">${JSON.stringify(sent).replaceAll('<', '\\u003c')}</script>`

/** Hashes of inline scripts for the content security policy. */
export const inlineScripts = (root: string): string[] => {
  const [, ...scripts] = readFileSync(join(root, 'index.html'), 'utf8').split('<script>')
  return scripts.map((rest) => {
    const [text = ''] = rest.split('</script>', 1)
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  })
}

const notPages = /^\/(?:api|dev|sandbox|metrics|healthz|readyz|assets)(?:\/|$)/

// Order ids have dots too, but no letters after them.
const fileName = /\.[a-z]\w*$/i

// Addresses of the application, in any case, with or without a final slash.
const ownAddress = new RegExp(
  `^/(?:${[
    'account',
    'books/closings/[^/]+',
    'debug-login',
    'families/[^/]+(?:/account)?',
    'guardian-invite/[^/]+',
    'menu/edit/[^/]+',
    'payment/(?:success|cancel|phone)',
    'privacy',
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

/** `/assets/index-B1x9Kd2_.js.br`: eight letters or more of a hash. */
const isHashedName = (path: string): boolean => {
  const [name = '', folder] = path
    .replace(/\.(br|gz)$/, '')
    .split('/')
    .toReversed()
  const stem = name.slice(0, name.lastIndexOf('.'))
  return folder === 'assets' && stem.slice(1, -8).includes('-') && /^[\w-]{8}$/.test(stem.slice(-8))
}

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
const isPage = (context: Context) =>
  ownAddress.test(context.path) ||
  (!notPages.test(context.path) && !fileName.test(context.path) && Boolean(context.accepts('html')))

const setHeaders = (response: ServerResponse, path: string) =>
  response.setHeader('Cache-Control', isHashedName(path) ? 'public, max-age=31536000, immutable' : 'no-cache')

/** A missing file or a path outside the folder: unanswered, so 404. */
const notThere = (error: { status?: number }) => {
  if (error.status === undefined || error.status >= 500) throw error
}
