import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { access, chmod, chown, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Log } from '#platform/log'
import { StartError } from '#platform/start-error'
import { binary, copyBinaries, installedBinaries, type PostgresBinaries } from './binaries'

const run = promisify(execFile)

/** Where the cluster lives and as whom Postgres runs: it refuses to be root. */
export type Place = {
  binaries: PostgresBinaries
  /** The folder that holds `cluster`; only the running account can read it. */
  folder: string
  /** Put before the command, e.g. `unshare …`. */
  prefix: string[]
  account: { uid?: number; gid?: number }
}

const namespace = ['unshare', '--user', '--map-user=1000', '--map-group=1000']

/**
 * An ordinary user runs Postgres as itself. Root runs it in a user namespace, where it is not root and the files are
 * still its own; where that is forbidden or cannot reach the files, as another user from a copy that it can reach.
 */
export const choosePlace = async (home: string, log: Log): Promise<Place> => {
  const binaries = await installedBinaries(home)
  if (process.getuid?.() !== 0) return { binaries, folder: home, prefix: [], account: {} }
  const moved = await readFile(movedTo(home), 'utf8').catch(() => null)
  if (moved === null && (await namespaceReaches(home, binaries)))
    return { binaries, folder: home, prefix: namespace, account: {} }
  return placeOfAnotherUser(home, moved, binaries, log)
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

const movedTo = (home: string) => join(home, 'moved-to')

const namespaceReaches = async (home: string, binaries: PostgresBinaries): Promise<boolean> => {
  const probe = 'for folder; do test -w "$folder" || exit 1; done; exec "$0" --version'
  const folders = [home, join(home, 'cluster')]
  const there = await Promise.all(
    folders.map((folder) =>
      access(folder).then(
        () => [folder],
        () => [],
      ),
    ),
  )
  const [command, ...words] = [...namespace, 'sh', '-c', probe, binary(binaries, 'postgres'), ...there.flat()]
  return run(command as string, words, { env: process.env }).then(
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

// The folder has a name of its own, so that a data directory that was deleted begins afresh.
const moveData = async (home: string, user: User): Promise<string> => {
  const parent = '/var/lib/tuckshop'
  const folder = join(parent, randomUUID())
  await mkdir(folder, { recursive: true, mode: 0o755 })
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
