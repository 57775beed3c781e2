import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readArchiveHead } from '#platform/archive/read-archive'

/**
 * Removes all archives of this school in the folder but the latest `keep`. Files that are no archives, and those of
 * other schools, stay. Answers the paths of those that were removed.
 */
export const pruneArchives = async (folder: string, school: string, keep: number): Promise<string[]> => {
  const ours: { path: string; madeAt: string }[] = []
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const head = name.endsWith('.gz') ? await readArchiveHead(path) : null
    if (head?.school === school) ours.push({ path, madeAt: head.madeAt })
  }
  const old = ours.toSorted((one, other) => (one.madeAt < other.madeAt ? 1 : -1)).slice(keep)
  for (const { path } of old) await rm(path)
  return old.map(({ path }) => path)
}
