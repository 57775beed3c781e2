import { type ChildProcess, spawn, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
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

type Running = { pid: number; parent: number; words: string }

const all = (): Running[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, words = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
      return pid ? [{ pid: Number(pid), parent: Number(parent), words }] : []
    })

const below = (processes: readonly Running[], pid: number): number[] =>
  processes
    .filter(({ parent }) => parent === pid)
    .flatMap((child) => [child.pid, ...below(processes, child.pid)])

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself meanwhile.
  }
}

/** Kills processes at one and the same moment: none of them sees another one die. */
const killAtOnce = (pids: readonly number[]): void => {
  for (const pid of pids) send(pid, 'SIGSTOP')
  for (const pid of pids) send(pid, 'SIGKILL')
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The postmaster of a data directory; null when none runs. */
const postmasterOf = (dataDir: string): { pid: number; port: number } | null => {
  try {
    const file = join(dataDir, 'postgres/cluster/postmaster.pid')
    const lines = readFileSync(file, 'utf8').split('\n')
    const pid = Number(lines[0])
    return isAlive(pid) ? { pid, port: Number(lines[3]) } : null
  } catch {
    return null
  }
}

const databaseOf = (processes: readonly Running[], dataDir: string): number[] => {
  const postmaster = postmasterOf(dataDir)?.pid
  return postmaster ? [postmaster, ...below(processes, postmaster)] : []
}

/** Kills the database with all of its processes, and nothing else. */
export const killDatabase = (dataDir: string): void => killAtOnce(databaseOf(all(), dataDir))

/** Holds the database with all of its processes: they keep their connections and answer nothing. Answers how to let go. */
export const holdDatabase = (dataDir: string): (() => void) => {
  const pids = databaseOf(all(), dataDir)
  for (const pid of pids) send(pid, 'SIGSTOP')
  return () => {
    for (const pid of pids) send(pid, 'SIGCONT')
  }
}

const guardsOf = (processes: readonly Running[], server: number): number[] =>
  processes
    .filter(({ parent, words }) => parent === server && words.includes('read _; kill'))
    .map(({ pid }) => pid)

export const deaths = {
  /** The server process; its guard then stops the database, which the next start may meet while it stops. */
  server: (server: number) => killAtOnce([server]),
  /** The server and its guard; the next start meets a running database. */
  'server and guard': (server: number) => killAtOnce([server, ...guardsOf(all(), server)]),
  /** Everything, as when the machine loses its power. */
  everything: (server: number, dataDir: string) => {
    const processes = all()
    killAtOnce([server, ...guardsOf(processes, server), ...databaseOf(processes, dataDir)])
  },
  /** The server and the head of the database, whose other processes notice in their own time. */
  'server and postmaster': (server: number, dataDir: string) => {
    const postmaster = postmasterOf(dataDir)?.pid
    killAtOnce([server, ...guardsOf(all(), server), ...(postmaster ? [postmaster] : [])])
  },
}

export type Death = keyof typeof deaths

export type Command = ReturnType<typeof startCommand>

/** One of the program's commands on the school of `place`: `backup` is dist/server/backup-main.js. */
export const startCommand = (place: Place, clock: Date, name: string, words: readonly string[] = []) => {
  const begun = Date.now()
  const child = spawn(process.execPath, [join(root, `dist/server/${name}-main.js`), ...words], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...variablesOf(place, clock) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const hear = (text: Buffer) => void (said = (said + text.toString()).slice(-5_000))
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  /** The exit code, null when it was killed. */
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  return { pid: child.pid!, ended, said: () => said, lasted: () => Date.now() - begun }
}

/** Lets it run to its end; throws with its last words unless it exits as wanted. Answers how long it took, in ms. */
export const toTheEnd = async (command: Command, wanted = 0): Promise<number> => {
  const code = await command.ended
  if (code !== wanted) throw new Error(`Exit code ${code} instead of ${wanted}:\n${command.said()}`)
  return command.lasted()
}

/** Kills it after so many ms; false when it had ended before. */
export const killAfter = async (
  command: Command,
  ms: number,
  death: Death,
  dataDir: string,
): Promise<boolean> => {
  const soon = await Promise.race([command.ended.then(() => true), pause(ms).then(() => false)])
  if (soon) return false
  deaths[death](command.pid, dataDir)
  return (await command.ended) === null
}
