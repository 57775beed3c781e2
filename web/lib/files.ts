import { csvFormat } from '#contracts/csv'
import type { Endpoint, ReplyOf } from '#contracts/endpoint'
import { replyIn } from './call'

/** Without a name the server's name is used. */
export const downloadFrom = (address: string, name = ''): void => {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

const saveText = (name: string, text: string, type: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type }))
  downloadFrom(address, name)
  URL.revokeObjectURL(address)
}

/** Gives the text of a CSV file to the browser to keep. */
export const saveCsv = (name: string, text: string): void => saveText(name, text, 'text/csv;charset=utf-8')

export const saveJson = (name: string, value: unknown): void =>
  saveText(name, JSON.stringify(value, null, 2), 'application/json')

/** Spreadsheet-safe: BOM, heading, no formulas. */
export const csvFile = async (
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<string> => {
  const { stringify } = await import('csv-stringify/browser/esm/sync')
  return stringify([columns, ...rows] as string[][], { ...csvFormat, bom: true })
}

const timeoutMs = 120_000

/** `mapping` is for an unknown layout. */
export type MappedFile = { file: File; mapping?: object | null | undefined }

export const uploadForm = ({ file, mapping }: MappedFile): FormData => {
  const form = new FormData()
  if (mapping) form.set('mapping', JSON.stringify(mapping))
  form.set('file', file)
  return form
}

/** Uploads a file with progress 0 to 1, which `fetch` lacks. Throws CallError, or TypeError when no answer came. */
export const sendFile = <E extends Endpoint>(
  endpoint: E,
  file: MappedFile,
  onSent: (share: number) => void,
): Promise<ReplyOf<E>> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(endpoint.method, endpoint.path)
    request.setRequestHeader('Accept', 'application/json')
    request.timeout = timeoutMs
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0))
    request.upload.addEventListener('load', () => onSent(1))
    request.addEventListener('load', () => {
      const { status, statusText, responseText } = request
      try {
        resolve(replyIn(endpoint, { ok: status < 400, status, statusText }, responseText))
      } catch (error) {
        reject(error)
      }
    })
    const lost = () =>
      reject(new TypeError('No answer. Please check your connection, choose the file and try again.'))
    request.addEventListener('error', lost)
    request.addEventListener('timeout', lost)
    request.send(uploadForm(file))
  })
