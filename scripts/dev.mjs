// `npm run dev`: the server rebuilt on each change, behind Vite with hot reload. Browse Vite's address.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { watch } from 'rolldown'
import { createServer } from 'vite'
import { serverBundle } from './build-server.mjs'
import { ensureBuilt } from './freshness.mjs'
import { root } from './root.mjs'

process.chdir(root)
await ensureBuilt()

const port = process.env.PORT || '3000'
const main = join(root, 'dist/server/start-main.js')
let server = null

const stopServer = async () => {
  const stopping = server
  if (stopping === null || stopping.exitCode !== null) return
  const gone = once(stopping, 'exit')
  stopping.kill('SIGTERM')
  await gone
}

const startServer = async () => {
  await stopServer()
  if (ending) return
  const sourceMaps = '--enable-source-maps'
  server = spawn(process.execPath, [sourceMaps, main], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // Ctrl-C goes to this process, which stops the server once.
    detached: true,
    env: { ...process.env, PORT: port },
  })
}

let ending = false
// Serializes restarts.
let turn = Promise.resolve()
const watcher = watch(serverBundle())
watcher.on('event', async (event) => {
  if (event.code === 'END') turn = turn.then(startServer)
  if (event.code === 'ERROR') console.error(event.error.message)
  if (event.code === 'BUNDLE_END' || event.code === 'ERROR') await event.result?.close()
})

const to = `http://127.0.0.1:${port}`
// Keeps the page's Host: the server accepts changes only from its own origin.
const proxied = { target: to, changeOrigin: false }
const web = await createServer({
  root: join(root, 'web'),
  configFile: join(root, 'vite.config.ts'),
  server: { proxy: { '/api': proxied, '/sandbox': proxied, '/dev': proxied, '/assets': proxied } },
})
await web.listen()
web.printUrls()

const end = async () => {
  if (ending) return
  ending = true
  await turn
  await Promise.all([stopServer(), watcher.close(), web.close()])
  process.exit(0)
}
process.once('exit', () => server?.kill('SIGTERM'))
process.on('SIGTERM', () => void end())
process.on('SIGINT', () => void end())
