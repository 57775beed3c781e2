import { randomBytes, randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '#platform/failures'
import { makeFolder } from '#platform/folder'
import type { Config } from '../config'

/** Keys for sessions and links, newest first: SESSION_KEYS, or made once and kept in the data directory. */
export const sessionKeys = async ({ SESSION_KEYS, DATA_DIR }: Config): Promise<string[]> => {
  const given = SESSION_KEYS?.split(',')
    .map((key) => key.trim())
    .filter(Boolean)
  if (given?.length) return given
  return [await keptSecret(DATA_DIR, 'session-keys')]
}

/** DPO_PUSH_SECRET, or made once and kept in the data directory. */
export const pushSecret = async ({ DPO_PUSH_SECRET, DATA_DIR }: Config): Promise<string> =>
  DPO_PUSH_SECRET ?? keptSecret(DATA_DIR, 'push-secret')

export const keepSuperadminPassword = async (dataDir: string, password: string): Promise<string> => {
  const file = join(dataDir, 'superadmin-password')
  await wholeFile(dataDir, `${password}\n`, (written) => rename(written, file)).catch(unwritable(dataDir))
  return file
}

const minSecretLength = 32

const keptSecret = async (dataDir: string, name: string): Promise<string> => {
  const file = join(dataDir, name)
  const secret = await readOrMake(dataDir, file).catch(unwritable(dataDir))
  if (secret.length < minSecretLength)
    throw new StartError(
      `${file} is empty or shorter than ${minSecretLength} characters: put the secret back that was there, or remove the file to have a new one made.`,
    )
  return secret
}

const readOrMake = async (dataDir: string, file: string): Promise<string> => {
  const known = await readFile(file, 'utf8').catch(unlessThere('ENOENT'))
  // Two processes may start at once: the first link wins, both read it.
  if (known === undefined)
    await wholeFile(dataDir, randomBytes(32).toString('base64url'), (written) =>
      link(written, file).catch(unlessThere('EEXIST')),
    )
  return (known ?? (await readFile(file, 'utf8'))).trim()
}

/** Writes a 0600 file and moves it into place once complete. */
const wholeFile = async (dataDir: string, text: string, place: (written: string) => Promise<unknown>) => {
  await makeFolder(dataDir)
  const written = join(dataDir, `.${randomUUID()}`)
  try {
    await writeFile(written, text, { flag: 'wx', mode: 0o600, flush: true })
    await place(written)
  } finally {
    await rm(written, { force: true })
  }
}

const unlessThere = (code: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== code) throw error
  return undefined
}

const unwritable = (dataDir: string) => (error: NodeJS.ErrnoException) => {
  throw new StartError(
    `The data directory ${dataDir} cannot be used (${error.code}): set DATA_DIR, or SESSION_KEYS.`,
  )
}
