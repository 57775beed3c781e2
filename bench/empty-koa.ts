import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { answers, freePort } from './program'

/** The floor of every read: Koa in its own process, answering `{}`. */
export const startEmptyKoa = async (): Promise<{ url: string; pid: number; stop: () => void }> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./empty-koa-server.mjs', import.meta.url)), String(port)],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  await answers(url, () => child.exitCode !== null)
  return { url, pid: child.pid!, stop: () => child.kill() }
}
