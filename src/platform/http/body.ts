import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy'
import type { Context } from 'koa'
import getRawBody from 'raw-body'
import { httpRefusal, uploadRefusal, stateOf, type BodyLimits } from './request'

/** Throws `request_too_large` (256 KiB unless the route says more), `request_too_slow`, or `malformed_request` for a cut-off body. */
export const readBody = async (context: Context): Promise<Buffer> => {
  const { maxBytes, timeoutMs, idleMs } = stateOf(context).bodyLimits
  const { req } = context
  const length = req.headers['content-length']
  const timers: NodeJS.Timeout[] = []
  const late = new Promise<never>((_resolve, reject) => {
    const tooLate = () => reject(tooSlow(context))
    const idle = setTimeout(tooLate, idleMs)
    timers.push(setTimeout(tooLate, timeoutMs), idle)
    req.on('data', () => idle.refresh())
  })
  try {
    return await Promise.race([getRawBody(req, { length, limit: maxBytes }), late])
  } catch (error) {
    throw refusalOf(error)
  } finally {
    timers.forEach(clearTimeout)
    // What is left unread of a refused body would stand before the next request of this connection.
    req.resume()
  }
}

const tooSlow = (context: Context) => {
  context.set('Connection', 'close')
  return httpRefusal('request_too_slow', 'The request took too long to arrive')
}

const tooLarge = () => httpRefusal('request_too_large', 'The request is too large')

const refusalOf = (error: unknown) => {
  switch ((error as { type?: string }).type) {
    case 'entity.too.large':
      return tooLarge()
    case 'request.aborted':
    case 'request.size.invalid':
      return httpRefusal('malformed_request', 'The request was cut off')
    default:
      return error
  }
}

/** Refuses by Content-Length, also for routes that stream. */
export const refuseDeclaredSize = (context: Context, limits: BodyLimits): void => {
  if (Number(context.req.headers['content-length'] ?? 0) > limits.maxBytes) throw tooLarge()
}

/** JSON body, undefined for none. Refuses other types (415), bad JSON or UTF-8, NUL and lone surrogates (400), which no database stores. */
export const readJson = async (context: Context): Promise<unknown> => {
  if (!hasBody(context)) return undefined
  if (!isPlainJson(context))
    throw httpRefusal('unsupported_media_type', 'The request must be JSON (application/json)')
  return parseJson(await readBody(context))
}

const hasBody = ({ req }: Context) =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0

const isPlainJson = ({ req }: Context) => {
  const [type = ''] = (req.headers['content-type'] ?? '').split(';', 1)
  const encoding = req.headers['content-encoding'] ?? 'identity'
  return type.trim().toLowerCase() === 'application/json' && encoding === 'identity'
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const mayHoldBadText = /\\u(?:0000|d[89a-f])/i

const parseJson = (body: Buffer): unknown => {
  if (body.length === 0) return undefined
  try {
    const text = utf8.decode(body)
    return JSON.parse(text, mayHoldBadText.test(text) ? refuseBadText : undefined)
  } catch {
    throw httpRefusal('malformed_request', 'The request is not valid JSON')
  }
}

const refuseBadText = (key: string, value: unknown) => {
  if (isBadText(key) || (typeof value === 'string' && isBadText(value)))
    throw new Error('This text has characters that cannot be saved')
  return value
}

const isBadText = (text: string): boolean => text.includes('\0') || !isWellFormed(text)

// In Node 20, missing from the ES2023 types.
const isWellFormed = (text: string) => (text as unknown as { isWellFormed: () => boolean }).isWellFormed()

export type Upload = {
  fileName: string
  mimeType: string
  bytes: Buffer
  fields: ReadonlyMap<string, string>
}

const mebibyte = 1024 * 1024
/** Unless the route sets its own. */
const maxUpload = 5 * mebibyte
/** The file plus the form's own lines. */
export const uploadBodyOf = (fileBytes: number): number => fileBytes + 64 * 1024
export const maxUploadBody = uploadBodyOf(maxUpload)
const maxFieldLength = 16 * 1024
// The form has few; browser extensions may add some.
const maxParts = 20

type Received = { fileName: string; mimeType: string; stream: BusboyFileStream; chunks: Buffer[] }
type Form = { file: Received | null; fields: Map<string, string> }

const readForm = (headers: BusboyHeaders, body: Buffer, fileSize: number): Promise<Form> =>
  new Promise((resolve, reject) => {
    const received: Form = { file: null, fields: new Map() }
    const limits = { fileSize, fieldSize: maxFieldLength, parts: maxParts, headerPairs: 20 }
    const form = Busboy({ headers, limits })
    const bytes = Readable.from(inSlices(body))
    const breakOff = (reason: string) => {
      bytes.destroy()
      reject(new Error(reason))
    }
    form.on('partsLimit', () => breakOff('The form has too many parts'))
    form.on('field', (name, value, _nameCut, valueCut) => {
      if (valueCut) breakOff(`The field ${name} is too long`)
      if (isBadText(name + value)) breakOff('A field has characters that cannot be saved')
      received.fields.set(name, value)
    })
    form.on('file', (field, stream, fileName, _encoding, mimeType) => {
      // A broken file also breaks the form, which reports it.
      stream.on('error', reject)
      if (isBadText(fileName)) breakOff('The file name has characters that cannot be saved. Rename the file')
      if (field !== 'file' || received.file) return stream.resume()
      const chunks: Buffer[] = []
      received.file = { fileName, mimeType, stream, chunks }
      return stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    })
    form.on('error', reject)
    form.on('finish', () => resolve(received))
    bytes.pipe(form)
  })

const isMultipart = (headers: Context['req']['headers']): headers is BusboyHeaders =>
  headers['content-type']?.toLowerCase().startsWith('multipart/form-data') ?? false

/** The file and fields of a multipart request; throws a refusal. At most `most` bytes (5 MiB); the route allows `uploadBodyOf` them. */
export const receiveUpload = async (context: Context, most = maxUpload): Promise<Upload> => {
  const { headers } = context.req
  if (!isMultipart(headers)) throw uploadRefusal('upload_malformed', 'Send the file as multipart/form-data')
  const body = await readBody(context)
  const { file, fields } = await readForm(headers, body, most).catch(() => {
    throw uploadRefusal('upload_malformed', 'The upload was interrupted. Please try again')
  })
  if (!file || (file.fileName === '' && file.chunks.length === 0))
    throw uploadRefusal('no_file', 'No File Selected')
  if (file.stream.truncated)
    throw uploadRefusal('file_too_large', `A file can have at most ${most / mebibyte} MiB`)
  const { fileName, mimeType, chunks } = file
  return { fileName, mimeType, bytes: Buffer.concat(chunks), fields }
}

export const jsonField = (fields: ReadonlyMap<string, string>, name: string): Record<string, unknown> => {
  const written = fields.get(name)
  if (!written) return {}
  try {
    return { [name]: JSON.parse(written) }
  } catch {
    throw httpRefusal('validation_failed', `The ${name} is not JSON`)
  }
}

/** Slices of 64 KiB: readers can stop early and other requests run in between. */
const inSlices = async function* (bytes: Buffer): AsyncGenerator<Buffer> {
  const size = 65_536
  for (let start = 0; start < bytes.length; start += size) {
    yield bytes.subarray(start, start + size)
    await setImmediate()
  }
}

/** `isCut`: some bytes are no characters and became U+FFFD. `isLatin`: read as Windows' Western European for want of anything better. */
export type UploadedText = { text: string; isCut: boolean; isLatin: boolean }

/** Refuses other formats by content, not by name. */
export const uploadedText = (bytes: Buffer): UploadedText => {
  refuseBinaries(bytes)
  const decoded = decode(bytes)
  const text = withoutMarks(decoded.text)
  if (!/[^\s,;|"]/.test(text)) throw refused('The file is empty. Choose one that has rows.')
  refuseOtherFormats(text)
  return { ...decoded, text }
}

/** Without byte order marks and the DOS end-of-file sign. */
const withoutMarks = (text: string): string => {
  const bare = text.replace(/^\uFEFF+/, '')
  const end = bare.trimEnd()
  return end.endsWith('\u001A') ? end.slice(0, -1) : bare
}

const refused = (message: string) => uploadRefusal('not_csv', message)
const saveAsCsv = (what: string) => refused(`This is ${what}. Save it as CSV.`)

const startsWith = (bytes: Buffer, ...start: number[]) => start.every((byte, index) => bytes[index] === byte)

const refuseBinaries = (bytes: Buffer): void => {
  if (startsWith(bytes, 0x50, 0x4b, 3, 4) || startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0))
    throw saveAsCsv('a spreadsheet')
  if (bytes.subarray(0, 1024).includes('%PDF-')) throw saveAsCsv('a PDF')
}

const downloadAsCsv = (what: string) => refused(`This is ${what} file. Download it as CSV.`)

const refuseOtherFormats = (text: string): void => {
  const start = text.slice(0, 1024).trimStart()
  if (/^(OFXHEADER|<OFX|<\?OFX)|^<\?xml[^>]*>\s*<\??OFX/i.test(start)) throw downloadAsCsv('an OFX')
  if (/^!(type|account|option|clear)\b/i.test(start)) throw downloadAsCsv('a QIF')
  if (/^(\W?\{1:[A-Z]|:(20|940):)|^:20:.*[\r\n]+:\d\d[A-Z]?:/m.test(start)) throw downloadAsCsv('an MT940')
  if (/^([{[]\s*["{[\]}]|[{[]$|\[\s*(-?\d[\d.]*|true|false|null)\s*[,\]])/.test(start))
    throw downloadAsCsv('a JSON')
  if (
    /^\{\\rtf|^ID;PWXL|^MIME-Version:|^<(\?xml|!doctype|!--|\/?[a-z][\w:-]*[\s/>])|<(table|html|body)[\s>]/i.test(
      start,
    )
  )
    throw saveAsCsv('a spreadsheet or a page')
  const looked = text.slice(0, 4096)
  // oxlint-disable-next-line no-control-regex -- what no text has
  const controls = looked.match(/[\0-\u0008\u000E-\u001F]/g)?.length ?? 0
  // A bad byte spoils only its row.
  if (controls > 3 && controls * 100 > looked.length) throw saveAsCsv('no text')
}

const decode = (bytes: Buffer): UploadedText => {
  const utf16 = utf16Of(bytes)
  const text = new TextDecoder(utf16 ?? 'utf-8').decode(bytes)
  if (utf16 === null && isUtf8(bytes)) return { text, isCut: false, isLatin: false }
  const bad = text.match(/\uFFFD/g)?.length ?? 0
  // In Windows Latin two adjacent letters hardly ever form UTF-8.
  const good = text.match(/[\u0080-\uFFFC]/g)?.length ?? 0
  return utf16 !== null || good >= bad
    ? { text, isCut: bad > 0, isLatin: false }
    : { text: new TextDecoder('windows-1252').decode(bytes), isCut: false, isLatin: true }
}

/** UTF-16 without a mark has a zero beside every letter; null for none. */
const utf16Of = (bytes: Buffer): 'utf-16le' | 'utf-16be' | null => {
  if (startsWith(bytes, 0xff, 0xfe)) return 'utf-16le'
  if (startsWith(bytes, 0xfe, 0xff)) return 'utf-16be'
  const zeros = [0, 0]
  for (const [index, byte] of bytes.subarray(0, 400).entries()) if (byte === 0) zeros[index % 2]! += 1
  const few = Math.min(bytes.length, 400) / 8
  if (zeros[1]! > few && zeros[0] === 0) return 'utf-16le'
  return zeros[0]! > few && zeros[1] === 0 ? 'utf-16be' : null
}
