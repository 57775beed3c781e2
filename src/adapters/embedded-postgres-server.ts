import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Log } from '#platform/log'
import { StartError } from '#platform/start-error'
import { binary } from './embedded-postgres-binaries'
import type { Place } from './embedded-postgres-place'
import { commandOf, waitUntil } from './embedded-postgres-processes'

export const clusterOf = (folder: string) => join(folder, 'cluster')

const settings = (port: number, durable: boolean): string[] =>
  Object.entries({
    port,
    listen_addresses: '127.0.0.1',
    // No socket file: its path may be 107 bytes long at most, and a clone's path may be longer.
    unix_socket_directories: '',
    max_connections: 60,
    shared_buffers: '64MB',
    min_wal_size: '32MB',
    max_wal_size: '256MB',
    wal_level: 'minimal',
    max_wal_senders: 0,
    max_parallel_workers_per_gather: 0,
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    ...(durable
      ? {}
      : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }),
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`])

const launch = (place: Place, name: 'postgres' | 'initdb', words: string[]): ChildProcess => {
  const [command, ...rest] = [...place.prefix, binary(place.binaries, name), ...words]
  return spawn(command as string, rest, {
    ...place.account,
    // A session of its own: Ctrl-C in the terminal is for the service, which then stops its database last.
    detached: true,
    cwd: place.folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

type Watched = { child: ChildProcess; said: () => string; gone: Promise<void>; isGone: () => boolean }

/** Keeps the last words of a child, for the sentence when it fails. */
const watch = (child: ChildProcess, hear: (line: string) => void): Watched => {
  let said = ''
  let gone = false
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000)
    for (const line of text.split('\n')) if (line.trim() !== '') hear(line)
  })
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      gone = true
      resolve()
    }
    child.once('close', end)
    child.once('error', (error) => {
      said += `\n${error.message}`
      end()
    })
  })
  return { child, said: () => said, gone: ended, isGone: () => gone }
}

const lastWords = (said: string): string =>
  said
    .split('\n')
    .findLast((line) => /FATAL|PANIC|error|could not/i.test(line))
    ?.replace(/^.*?(FATAL|PANIC|error):\s*/, '') ?? 'it gave no reason'

/** Makes the cluster, whole or not at all. `password` is the one of the user `tuckshop`. */
export const initialise = async (
  place: Place,
  password: string,
  durable: boolean,
  log: Log,
): Promise<void> => {
  const unfinished = join(place.folder, 'cluster.new')
  const passwordFile = join(place.folder, 'password.new')
  await rm(unfinished, { recursive: true, force: true })
  await rm(passwordFile, { force: true })
  await writeFile(passwordFile, password, { mode: place.account.uid === undefined ? 0o600 : 0o644 })
  const words = [
    `--pgdata=${unfinished}`,
    `--pwfile=${passwordFile}`,
    '--username=tuckshop',
    '--auth=scram-sha-256',
  ]
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const child = launch(place, 'initdb', [...words, ...locale, ...(durable ? [] : ['--no-sync'])])
  const watched = watch(child, (line) => log.debug({}, `initdb: ${line}`))
  await watched.gone
  await rm(passwordFile, { force: true })
  if (child.exitCode !== 0)
    throw new StartError(
      `The embedded database could not be made in ${place.folder}: ${lastWords(watched.said())}`,
    )
  await rename(unfinished, clusterOf(place.folder))
}

/** What `postmaster.pid` says; null when there is none. */
export const readPostmaster = async (folder: string) => {
  const file = join(clusterOf(folder), 'postmaster.pid')
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  const pid = Math.abs(Number(lines[0]))
  return pid > 0 ? { file, lines, pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' } : null
}

export const isPostgresOf = async (pid: number, folder: string): Promise<boolean> =>
  (await commandOf(pid))?.includes(`-D ${clusterOf(folder)} `) ?? false

/** Ends a Postgres whose service was killed, and makes its `postmaster.pid` harmless. */
export const clearLeftover = async (folder: string, log: Log): Promise<void> => {
  const left = await readPostmaster(folder)
  if (left === null) return
  const { pid } = left
  if (await isPostgresOf(pid, folder)) {
    log.info({ pid }, 'stopping the database that an earlier run left behind')
    for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
      process.kill(pid, signal)
      if (await waitUntil(async () => !(await isPostgresOf(pid, folder)), 15_000)) break
    }
  }
  // The number may be another process's by now, which Postgres would take for itself. A number that no system gives
  // away leaves Postgres its own check, that no child of the old one still uses the shared memory named below it.
  const stale = await readPostmaster(folder)
  if (stale?.pid === pid) await writeFile(stale.file, ['2147483646', ...stale.lines.slice(1)].join('\n'))
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

export type Server = { port: number; stop: () => Promise<void> }

/** Starts Postgres on a free port; tries again when the port was taken meanwhile or the last one is still ending. */
export const serve = async (place: Place, durable: boolean, log: Log): Promise<Server> => {
  for (const end = Date.now() + 20_000; ;) {
    const port = await freePort()
    const words = ['-D', clusterOf(place.folder), ...settings(port, durable)]
    const watched = watch(launch(place, 'postgres', words), (line) => log.debug({}, `postgres: ${line}`))
    const ready = async () => watched.said().includes('ready to accept connections')
    await waitUntil(async () => watched.isGone() || (await ready()), 60_000)
    if (await ready()) return running(watched, port, log)
    watched.child.kill('SIGQUIT')
    await watched.gone
    const passing = /Address already in use|pre-existing shared memory block/.test(watched.said())
    if (!passing || Date.now() > end)
      throw new StartError(
        `The embedded database did not start in ${place.folder}: ${lastWords(watched.said())}`,
      )
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

const running = ({ child, isGone }: Watched, port: number, log: Log): Server => {
  // Reads until this process ends, however it ends, and then stops the database.
  const guard = spawn('sh', ['-c', 'read _; kill -INT "$1"', 'sh', String(child.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.on('error', () => log.debug({}, 'no shell to watch over the database'))
  guard.unref()
  let stopping = false
  child.once('close', () => {
    guard.kill()
    if (!stopping) log.error({ exitCode: child.exitCode }, 'the embedded database ended by itself')
  })
  return {
    port,
    stop: async () => {
      stopping = true
      for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
        child.kill(signal)
        if (await waitUntil(async () => isGone(), 20_000)) return
      }
    },
  }
}
