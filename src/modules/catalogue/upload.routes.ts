import { Readable } from 'node:stream'
import { Busboy, type BusboyFileStream, type BusboyHeaders } from '@fastify/busboy'
import type { Context } from 'koa'
import { bulkUpload } from '#contracts/catalogue'
import type { QueryOf } from '#contracts/endpoint'
import { readBody } from '#platform/http/body'
import { replyJson } from '#platform/http/error-replies'
import { rawRoute, withFeature } from '#platform/http/route'
import { parseInput } from '#platform/http/serve-route'
import { refused } from './refusals'
import { inSlices, type uploadMenu } from './upload.commands'

const largestFile = 5 * 1024 * 1024
// The form's own lines around the file.
const formAround = 64 * 1024
// The form has one; whatever a browser's extension adds may stand beside it.
const mostParts = 20

type Upload = { fileName: string; mimeType: string; stream: BusboyFileStream; chunks: Buffer[] }

/** The first file of the field `file`; null when there is none. */
const readForm = (headers: BusboyHeaders, body: Buffer): Promise<Upload | null> =>
  new Promise((resolve, reject) => {
    let upload: Upload | null = null
    const form = Busboy({ headers, limits: { fileSize: largestFile, parts: mostParts, headerPairs: 20 } })
    const bytes = Readable.from(inSlices(body))
    form.on('partsLimit', () => {
      bytes.destroy()
      reject(new Error('The form has too many parts'))
    })
    form.on('file', (field, stream, fileName, _encoding, mimeType) => {
      // A file that breaks off also breaks the form, which reports it.
      stream.on('error', reject)
      if (field !== 'file' || upload) return stream.resume()
      const chunks: Buffer[] = []
      upload = { fileName, mimeType, stream, chunks }
      return stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    })
    form.on('error', reject)
    form.on('finish', () => resolve(upload))
    bytes.pipe(form)
  })

const isMultipart = (headers: Context['req']['headers']): headers is BusboyHeaders =>
  headers['content-type']?.toLowerCase().startsWith('multipart/form-data') ?? false

const isCsv = ({ fileName, mimeType }: Upload) =>
  fileName.toLowerCase().endsWith('.csv') || /^(text|application)\/(x-)?csv\b/.test(mimeType.toLowerCase())

/** The bytes of the CSV file in a multipart request; throws a refusal. */
const receiveFile = async (context: Context): Promise<Buffer> => {
  const { headers } = context.req
  if (!isMultipart(headers)) throw refused('upload_malformed', 'Send the file as multipart/form-data')
  const body = await readBody(context)
  const upload = await readForm(headers, body).catch(() => {
    throw refused('upload_malformed', 'The upload broke off or is not a form')
  })
  if (!upload || (upload.fileName === '' && upload.chunks.length === 0))
    throw refused('no_file', 'No File Selected')
  if (!isCsv(upload)) throw refused('not_csv', 'Invalid File Type: Please select a CSV file')
  if (upload.stream.truncated) throw refused('file_too_large', 'A file can have at most 5 MiB')
  return Buffer.concat(upload.chunks)
}

export const uploadRoutes = (commands: { uploadMenu: ReturnType<typeof uploadMenu> }) => [
  rawRoute({
    method: bulkUpload.method,
    path: bulkUpload.path,
    access: withFeature('menu'),
    options: { maxBodyBytes: largestFile + formAround },
    serve: async (context, { actor, correlationId }) => {
      const query = parseInput(bulkUpload.query, context.query) as QueryOf<typeof bulkUpload>
      const file = await receiveFile(context)
      const dryRun = query.dryRun === 'true'
      const outcome = await commands.uploadMenu(file, { actor, correlationId }, { dryRun })
      replyJson(context, bulkUpload.status, bulkUpload.reply.parse(outcome))
    },
  }),
]
