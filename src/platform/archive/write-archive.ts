import { createHash, type Hash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { access, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { StartError } from '#platform/failures'

export type ArchiveWriter = {
  /** Rows are JSON text. Parts follow one another; one may be empty. */
  add: (part: string, rows: readonly string[]) => Promise<void>
  /** Writes the manifest and names the file; answers the manifest's SHA-256. */
  finish: () => Promise<{ parts: PartSum[]; fingerprint: string }>
  discard: () => Promise<void>
}

export const unfinishedName = (path: string): string => `${path}.unfinished`

/** Readable by the owner only: it holds password hashes. Throws StartError when the file exists or cannot be written. */
export const createArchive = async (path: string, head: ArchiveHead): Promise<ArchiveWriter> => {
  await refuseExisting(path)
  const unfinished = unfinishedName(path)
  const file = gzipFile(unfinished)
  const headLine = JSON.stringify([archiveMark, head])
  const parts: PartSum[] = []
  let open: { part: string; rows: number; hash: Hash } | null = null

  const closePart = () => {
    if (open) parts.push({ part: open.part, rows: open.rows, sha256: open.hash.digest('hex') })
    open = null
  }

  const add = async (part: string, rows: readonly string[]) => {
    if (open?.part !== part) {
      closePart()
      open = { part, rows: 0, hash: createHash('sha256') }
      await file.write(`${JSON.stringify(['part', part])}\n`)
    }
    if (rows.length === 0) return
    const text = `${rows.join('\n')}\n`
    open.rows += rows.length
    open.hash.update(text)
    await file.write(text)
  }

  const finish = async () => {
    closePart()
    const manifest: Manifest = { head: sha256(headLine), parts }
    const line = JSON.stringify(['manifest', manifest])
    await file.write(`${line}\n`)
    await file.end()
    await rename(unfinished, path)
    return { parts, fingerprint: sha256(line) }
  }

  const discard = async () => {
    await file.end().catch(() => undefined)
    await rm(unfinished, { force: true })
  }

  await file.write(`${headLine}\n`)
  return { add, finish, discard }
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const refuseExisting = async (path: string) => {
  const exists = await access(path).then(
    () => true,
    () => false,
  )
  if (exists) throw new StartError(`The file ${path} is there already: give another name.`)
}

const gzipFile = (path: string) => {
  const gzip = createGzip()
  const written = pipeline(gzip, createWriteStream(path, { mode: 0o600, flush: true }))
  const failed = written.then(
    () => Promise.reject<never>(new Error('written already')),
    (error: NodeJS.ErrnoException) => {
      throw new StartError(`The archive ${path} cannot be written (${error.code ?? error.message}).`)
    },
  )
  failed.catch(() => undefined)
  const write = async (text: string): Promise<void> => {
    if (gzip.destroyed) return failed
    if (!gzip.write(text)) await Promise.race([once(gzip, 'drain').catch(() => failed), failed])
  }
  const end = async (): Promise<void> => {
    gzip.end()
    await written.catch(() => failed)
  }
  return { write, end }
}

/** Gzip text: `["tuckshop archive", head]`, then per part `["part", name]` and its rows as objects, last `["manifest", manifest]`. */
export const archiveMark = 'tuckshop archive'

/** Raised when an older program would misread the file. */
export const archiveVersion = 1

export type ArchiveHead = {
  version: number
  /** Start of the archive by the application's clock (ISO). */
  madeAt: string
  school: string
  /** '' in archives older than school ids, which no program of today accepts. */
  schoolId: string
  migrations: string[]
}

export type PartSum = { part: string; rows: number; sha256: string }

/** `head` is the SHA-256 of the first line. */
export type Manifest = { head: string; parts: PartSum[] }
