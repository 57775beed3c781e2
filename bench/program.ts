import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Log } from '#platform/log'
import { startEmbeddedPostgres } from '../src/adapters/embedded-postgres/embedded-postgres'
import { readPostmaster } from '../src/adapters/embedded-postgres/server'
import { cpuMs, familyCpuMs } from './usage'

const root = fileURLToPath(new URL('..', import.meta.url))
const silent = () => undefined
const silentLog: Log = { debug: silent, info: silent, warn: silent, error: silent, child: () => silentLog }

export type Program = {
  url: string
  pid: number
  startedInMs: number
  databaseUrl: string
  postmaster: number
  stop: () => Promise<void>
}

export type Command = 'start' | 'demo'

export const superadminPassword = 'bench-superadmin'

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

// `BENCH_NODE_OPTIONS="--cpu-prof --cpu-prof-dir=…" npm run bench` shows where the server's time goes.
const profiling = (process.env.BENCH_NODE_OPTIONS ?? '').split(' ').filter(Boolean)

const nodeOptions = ['--max-old-space-size=256', ...profiling]

const startLimitMs = 60_000

/** Starts the built service on a free port unless one is named, its clock opening at `clock`. */
export const startProgram = async (
  dataDir: string,
  clock: string,
  named?: number,
  variables: Record<string, string> = {},
  command: Command = 'start',
): Promise<Program> => {
  const port = named ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const began = performance.now()
  const child = spawn(process.execPath, [...nodeOptions, join(root, `dist/server/${command}-main.js`)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: dataDir,
      CLOCK: clock,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      SUPERADMIN_PASSWORD: superadminPassword,
      ...variables,
    },
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  process.once('exit', () => child.kill('SIGKILL'))
  await answers(`${url}/readyz`, () => child.exitCode !== null)
  const startedInMs = performance.now() - began
  const ownDir = command === 'demo' ? join(dataDir, 'demo') : dataDir
  const { url: databaseUrl } = await startEmbeddedPostgres({ dataDir: ownDir, log: silentLog, beside: true })
  const home = join(ownDir, 'postgres')
  const folder = await readFile(join(home, 'moved-to'), 'utf8').catch(() => home)
  const postmaster = (await readPostmaster(folder))?.pid
  if (!child.pid || !postmaster) throw new Error('The service or its database has no process')
  return {
    url,
    pid: child.pid,
    startedInMs,
    databaseUrl,
    postmaster,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const restWithinMs = 180_000
const quietSeconds = 3

/** Waits for three idle seconds: the work of the start is over. */
export const resting = async ({ pid, postmaster }: Program): Promise<void> => {
  const used = () => cpuMs(pid) + familyCpuMs(postmaster)
  for (let quiet = 0, end = Date.now() + restWithinMs; quiet < quietSeconds && Date.now() < end;) {
    const before = used()
    await pause(1_000)
    quiet = used() - before < 100 ? quiet + 1 : 0
  }
}

/** Polls every 5 ms for a 200. Throws after a minute or when the process ends. */
export const answers = async (address: string, hasEnded: () => boolean): Promise<void> => {
  for (const end = Date.now() + startLimitMs; Date.now() < end;) {
    if (hasEnded()) throw new Error(`The process behind ${address} ended`)
    const status = await fetch(address, { signal: AbortSignal.timeout(2_000) }).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error(`${address} did not answer within ${startLimitMs} ms`)
}
