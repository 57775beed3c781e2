import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { StartError } from '#platform/failures'
import {
  archiveMark,
  archiveVersion,
  sha256,
  type ArchiveHead,
  type Manifest,
  type PartSum,
} from './write-archive'

/** JSON rows of a part in order; an empty part is one empty batch. */
type ArchiveBatch = { part: string; rows: string[] }

const headMark = z.tuple([
  z.literal(archiveMark),
  z.object({
    version: z.int(),
    madeAt: z.string(),
    school: z.string(),
    schoolId: z.string().default(''),
    migrations: z.array(z.string()),
  }),
])
const partMark = z.tuple([z.literal('part'), z.string()])
const manifestMark = z.tuple([
  z.literal('manifest'),
  z.object({
    head: z.string(),
    parts: z.array(z.object({ part: z.string(), rows: z.int(), sha256: z.string() })),
  }),
])

const batchRows = 500
const batchText = 4 * 1024 * 1024

/** Reads a whole archive and ends with its contents. Throws StartError when it is truncated, damaged, changed or newer. */
export async function* readArchive(
  path: string,
  onRead?: (bytes: number) => void,
): AsyncGenerator<ArchiveBatch, { head: ArchiveHead; parts: PartSum[]; fingerprint: string }> {
  const lines = archiveLines(path, onRead)
  const headLine = (await lines.next()).value ?? ''
  const head = headOf(path, headLine)
  const parts = partSums()
  let batch: ArchiveBatch | null = null
  let length = 0
  for await (const line of lines) {
    if (!line.startsWith('[')) {
      if (batch === null) throw changed(path, 'it has rows outside its parts')
      parts.row(line)
      batch.rows.push(line)
      length += line.length
      if (batch.rows.length < batchRows && length < batchText) continue
    }
    if (batch !== null) yield batch
    length = 0
    if (!line.startsWith('[')) batch = { part: batch!.part, rows: [] }
    else {
      const mark = markOf(path, line)
      if (mark.kind === 'manifest') {
        if (!(await lines.next()).done) throw changed(path, 'there is something behind its end')
        compare(path, { head: sha256(headLine), parts: parts.end() }, mark.manifest)
        return { head, parts: mark.manifest.parts, fingerprint: sha256(line) }
      }
      parts.begin(mark.part)
      batch = { part: mark.part, rows: [] }
    }
  }
  throw new StartError(`The archive ${path} is cut short: its manifest is missing.`)
}

export const readArchiveHead = async (path: string): Promise<ArchiveHead | null> => {
  const lines = archiveLines(path)
  try {
    return headOf(path, (await lines.next()).value ?? '')
  } catch {
    return null
  } finally {
    await lines.return(undefined)
  }
}

const changed = (path: string, what: string) =>
  new StartError(`The archive ${path} is not as it was made: ${what}.`)

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

const headOf = (path: string, line: string): ArchiveHead => {
  const mark = parsed(line)
  if (!Array.isArray(mark) || mark[0] !== archiveMark)
    throw new StartError(`The file ${path} is no archive of npm run backup.`)
  const version: unknown = (mark[1] as { version?: unknown } | undefined)?.version
  if (typeof version === 'number' && version > archiveVersion)
    throw new StartError(
      `The archive ${path} was made by a newer Tuckshop (version ${version} of the format).`,
    )
  const read = headMark.safeParse(mark)
  if (!read.success) throw changed(path, 'its first line cannot be understood')
  return read.data[1]
}

const markOf = (path: string, line: string) => {
  const mark = parsed(line)
  const part = partMark.safeParse(mark)
  if (part.success) return { kind: 'part', part: part.data[1] } as const
  const manifest = manifestMark.safeParse(mark)
  if (manifest.success) return { kind: 'manifest', manifest: manifest.data[1] } as const
  throw changed(path, 'one of its marks cannot be understood')
}

const partSums = () => {
  const sums: PartSum[] = []
  let open: { part: string; rows: number; hash: Hash } | null = null
  const end = () => {
    if (open) sums.push({ part: open.part, rows: open.rows, sha256: open.hash.digest('hex') })
    open = null
    return sums
  }
  return {
    begin: (part: string) => {
      end()
      open = { part, rows: 0, hash: createHash('sha256') }
    },
    row: (line: string) => {
      if (!open) return
      open.rows += 1
      open.hash.update(line).update('\n')
    },
    end,
  }
}

const compare = (path: string, found: Manifest, told: Manifest): void => {
  if (found.head !== told.head) throw changed(path, 'its first line was changed')
  for (const [index, sum] of told.parts.entries()) {
    const there = found.parts[index]
    if (there?.part !== sum.part) throw changed(path, `its part ${sum.part} is missing or in another place`)
    if (there.rows !== sum.rows)
      throw changed(path, `its part ${sum.part} has ${there.rows} rows instead of ${sum.rows}`)
    if (there.sha256 !== sum.sha256) throw changed(path, `its part ${sum.part} was changed`)
  }
  if (found.parts.length !== told.parts.length)
    throw changed(path, 'it has parts that its manifest does not know')
}

const newLine = 0x0a
const chunkBytes = 256 * 1024

/** Splits at line feeds only: text may hold other line separators. `onRead` gets the compressed bytes so far. Throws StartError. */
async function* archiveLines(
  path: string,
  onRead: (bytes: number) => void = () => undefined,
): AsyncGenerator<string> {
  const file = createReadStream(path)
  // Each end fails with the other; the reader gets the error.
  const unzipped = pipeline(file, createGunzip({ chunkSize: chunkBytes }), () => undefined)
  let rest: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of unzipped as AsyncIterable<Buffer>) {
      onRead(file.bytesRead)
      const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let from = 0
      for (let end = bytes.indexOf(newLine); end >= 0; end = bytes.indexOf(newLine, from)) {
        yield bytes.toString('utf8', from, end)
        from = end + 1
      }
      rest = bytes.subarray(from)
    }
  } catch (error) {
    throw unreadable(path, error)
  }
  if (rest.length > 0) throw new StartError(`The archive ${path} is cut short: its last line has no end.`)
}

const unreadable = (path: string, error: unknown): unknown => {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (code === 'Z_BUF_ERROR') return new StartError(`The archive ${path} is cut short: its end is missing.`)
  if (code.startsWith('Z_'))
    return new StartError(`The file ${path} is damaged, or is no archive of npm run backup.`)
  if (syscall !== undefined) return new StartError(`The archive ${path} cannot be read (${code}).`)
  return error
}
