import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { StartError } from '#platform/start-error'

const newLine = 0x0a
const chunkBytes = 256 * 1024

/** Splits at line feeds only: text may hold other line separators. `onRead` gets the compressed bytes so far. Throws StartError. */
export async function* archiveLines(
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
