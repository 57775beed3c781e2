import { randomBytes } from 'node:crypto'
import { access, constants, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { StartError } from '#platform/failures'
import { makeFolder } from '#platform/folder'
import type { Log } from '#platform/log'
import { lockFolder, ownerOf, unlockFolder, choosePlace, exists, movedTo } from './place'
import { clusterOf, endLeftover, makeCluster, portOf, serve, serviceRole } from './server'

export type EmbeddedPostgres = { url: string; stop: () => Promise<void> }

type Options = {
  dataDir: string
  log: Log
  /** False in tests: what is written need not survive the machine. */
  durable?: boolean
  /** For commands: uses the database of the process that runs it, which a service refuses. */
  beside?: boolean
}

/** Runs the Postgres of the npm package on a free port of 127.0.0.1 (docs/decisions/0002). Throws StartError when it cannot. */
export const startEmbeddedPostgres = async (options: Options): Promise<EmbeddedPostgres> => {
  const { dataDir, log, durable = true, beside = false } = options
  const home = await makeHome(dataDir)
  const owner = await lockFolder(home)
  if (owner !== null && beside) return useRunning(home, owner)
  if (owner !== null)
    throw new StartError(
      `Another process (${owner}) runs the database in the data directory ${resolve(dataDir)}: end that one first, or set DATA_DIR to another directory.`,
    )
  try {
    const place = await choosePlace(home, log)
    const password = await passwordIn(home)
    await endLeftover(place.folder, log)
    if (!(await exists(clusterOf(place.folder)))) await makeCluster(place, { password, durable, log })
    const { port, stop: stopServer } = await serve(place, durable, log)
    const stop = () => stopServer().finally(() => unlockFolder(home))
    return { url: urlOf(password, port), stop }
  } catch (error) {
    await unlockFolder(home)
    throw error
  }
}

export const hasEmbeddedDatabase = async (dataDir: string): Promise<boolean> => {
  const home = resolve(dataDir, 'postgres')
  return (await exists(clusterOf(home))) || (await exists(movedTo(home)))
}

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

const passwordIn = async (home: string): Promise<string> => {
  const file = join(home, 'password')
  const stored = await readFile(file, 'utf8').catch(() => null)
  if (stored !== null) return stored
  const password = randomBytes(24).toString('hex')
  await writeFile(file, password, { mode: 0o600 })
  return password
}

const useRunning = async (home: string, owner: number): Promise<EmbeddedPostgres> => {
  const folder = await readFile(movedTo(home), 'utf8').catch(() => home)
  const port = await portOf(folder, async () => (await ownerOf(home)) === owner)
  if (port === null)
    throw new StartError(`The process ${owner} began to run the database and has ended: begin again.`)
  return { url: urlOf(await passwordIn(home), port), stop: async () => undefined }
}
