import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beginOf } from './processes'

const ownerFile = (home: string) => join(home, 'owner')

const signature = async (pid: number) => `${pid} ${await beginOf(pid)}`

const livingOwner = async (written: string): Promise<number | null> => {
  const pid = Number(written.split(' ')[0])
  return pid > 0 && written === (await signature(pid)) ? pid : null
}

/** The number of the living process that runs the database in `home`, null when there is none. */
export const ownerOf = async (home: string): Promise<number | null> =>
  livingOwner(await readFile(ownerFile(home), 'utf8').catch(() => ''))

/**
 * Makes this process the one that runs the database in `home`. Answers null when it is, else the number of the living
 * process that does. The file of a process that was killed is put aside.
 */
export const claim = async (home: string): Promise<number | null> => {
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
    await putAside(home, written)
  }
}

// Two starts may both find a dead owner: only the file that was judged is removed, a newer one is put back.
const putAside = async (home: string, judged: string): Promise<void> => {
  const aside = `${ownerFile(home)}.${randomUUID()}`
  try {
    await rename(ownerFile(home), aside)
  } catch {
    return
  }
  const taken = await readFile(aside, 'utf8').catch(() => judged)
  if (taken !== judged) await writeFile(ownerFile(home), taken, { flag: 'wx', mode: 0o600 }).catch(() => null)
  await rm(aside, { force: true })
}

export const release = (home: string): Promise<void> => rm(ownerFile(home), { force: true })
