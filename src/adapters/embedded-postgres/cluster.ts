import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '#platform/log'
import { StartError } from '#platform/start-error'
import { lastWords, launch, watch } from './launch'
import type { Place } from './place'
import { commandOf, waitUntil } from './processes'

export const clusterOf = (folder: string) => join(folder, 'cluster')

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
