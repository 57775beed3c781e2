import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config'
import { StartError } from '#platform/start-error'

/** The keys that sign sessions and links, newest first: SESSION_KEYS, or one made once and kept in the data directory. */
export const sessionKeys = async ({ SESSION_KEYS, DATA_DIR }: Config): Promise<string[]> => {
  const given = SESSION_KEYS?.split(',')
    .map((key) => key.trim())
    .filter(Boolean)
  if (given?.length) return given
  return [await keptSecret(DATA_DIR, 'session-keys')]
}

/** The secret in the push address: DPO_PUSH_SECRET, or one made once and kept in the data directory. */
export const pushSecret = async ({ DPO_PUSH_SECRET, DATA_DIR }: Config): Promise<string> =>
  DPO_PUSH_SECRET ?? keptSecret(DATA_DIR, 'push-secret')

const keptSecret = (dataDir: string, name: string) => readOrMake(dataDir, name).catch(unwritable(dataDir))

const readOrMake = async (dataDir: string, name: string): Promise<string> => {
  const file = join(dataDir, name)
  await mkdir(dataDir, { recursive: true })
  // Two processes may start at once: whoever writes first wins, both read what is there.
  await writeFile(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
  return (await readFile(file, 'utf8')).trim()
}

const unwritable = (dataDir: string) => (error: NodeJS.ErrnoException) => {
  throw new StartError(
    `The data directory ${dataDir} cannot be used (${error.code}): set DATA_DIR, or SESSION_KEYS.`,
  )
}
