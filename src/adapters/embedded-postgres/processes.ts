import { type ChildProcess, spawn, execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { binary, type Place } from './place'

/** Starts a binary of `place`, as its account; it reads `input`. */
export const launch = (
  place: Place,
  name: 'postgres' | 'initdb',
  args: string[],
  input: string | null = null,
): ChildProcess => {
  const [command, ...rest] = [...place.prefix, binary(place.binaries, name), ...args]
  const child = spawn(command as string, rest, {
    ...place.account,
    // A session of its own: Ctrl-C in the terminal is for the service, which then stops its database last.
    detached: true,
    cwd: place.folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    stdio: [input === null ? 'ignore' : 'pipe', 'ignore', 'pipe'],
  })
  // One that ended before it had read everything says so by its exit code.
  child.stdin?.on('error', () => undefined).end(input)
  return child
}

/** A child process with the end of its error output. */
export type Watched = {
  child: ChildProcess
  stderr: () => string
  exited: Promise<void>
  hasExited: () => boolean
}

/** Keeps the end of what a child writes to stderr, for the error message when it fails. */
export const watch = (child: ChildProcess, onLine: (line: string) => void): Watched => {
  let stderr = ''
  let hasExited = false
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-4000)
    for (const line of text.split('\n')) if (line.trim() !== '') onLine(line)
  })
  const exited = new Promise<void>((resolve) => {
    const end = () => {
      hasExited = true
      resolve()
    }
    child.once('close', end)
    child.once('error', (error) => {
      stderr += `\n${error.message}`
      end()
    })
  })
  return { child, stderr: () => stderr, exited, hasExited: () => hasExited }
}

/** The reason that a failed child wrote. */
export const failureReason = (stderr: string): string => {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const complaint = lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1)
  return complaint?.replace(/^.*?(FATAL|PANIC|error):\s*/, '') ?? 'it gave no reason'
}

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

/** When a living process started, as the system writes it: together with the number it identifies one process for ever. */
export const startTimeOf = async (pid: number): Promise<string | null> =>
  process.platform === 'linux'
    ? readFile(`/proc/${pid}/stat`, 'utf8').then(
        // The name in brackets may hold spaces; the start time is the 20th word after it.
        (stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null,
        () => null,
      )
    : ps(pid, 'lstart')

/** Waits until `condition` answers true, asking every 20 ms; false when `timeoutMs` have passed. */
export const waitUntil = async (condition: () => Promise<boolean>, timeoutMs: number): Promise<boolean> => {
  for (const end = Date.now() + timeoutMs; ;) {
    if (await condition()) return true
    if (Date.now() >= end) return false
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
