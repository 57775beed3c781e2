import { randomBytes, randomUUID } from 'node:crypto'
import { access, constants, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { clearLeftover, clusterOf, initialise, isPostgresOf, readPostmaster, serve } from './server'
import { choosePlace, exists, movedTo } from './place'
import { startTimeOf, waitUntil } from './processes'
import { giveToService, serviceRole } from './service-role'
import { makeFolder } from '#platform/folder'
import type { Log } from '#platform/log'
import { StartError } from '#platform/start-error'

export type EmbeddedPostgres = { url: string; stop: () => Promise<void> }

type Options = {
  /** The service's data directory; the database is in its folder `postgres`. */
  dataDir: string
  log: Log
  /** False in tests: what is written need not survive the machine. */
  durable?: boolean
}

/**
 * Starts the Postgres that came with the npm packages, on a free port of 127.0.0.1 (docs/decisions/0002). A second
 * process on the same data directory uses the database of the first, and runs it itself once that one has ended.
 * Throws StartError when the directory cannot be written or Postgres cannot run.
 */
export const startEmbeddedPostgres = async (options: Options): Promise<EmbeddedPostgres> => {
  const home = await makeHome(options.dataDir)
  for (;;) {
    const owner = await claim(home)
    if (owner === null) return startOwn(home, options)
    const shared = await shareWith(owner, home, options)
    if (shared !== null) return shared
  }
}

/** Whether a database was made in this data directory; nothing is made. */
export const hasEmbeddedDatabase = async (dataDir: string): Promise<boolean> => {
  const home = resolve(dataDir, 'postgres')
  return (await exists(clusterOf(home))) || (await exists(movedTo(home)))
}

/** Whether a living process runs the database in this data directory. */
export const isEmbeddedDatabaseUsed = async (dataDir: string): Promise<boolean> =>
  (await ownerOf(resolve(dataDir, 'postgres'))) !== null

const makeHome = async (dataDir: string): Promise<string> => {
  const home = resolve(dataDir, 'postgres')
  try {
    await makeFolder(home, 0o700)
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK)
    return home
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(
      `The data directory ${resolve(dataDir)} cannot be written (${code}): set DATA_DIR to a directory that this user may write.`,
      { cause: error },
    )
  }
}

const urlOf = (password: string, port: number) =>
  `postgres://${serviceRole}:${password}@127.0.0.1:${port}/postgres`

type Own = { port: number; stop: () => Promise<void> }

const startOwn = async (home: string, options: Options): Promise<EmbeddedPostgres> => {
  const { port, stop } = await serveOwn(home, options, await lastPort(home))
  return { url: urlOf(await passwordIn(home), port), stop }
}

/** Serves on `wanted` if that port can be had: others may be using this database there. */
const serveOwn = async (
  home: string,
  { log, durable = true }: Options,
  wanted: number | null,
): Promise<Own> => {
  try {
    const place = await choosePlace(home, log)
    const password = await passwordIn(home)
    await clearLeftover(place.folder, log)
    const cluster = clusterOf(place.folder)
    if (await exists(cluster)) await giveToService(place, cluster, password, log)
    else await initialise(place, password, durable, log)
    const server = await serve(place, durable, log, wanted)
    await writeFile(join(home, 'port'), String(server.port))
    log.debug({ port: server.port }, 'the embedded database runs')
    const stop = async () => {
      await server.stop()
      await release(home)
    }
    return { port: server.port, stop }
  } catch (error) {
    await release(home)
    throw error
  }
}

const lastPort = async (home: string): Promise<number | null> => {
  const port = Number(await readFile(join(home, 'port'), 'utf8').catch(() => ''))
  return port > 0 ? port : null
}

const passwordIn = async (home: string): Promise<string> => {
  const file = join(home, 'password')
  const stored = await readFile(file, 'utf8').catch(() => null)
  if (stored !== null) return stored
  const password = randomBytes(24).toString('hex')
  await writeFile(file, password, { mode: 0o600 })
  return password
}

// Null when the owner ended before its database was ready: then this process may be the next owner.
const shareWith = async (owner: number, home: string, options: Options): Promise<EmbeddedPostgres | null> => {
  const folder = await readFile(movedTo(home), 'utf8').catch(() => home)
  let port: number | null = null
  await waitUntil(async () => {
    const there = await readPostmaster(folder)
    if (there?.ready && (await isPostgresOf(there.pid, folder))) port = there.port
    return port !== null || (await ownerOf(home)) !== owner
  }, 60_000)
  if (port === null) return null
  options.log.info({ owner }, 'using the database that another process of this service runs')
  return { url: urlOf(await passwordIn(home), port), stop: takeOverLater(home, port, options) }
}

const lookAtOwnerMs = 250
const betweenTriesMs = 2_000

/**
 * Runs the database itself, on the same port, as soon as no other process does. The answer stops that, and the database
 * if it runs here by then.
 */
const takeOverLater = (home: string, port: number, options: Options): (() => Promise<void>) => {
  const stopping = new AbortController()
  const rest = (ms: number) => pause(ms, undefined, { signal: stopping.signal }).catch(() => undefined)

  const take = async (): Promise<Own | null> => {
    if ((await claim(home)) !== null) return null
    const own = await serveOwn(home, options, port)
    if (own.port === port) {
      options.log.warn({ port }, 'this process runs the embedded database from now on')
      return own
    }
    // Another port would help nobody here: everything in this process knows this one.
    await own.stop()
    throw new StartError(`The port ${port} of the embedded database is used by another program.`)
  }
  const taken = async (): Promise<Own | null> => {
    for (;;) {
      await rest(lookAtOwnerMs)
      if (stopping.signal.aborted) return null
      if ((await ownerOf(home)) !== null) continue
      const own = await take().catch(async (err: unknown) => {
        options.log.error({ err }, 'the embedded database cannot be taken over, to be tried again')
        await rest(betweenTriesMs)
        return null
      })
      if (own) return own
    }
  }
  const taking = taken()
  return async () => {
    stopping.abort()
    await (await taking)?.stop()
  }
}

const ownerFile = (home: string) => join(home, 'owner')

const signature = async (pid: number) => `${pid} ${await startTimeOf(pid)}`

const livingOwner = async (written: string): Promise<number | null> => {
  const pid = Number(written.split(' ')[0])
  return pid > 0 && written === (await signature(pid)) ? pid : null
}

/** The number of the living process that runs the database in `home`, null when there is none. */
const ownerOf = async (home: string): Promise<number | null> =>
  livingOwner(await readFile(ownerFile(home), 'utf8').catch(() => ''))

/**
 * Makes this process the one that runs the database in `home`. Answers null when it is, else the number of the living
 * process that does. The file of a process that was killed is removed.
 */
const claim = async (home: string): Promise<number | null> => {
  for (;;) {
    try {
      await writeFile(ownerFile(home), await signature(process.pid), { flag: 'wx', mode: 0o600 })
      return null
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const written = await readFile(ownerFile(home), 'utf8').catch(() => '')
    const owner = await livingOwner(written)
    if (owner !== null) return owner
    await removeStale(home, written)
  }
}

// Two starts may both find a dead owner: only the file that was judged is removed, a newer one is restored.
const removeStale = async (home: string, judged: string): Promise<void> => {
  const renamed = `${ownerFile(home)}.${randomUUID()}`
  try {
    await rename(ownerFile(home), renamed)
  } catch {
    return
  }
  const taken = await readFile(renamed, 'utf8').catch(() => judged)
  if (taken !== judged) await writeFile(ownerFile(home), taken, { flag: 'wx', mode: 0o600 }).catch(() => null)
  await rm(renamed, { force: true })
}

const release = (home: string): Promise<void> => rm(ownerFile(home), { force: true })
