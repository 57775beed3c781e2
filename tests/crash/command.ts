import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { deaths, type Death } from './processes'
import { variablesOf, type Place } from './program'

const root = process.cwd()

export type Command = ReturnType<typeof startCommand>

/** One of the program's commands on the school of `place`: `backup` is dist/server/backup-main.js. */
export const startCommand = (place: Place, clock: Date, name: string, words: readonly string[] = []) => {
  const begun = Date.now()
  const child = spawn(process.execPath, [join(root, `dist/server/${name}-main.js`), ...words], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...variablesOf(place, clock) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const hear = (text: Buffer) => void (said = (said + text.toString()).slice(-5_000))
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  /** The exit code, null when it was killed. */
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  return { pid: child.pid!, ended, said: () => said, lasted: () => Date.now() - begun }
}

/** Lets it run to its end; throws with its last words unless it exits as wanted. Answers how long it took, in ms. */
export const toTheEnd = async (command: Command, wanted = 0): Promise<number> => {
  const code = await command.ended
  if (code !== wanted) throw new Error(`Exit code ${code} instead of ${wanted}:\n${command.said()}`)
  return command.lasted()
}

/** Kills it after so many ms; false when it had ended before. */
export const killAfter = async (
  command: Command,
  ms: number,
  death: Death,
  dataDir: string,
): Promise<boolean> => {
  const soon = await Promise.race([command.ended.then(() => true), pause(ms).then(() => false)])
  if (soon) return false
  deaths[death](command.pid, dataDir)
  return (await command.ended) === null
}
