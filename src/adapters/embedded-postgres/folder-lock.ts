import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

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

const run = promisify(execFile)

const ps = (pid: number, column: string): Promise<string | null> =>
  run('ps', ['-o', `${column}=`, '-p', String(pid)], { env: { ...process.env, LC_ALL: 'C' } }).then(
    ({ stdout }) => stdout.trim() || null,
    () => null,
  )
