import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { root } from './root.mjs'

const page = 'pages/serve/hatch-door.tsx'

/** What Vite's manifest names for these parts: their files, and those of every part that they import. */
const filesOf = (manifest, names, lazyToo, seen = new Set()) => {
  const files = []
  for (const name of names) {
    if (seen.has(name)) continue
    seen.add(name)
    const { file, css = [], assets = [], imports = [], dynamicImports = [] } = manifest[name]
    const further = lazyToo ? [...imports, ...dynamicImports] : imports
    files.push(file, ...css, ...assets, ...filesOf(manifest, further, lazyToo, seen))
  }
  return files
}

/**
 * What the hatch needs to open without a network, as Workbox takes it. The application's entry loads every page when it
 * is first shown, so of its lazy parts only the hatch and the lazy parts of that are followed. A file without a hash in
 * its name is named by its content, and fetched as nothing else: while two releases are being served, a worker never
 * stores the page of one and the scripts of the other.
 */
const precached = (folder, manifest) => {
  const entry = new Set()
  const first = filesOf(manifest, ['index.html'], false, entry)
  const later = filesOf(manifest, [page], true, entry)
  const named = ['index.html', 'favicon.svg'].map((file) => {
    const hash = createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('base64')
    return { url: `/${file}`, revision: hash, integrity: `sha256-${hash}` }
  })
  return [
    ...named,
    ...[...new Set([...first, ...later])].map((file) => ({ url: `/${file}`, revision: null })),
  ]
}

/** Builds the service worker of the hatch into the built web application. */
export const buildServeWorker = async (folder) => {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
  await build({
    cwd: root,
    input: join(root, 'web/serve-worker/serve-sw.ts'),
    transform: {
      define: {
        PRECACHED: JSON.stringify(precached(folder, manifest)),
        'process.env.NODE_ENV': '"production"',
      },
    },
    output: { file: join(folder, 'serve-sw.js'), format: 'iife', minify: true },
  })
}
