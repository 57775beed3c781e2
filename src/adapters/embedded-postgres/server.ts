import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '#platform/log'
import { StartError } from '#platform/start-error'
import { clusterOf } from './cluster'
import { lastWords, launch, type Watched, watch } from './launch'
import type { Place } from './place'
import { waitUntil } from './processes'

const settings = (port: number, durable: boolean): string[] =>
  Object.entries({
    port,
    listen_addresses: '127.0.0.1',
    // No socket file: its path may be 107 bytes long at most, and a clone's path may be longer.
    unix_socket_directories: '',
    // One process uses 31 at most, commands beside it the rest; tests run many schools beside one another.
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

/** Starts Postgres on a free port; tries again when the port was taken meanwhile or the last one is still ending. */
export const serve = async (place: Place, durable: boolean, log: Log): Promise<Server> => {
  for (const end = Date.now() + 20_000; ;) {
    const port = await freePort()
    const launchAgain = () => launchOn(place, port, durable, log)
    const watched = await launchAgain()
    if (!watched.isGone()) return keepRunning(watched, launchAgain, port, log)
    const passing = /Address already in use|pre-existing shared memory block/.test(watched.said())
    if (!passing || Date.now() > end)
      throw new StartError(
        `The embedded database did not start in ${place.folder}: ${lastWords(watched.said())}`,
      )
    await pause(200)
  }
}

/** Answers once it takes connections, or it is gone. */
const launchOn = async (place: Place, port: number, durable: boolean, log: Log): Promise<Watched> => {
  const words = ['-D', clusterOf(place.folder), ...settings(port, durable)]
  const watched = watch(launch(place, 'postgres', words), (line) => log.debug({}, `postgres: ${line}`))
  const ready = async () => watched.said().includes('ready to accept connections')
  await waitUntil(async () => watched.isGone() || (await ready()), 60_000)
  if (!(await ready())) {
    watched.child.kill('SIGQUIT')
    await watched.gone
  }
  return watched
}

const firstPauseMs = 100
const longestPauseMs = 10_000

/** Starts it again on the same port whenever it ends by itself (killed for its memory, a fault), until it is stopped. */
const keepRunning = (first: Watched, launchAgain: () => Promise<Watched>, port: number, log: Log): Server => {
  let current = first
  let guard = guardOf(first, log)
  const stopping = new AbortController()

  const revive = async () => {
    for (
      let pauseMs = firstPauseMs;
      !stopping.signal.aborted;
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    ) {
      await pause(pauseMs)
      if (stopping.signal.aborted) return
      current = await launchAgain()
      guard = guardOf(current, log)
      if (!current.isGone()) return log.warn({ port }, 'the embedded database runs again')
      log.error({ reason: lastWords(current.said()) }, 'the embedded database does not start again')
    }
  }
  const watchOver = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await current.gone
      guard.kill()
      if (stopping.signal.aborted) return
      log.error({ exitCode: current.child.exitCode }, 'the embedded database ended by itself')
      await revive()
    }
  }
  const watching = watchOver()

  const stop = async () => {
    stopping.abort()
    for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
      current.child.kill(signal)
      if (await waitUntil(async () => current.isGone(), 20_000)) break
    }
    await watching
    // It may have been on its way up again when it was to stop.
    if (!current.isGone()) current.child.kill('SIGQUIT')
    await current.gone
  }
  return { port, stop }
}

/** Reads until this process ends, however it ends, and then stops the database. */
const guardOf = ({ child }: Watched, log: Log): ChildProcess => {
  const guard = spawn('sh', ['-c', 'read _; kill -INT "$1"', 'sh', String(child.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.on('error', () => log.debug({}, 'no shell to watch over the database'))
  guard.unref()
  return guard
}
