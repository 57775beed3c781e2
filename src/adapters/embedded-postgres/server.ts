import { spawn, type ChildProcess } from 'node:child_process'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { StartError } from '#platform/failures'
import type { Log } from '#platform/log'
import { commandOf, binary, type Place } from './place'

export const clusterOf = (folder: string) => join(folder, 'cluster')

/** The role that the service signs in with: it owns the school's database and is no superuser. */
export const serviceRole = 'tuckshop_service'

const settings = (port: number, durable: boolean): string[] =>
  Object.entries({
    port,
    listen_addresses: '127.0.0.1',
    // No socket file: its path may be 107 bytes at most, and a clone's path may be longer.
    unix_socket_directories: '',
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

const startWithinMs = 60_000
const tryForMs = 20_000
const restartAfterMs = 500
const stopWithinMs = 20_000

/** Runs Postgres until `stop`, which rolls transactions back; restarts it on the same port if it ends by itself. Throws StartError. */
export const serve = async (
  place: Place,
  durable: boolean,
  log: Log,
): Promise<{ port: number; stop: () => Promise<void> }> => {
  const start = (onPort: number) => startOn(onPort, place, durable, log)
  let port = await freePort()
  let server = await start(port)
  // The port was taken, or a killed service's Postgres is still ending.
  const mayPass = () => /Address already in use|pre-existing shared memory block/.test(server.said())
  for (const end = Date.now() + tryForMs; server.hasEnded() && mayPass() && Date.now() < end;) {
    await pause(200)
    port = await freePort()
    server = await start(port)
  }
  if (server.hasEnded())
    throw new StartError(
      `The embedded database did not start in ${place.folder}: ${failureReason(server.said())}`,
    )

  const stopping = new AbortController()
  const untilStopped = async (): Promise<void> => {
    await server.ended
    while (!stopping.signal.aborted) {
      log.error({ reason: failureReason(server.said()) }, 'the embedded database ended by itself')
      await pause(restartAfterMs)
      if (stopping.signal.aborted) return
      server = await start(port)
      if (!server.hasEnded()) log.warn({ port }, 'the embedded database runs again')
      if (stopping.signal.aborted) server.child.kill('SIGINT')
      await server.ended
    }
  }
  const running = untilStopped()
  const stop = async () => {
    stopping.abort()
    server.child.kill('SIGINT')
    const atOnce = setTimeout(() => server.child.kill('SIGQUIT'), stopWithinMs)
    await running.finally(() => clearTimeout(atOnce))
  }
  return { port, stop }
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

const startOn = async (port: number, place: Place, durable: boolean, log: Log): Promise<Launched> => {
  const args = ['-D', clusterOf(place.folder), ...settings(port, durable)]
  const server = launch(place, 'postgres', args, log)
  stopWithThisProcess(server)
  const isReady = () => server.said().includes('ready to accept connections')
  await waitUntil(async () => server.hasEnded() || isReady(), startWithinMs)
  if (isReady()) return server
  server.child.kill('SIGQUIT')
  await server.ended
  return server
}

/** A shell waits for this process to end, even when killed, then stops the database. */
const stopWithThisProcess = ({ child, ended }: Launched): void => {
  const guard = spawn('sh', ['-c', 'read _; kill -INT "$1"', 'sh', String(child.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without a shell the next start ends the leftover.
  guard.on('error', () => undefined).unref()
  void ended.then(() => guard.kill())
}

type Launched = { child: ChildProcess; said: () => string; ended: Promise<void>; hasEnded: () => boolean }

const launch = (
  place: Place,
  name: 'postgres' | 'initdb',
  args: string[],
  log: Log,
  input: string | null = null,
): Launched => {
  const [command, ...rest] = [...place.prefix, binary(place.binaries, name), ...args]
  const child = spawn(command as string, rest, {
    ...place.account,
    // Own session: Ctrl-C goes to the service, which stops its database last.
    detached: true,
    cwd: place.folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    stdio: [input === null ? 'ignore' : 'pipe', 'ignore', 'pipe'],
  })
  let said = ''
  let hasEnded = false
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000)
    log.debug({}, `${name}: ${text.trim()}`)
  })
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      said += `\n${error.message}`
      resolve()
    })
    child.once('close', () => resolve())
  }).then(() => void (hasEnded = true))
  child.stdin?.on('error', () => undefined).end(input)
  return { child, said: () => said, ended, hasEnded: () => hasEnded }
}

const failureReason = (said: string): string => {
  const lines = said.split('\n').filter((line) => line.trim() !== '')
  const complaint = lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1)
  return complaint?.replace(/^.*?(FATAL|PANIC|error):\s*/, '') ?? 'it gave no reason'
}

const pgHbaConf = `# Written by Tuckshop: the service comes in with its password, and nobody else, the superuser neither.
host all ${serviceRole} 127.0.0.1/32 scram-sha-256
`

/** Creates the cluster and the service's role, all or nothing. Throws StartError. */
export const makeCluster = async (
  place: Place,
  { password, durable, log }: { password: string; durable: boolean; log: Log },
): Promise<void> => {
  const unfinished = join(place.folder, 'cluster.new')
  await rm(unfinished, { recursive: true, force: true })
  const toTheEnd = async ({ child, ended, said }: Launched) => {
    await ended
    if (child.exitCode !== 0)
      throw new StartError(
        `The embedded database could not be made in ${place.folder}: ${failureReason(said())}`,
      )
  }
  const access = ['--username=postgres', '--auth=reject', ...(durable ? [] : ['--no-sync'])]
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  await toTheEnd(launch(place, 'initdb', [`--pgdata=${unfinished}`, ...access, ...locale], log))
  // createdb, because `backup --check` may make a database. Failures never repeat the statement: it holds the password.
  const roles = `create role ${serviceRole} login nosuperuser createdb password '${password}'\nalter database postgres owner to ${serviceRole}\n`
  const careful = ['-c', 'exit_on_error=true', '-c', 'log_min_error_statement=panic']
  await toTheEnd(
    launch(place, 'postgres', ['--single', '-D', unfinished, ...careful, 'postgres'], log, roles),
  )
  await writeFile(join(unfinished, 'pg_hba.conf'), pgHbaConf)
  await rename(unfinished, clusterOf(place.folder))
}

export const readPostmaster = async (folder: string) => {
  const file = join(clusterOf(folder), 'postmaster.pid')
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  const pid = Math.abs(Number(lines[0]))
  return pid > 0 ? { file, lines, pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' } : null
}

const isPostgresOf = async (pid: number, folder: string): Promise<boolean> =>
  (await commandOf(pid))?.includes(`-D ${clusterOf(folder)} `) ?? false

/** The port once the database takes connections; null when its owner is dead. */
export const portOf = async (folder: string, ownerLives: () => Promise<boolean>): Promise<number | null> => {
  let port: number | null = null
  await waitUntil(async () => {
    const running = await readPostmaster(folder)
    if (running?.ready && (await isPostgresOf(running.pid, folder))) port = running.port
    return port !== null || !(await ownerLives())
  }, startWithinMs)
  return port
}

/** Ends the Postgres of a killed service and defuses its `postmaster.pid`. */
export const endLeftover = async (folder: string, log: Log): Promise<void> => {
  const left = await readPostmaster(folder)
  if (left === null) return
  const { pid } = left
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (!(await isPostgresOf(pid, folder))) break
    log.info({ pid }, 'stopping the database that an earlier run left behind')
    endIfThere(pid, signal)
    await waitUntil(async () => !(await isPostgresOf(pid, folder)), stopWithinMs)
  }
  // Another process may have that pid by now, and Postgres would take it for a running server. A pid above every limit still lets Postgres
  // check for children using the shared memory below it.
  const stale = await readPostmaster(folder)
  if (stale?.pid === pid) await writeFile(stale.file, ['2147483646', ...stale.lines.slice(1)].join('\n'))
}

const endIfThere = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const waitUntil = async (condition: () => Promise<boolean>, timeoutMs: number): Promise<void> => {
  for (const end = Date.now() + timeoutMs; !(await condition()) && Date.now() < end;) await pause(20)
}
