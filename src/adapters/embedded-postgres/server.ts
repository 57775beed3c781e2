import { spawn, type ChildProcess } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { giveToService } from './service-role'
import { failureReason, launch, type Watched, watch, waitUntil, commandOf } from './processes'
import type { Place } from './place'
import type { Log } from '#platform/log'
import { StartError } from '#platform/start-error'

const settings = (port: number, durable: boolean): string[] =>
  Object.entries({
    port,
    listen_addresses: '127.0.0.1',
    // No socket file: its path may be 107 bytes long at most, and a clone's path may be longer.
    unix_socket_directories: '',
    // One process uses 30 at most, commands beside it the rest; tests run many schools beside one another.
    max_connections: durable ? 60 : 400,
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

/**
 * Starts Postgres on the wanted port if that is free, else on another; tries again when the port was taken meanwhile or
 * the last one is still ending.
 */
export const serve = async (
  place: Place,
  durable: boolean,
  log: Log,
  wanted: number | null = null,
): Promise<Server> => {
  let asked = wanted
  for (const end = Date.now() + 20_000; ;) {
    const port = asked ?? (await freePort())
    asked = null
    const launchOnPort = () => launchOn(place, port, durable, log)
    const watched = await launchOnPort()
    if (!watched.hasExited()) return keepRunning(watched, launchOnPort, port, log)
    const passing = /Address already in use|pre-existing shared memory block/.test(watched.stderr())
    if (!passing || Date.now() > end)
      throw new StartError(
        `The embedded database did not start in ${place.folder}: ${failureReason(watched.stderr())}`,
      )
    await pause(200)
  }
}

/** Answers once it takes connections or has exited. */
const launchOn = async (place: Place, port: number, durable: boolean, log: Log): Promise<Watched> => {
  const args = ['-D', clusterOf(place.folder), ...settings(port, durable)]
  const watched = watch(launch(place, 'postgres', args), (line) => log.debug({}, `postgres: ${line}`))
  const ready = async () => watched.stderr().includes('ready to accept connections')
  await waitUntil(async () => watched.hasExited() || (await ready()), 60_000)
  if (!(await ready())) {
    watched.child.kill('SIGQUIT')
    await watched.exited
  }
  return watched
}

const firstPauseMs = 100
const longestPauseMs = 10_000

/** Starts it again on the same port whenever it ends by itself (killed for its memory, a fault), until it is stopped. */
const keepRunning = (
  first: Watched,
  launchOnPort: () => Promise<Watched>,
  port: number,
  log: Log,
): Server => {
  let current = first
  let guard = guardOf(first, log)
  const stopping = new AbortController()

  const restart = async () => {
    for (
      let pauseMs = firstPauseMs;
      !stopping.signal.aborted;
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    ) {
      await pause(pauseMs)
      if (stopping.signal.aborted) return
      current = await launchOnPort()
      guard = guardOf(current, log)
      if (!current.hasExited()) return log.warn({ port }, 'the embedded database runs again')
      log.error({ reason: failureReason(current.stderr()) }, 'the embedded database does not start again')
    }
  }
  const superviseUntilStopped = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await current.exited
      guard.kill()
      if (stopping.signal.aborted) return
      log.error({ exitCode: current.child.exitCode }, 'the embedded database ended by itself')
      await restart()
    }
  }
  const supervising = superviseUntilStopped()

  const stop = async () => {
    stopping.abort()
    for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
      current.child.kill(signal)
      if (await waitUntil(async () => current.hasExited(), 20_000)) break
    }
    await supervising
    // It may have been starting again when it was told to stop.
    if (!current.hasExited()) current.child.kill('SIGQUIT')
    await current.exited
  }
  return { port, stop }
}

/** A shell that waits until this process ends, however it ends, and then stops the database. */
const guardOf = ({ child }: Watched, log: Log): ChildProcess => {
  const guard = spawn('sh', ['-c', 'read _; kill -INT "$1"', 'sh', String(child.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.on('error', () => log.debug({}, 'there is no shell that would stop the database after a crash'))
  guard.unref()
  return guard
}

export const clusterOf = (folder: string) => join(folder, 'cluster')

/** Makes the cluster, completely or not at all. `password` is the one of the service's role. */
export const initialise = async (
  place: Place,
  password: string,
  durable: boolean,
  log: Log,
): Promise<void> => {
  const unfinished = join(place.folder, 'cluster.new')
  await rm(unfinished, { recursive: true, force: true })
  const args = [`--pgdata=${unfinished}`, '--username=postgres', '--auth=reject']
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const child = launch(place, 'initdb', [...args, ...locale, ...(durable ? [] : ['--no-sync'])])
  const watched = watch(child, (line) => log.debug({}, `initdb: ${line}`))
  await watched.exited
  if (child.exitCode !== 0)
    throw new StartError(
      `The embedded database could not be made in ${place.folder}: ${failureReason(watched.stderr())}`,
    )
  await giveToService(place, unfinished, password, log)
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
  // The number may be another process's by now, which Postgres would take for a running server. A number above every
  // system's limit still lets Postgres check that no child of the old server uses the shared memory named below it.
  const stale = await readPostmaster(folder)
  if (stale?.pid === pid) await writeFile(stale.file, ['2147483646', ...stale.lines.slice(1)].join('\n'))
}
