// The server, started again at each change of its sources, and Vite with hot reload in front of it.
import { spawn } from 'node:child_process'
import { createServer } from 'vite'
import { root } from './root.mjs'

process.chdir(root)
const port = process.env.PORT || '3000'
const server = spawn(
  process.execPath,
  ['node_modules/tsx/dist/cli.mjs', 'watch', '--clear-screen=false', 'src/app/start-main.ts'],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, PORT: port } },
)
const to = `http://127.0.0.1:${port}`
const web = await createServer({
  root: `${root}/web`,
  configFile: `${root}/vite.config.ts`,
  server: { proxy: { '/api': to, '/sandbox': to, '/dev': to } },
})
await web.listen()
web.printUrls()

let ending = false
const end = async (code) => {
  if (ending) return
  ending = true
  server.kill('SIGTERM')
  await web.close()
  process.exitCode = code
}
process.on('SIGTERM', () => void end(0))
process.on('SIGINT', () => void end(0))
server.once('exit', (code) => void end(code ?? 0))
