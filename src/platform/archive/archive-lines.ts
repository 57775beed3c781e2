import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { StartError } from '#platform/start-error'

const newLine = 0x0a
const chunkBytes = 256 * 1024

/**
 * The lines of a gzip'd file. They end at a line feed only: names and comments may hold other signs that count as line
 * breaks elsewhere. `onRead` is told the compressed bytes read so far. Throws StartError for a file that cannot be read.
 */
export async function* archiveLines(
  path: string,
  onRead: (bytes: number) => void = () => undefined,
): AsyncGenerator<string> {
  const file = createReadStream(path)
  // Ends the one when the other fails; the failure itself comes out where it is read.
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
