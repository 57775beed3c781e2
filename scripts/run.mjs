// `node scripts/run.mjs start`: runs dist/server/start-main.js, built when needed, in this very process, so that a
// signal to `npm start` reaches the service and nothing stands between.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './freshness.mjs'
import { root } from './root.mjs'

await ensureBuilt()
const [name] = process.argv.splice(2, 1)
await import(pathToFileURL(join(root, `dist/server/${name}-main.js`)).href)
