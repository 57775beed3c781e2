import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

const ps = async (pid: number, column: string): Promise<string | null> =>
  run('ps', ['-o', `${column}=`, '-p', String(pid)], { env: { ...process.env, LC_ALL: 'C' } }).then(
    ({ stdout }) => stdout.trim() || null,
    () => null,
  )

/** The command line of a living process, null when there is none. */
export const commandOf = async (pid: number): Promise<string | null> =>
  process.platform === 'linux'
    ? readFile(`/proc/${pid}/cmdline`, 'utf8').then(
        (line) => line.replaceAll('\0', ' ').trim() || null,
        () => null,
      )
    : ps(pid, 'args')

/** When a living process began, in the system's own words: with the number it names one process for ever. */
export const beginOf = async (pid: number): Promise<string | null> =>
  process.platform === 'linux'
    ? readFile(`/proc/${pid}/stat`, 'utf8').then(
        // The name in brackets may hold spaces; the begin is the 20th word after it.
        (stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null,
        () => null,
      )
    : ps(pid, 'lstart')

/** Waits until `so` answers true, looking every 20 ms; false when `timeoutMs` have passed. */
export const waitUntil = async (so: () => Promise<boolean>, timeoutMs: number): Promise<boolean> => {
  for (const end = Date.now() + timeoutMs; ;) {
    if (await so()) return true
    if (Date.now() >= end) return false
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
