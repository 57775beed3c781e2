import { bulkUpload } from '#contracts/menu-bulk'
import type { QueryOf } from '#contracts/endpoint'
import { replyJson } from '#platform/http/error-replies'
import { uploadRefusal } from '#platform/http/http-refusals'
import { rawRoute, withFeature } from '#platform/http/route'
import { parseInput } from '#platform/http/serve-route'
import { largestUploadBody, receiveUpload, type Upload } from '#platform/http/upload'
import type { uploadMenu } from './upload.commands'

const isCsv = ({ fileName, mimeType }: Upload) =>
  fileName.toLowerCase().endsWith('.csv') || /^(text|application)\/(x-)?csv\b/.test(mimeType.toLowerCase())

export const uploadRoutes = (commands: { uploadMenu: ReturnType<typeof uploadMenu> }) => [
  rawRoute({
    method: bulkUpload.method,
    path: bulkUpload.path,
    access: withFeature('menu'),
    options: { maxBodyBytes: largestUploadBody },
    serve: async (context, { actor, correlationId }) => {
      const query = parseInput(bulkUpload.query, context.query) as QueryOf<typeof bulkUpload>
      const upload = await receiveUpload(context)
      if (!isCsv(upload)) throw uploadRefusal('not_csv', 'Invalid File Type: Please select a CSV file')
      const dryRun = query.dryRun === 'true'
      const outcome = await commands.uploadMenu(upload.bytes, { actor, correlationId }, { dryRun })
      replyJson(context, bulkUpload.status, bulkUpload.reply.parse(outcome))
    },
  }),
]
