import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { root } from './root.mjs'

const page = 'pages/serve/hatch-door.tsx'

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
 * Workbox precache list of the hatch: its own lazy parts only, not those of other pages. Files without a hash in their name are keyed by
 * content, so a worker never mixes two releases.
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
