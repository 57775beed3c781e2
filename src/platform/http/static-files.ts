import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

/** A file of the build, in memory. `compressed` is null for what does not get smaller. */
export type StaticFile = {
  body: Buffer
  extension: string
  etag: string
  cacheControl: string
  compressed: ((encoding: Encoding) => Promise<Buffer>) | null
}

const suffixes = { br: '.br', gzip: '.gz' } as const
const compressible = /\.(?:html|js|mjs|css|json|map|svg|txt|xml|webmanifest|ico|ttf|wasm)$/
const hashedName = /^\/assets\/.+-[\w-]{8,}\.\w+$/
const worthCompressing = 1024

/**
 * Reads the built web application once, by the path it is asked for (`/index.html`, `/assets/app-4f8a21c0.js`).
 * Only what was there at the start is served, so no address can lead out of the folder.
 */
export const loadStaticFiles = (root: string): Map<string, StaticFile> => {
  const bodies = new Map<string, Buffer>()
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    bodies.set(`/${relative(root, file).split(sep).join('/')}`, readFileSync(file))
  }
  const files = new Map<string, StaticFile>()
  for (const [path, body] of bodies)
    if (!isPrecompressed(path, bodies)) files.set(path, staticFile(path, body, bodies))
  return files
}

const isPrecompressed = (path: string, bodies: Map<string, Buffer>) =>
  Object.values(suffixes).some((suffix) => path.endsWith(suffix) && bodies.has(path.slice(0, -suffix.length)))

const staticFile = (path: string, body: Buffer, bodies: Map<string, Buffer>): StaticFile => ({
  body,
  extension: path.slice(path.lastIndexOf('.')),
  // Weak, because the compressed forms share it.
  etag: `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
  cacheControl: hashedName.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
  compressed:
    compressible.test(path) && body.length > worthCompressing ? compressor(path, body, bodies) : null,
})

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** What the build left beside the file, or else made when first asked for and kept. */
const compressor = (path: string, body: Buffer, bodies: Map<string, Buffer>) => {
  const made = new Map<Encoding, Promise<Buffer>>()
  const make = (encoding: Encoding) => {
    const left = bodies.get(path + suffixes[encoding])
    if (left) return Promise.resolve(left)
    if (encoding === 'gzip') return toGzip(body, { level: 9 })
    return toBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
  }
  return (encoding: Encoding) => {
    const ready = made.get(encoding) ?? make(encoding)
    made.set(encoding, ready)
    return ready
  }
}
