import { spawn, type ChildProcess } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const root = process.cwd()

export const superadminPassword = 'superadmin-password'

export type Place = { dataDir: string; port: number; variables: Record<string, string> }

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/** The variables of the program that is tried; `clock` is the instant at which its clock starts. */
export const variablesOf = ({ dataDir, port, variables }: Place, clock: Date) => ({
  PORT: String(port),
  HOST: '127.0.0.1',
  DATA_DIR: dataDir,
  RATE_LIMITS: 'off',
  LOG_LEVEL: 'warn',
  SUPERADMIN_PASSWORD: superadminPassword,
  CLOCK: `${clock.toISOString().slice(0, 19)}Z x${clockRate}`,
  ...variables,
})

/** So many seconds of school time pass in one: payments run out while the test looks on. */
export const clockRate = 20

export type Program = {
  child: ChildProcess
  pid: number
  /** What it wrote so far: the log and its last words. */
  said: () => string
  gone: Promise<void>
  isGone: () => boolean
}

/** Starts the built program; it need not be ready. */
export const launch = (place: Place, clock: Date): Program => {
  const child = spawn(process.execPath, [join(root, 'dist/server/start-main.js')], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...variablesOf(place, clock) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  let ended = false
  const hear = (text: Buffer) => void (said = (said + text.toString()).slice(-20_000))
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => {
      ended = true
      resolve()
    })
  })
  return { child, pid: child.pid!, said: () => said, gone, isGone: () => ended }
}

const patienceMs = 60_000

/** Resolves when it answers that it is ready; throws with its last words when it ends or takes a minute. */
export const ready = async (program: Program, { port }: Place): Promise<void> => {
  const giveUpAt = Date.now() + patienceMs
  for (;;) {
    if (program.isGone()) throw new Error(`The program did not start:\n${program.said()}`)
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, {
      signal: AbortSignal.timeout(5_000),
    }).catch(() => null)
    if (answer?.status === 200) return
    if (Date.now() > giveUpAt)
      throw new Error(`Not ready after a minute: ${await answer?.text()}\n${program.said()}`)
    await pause(50)
  }
}
