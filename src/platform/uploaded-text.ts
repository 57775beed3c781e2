import { isUtf8 } from 'node:buffer'
import { uploadRefusal } from './http/error-replies'

/** `isCut`: some bytes are no characters and became U+FFFD. */
export type UploadedText = { text: string; isCut: boolean }

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
  if (utf16 === null && isUtf8(bytes)) return { text, isCut: false }
  const bad = text.match(/\uFFFD/g)?.length ?? 0
  // In Windows Latin two adjacent letters hardly ever form UTF-8.
  const good = text.match(/[\u0080-\uFFFC]/g)?.length ?? 0
  return utf16 !== null || good >= bad
    ? { text, isCut: bad > 0 }
    : { text: new TextDecoder('windows-1252').decode(bytes), isCut: false }
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
