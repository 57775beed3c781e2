import { type ChildProcess, spawn } from 'node:child_process'
import { binary } from './binaries'
import type { Place } from './place'

/** Starts a binary as the place says, in a session of its own. */
export const launch = (place: Place, name: 'postgres' | 'initdb', words: string[]): ChildProcess => {
  const [command, ...rest] = [...place.prefix, binary(place.binaries, name), ...words]
  return spawn(command as string, rest, {
    ...place.account,
    // A session of its own: Ctrl-C in the terminal is for the service, which then stops its database last.
    detached: true,
    cwd: place.folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

export type Watched = { child: ChildProcess; said: () => string; gone: Promise<void>; isGone: () => boolean }

/** Keeps the last words of a child, for the sentence when it fails. */
export const watch = (child: ChildProcess, hear: (line: string) => void): Watched => {
  let said = ''
  let gone = false
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4000)
    for (const line of text.split('\n')) if (line.trim() !== '') hear(line)
  })
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      gone = true
      resolve()
    }
    child.once('close', end)
    child.once('error', (error) => {
      said += `\n${error.message}`
      end()
    })
  })
  return { child, said: () => said, gone: ended, isGone: () => gone }
}

/** The reason a failed child gave. */
export const lastWords = (said: string): string => {
  const lines = said.split('\n').filter((line) => line.trim() !== '')
  const complaint = lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1)
  return complaint?.replace(/^.*?(FATAL|PANIC|error):\s*/, '') ?? 'it gave no reason'
}
