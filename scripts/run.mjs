// `node scripts/run.mjs start`: runs dist/server/start-main.js in this process, built if needed, so that signals to `npm start` reach the
// service.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './freshness.mjs'
import { root } from './root.mjs'

await ensureBuilt()
const [name] = process.argv.splice(2, 1)
await import(pathToFileURL(join(root, `dist/server/${name}-main.js`)).href)
