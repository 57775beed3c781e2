import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config'

/** The keys that sign sessions and links, newest first: SESSION_KEYS, or one made once and kept in the data directory. */
export const sessionKeys = async ({ SESSION_KEYS, DATA_DIR }: Config): Promise<string[]> => {
  const given = SESSION_KEYS?.split(',')
    .map((key) => key.trim())
    .filter(Boolean)
  if (given?.length) return given
  const file = join(DATA_DIR, 'session-keys')
  await mkdir(DATA_DIR, { recursive: true })
  // Two processes may start at once: whoever writes first wins, both read what is there.
  await writeFile(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
  return [(await readFile(file, 'utf8')).trim()]
}
