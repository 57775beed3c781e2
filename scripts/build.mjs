import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { build as buildWeb } from 'vite'
import { buildServeWorker } from './build-serve-worker.mjs'
import { buildServer } from './build-server.mjs'
import { compressWeb } from './compress-web.mjs'
import { builtMark } from './freshness.mjs'
import { root } from './root.mjs'

// An interrupted build has no mark and is repeated.
rmSync(builtMark, { force: true })
// NODE_ENV is for the service; the web application is always built for production.
process.env.NODE_ENV = 'production'
process.chdir(root)
await buildServer()
await buildWeb({
  root: `${root}/web`,
  configFile: `${root}/vite.config.ts`,
  logLevel: 'warn',
  build: { manifest: true },
})
await buildServeWorker(`${root}/dist/web`)
compressWeb(`${root}/dist/web`)
mkdirSync(dirname(builtMark), { recursive: true })
writeFileSync(builtMark, '')
