import {
  ignoreStatementRow,
  listStatements,
  statementForm,
  statementRows,
  unignoreStatementRow,
  uploadStatement as uploadCall,
} from '#contracts/statements'
import { replyJson } from '#platform/http/error-replies'
import { rawRoute, route, withFeature, type Call, type Route } from '#platform/http/route'
import { parseInput } from '#platform/http/serve-route'
import { jsonField, largestUploadBody, receiveUpload } from '#platform/http/upload'
import { ignoreRow } from './ignore-row.commands'
import type { MatchingNeeds } from './open-rows.commands'
import { statementList, statementPage } from './statement-list.commands'
import { uploadStatement } from './upload-statement.commands'

const access = withFeature('pending_payments')

/** Statements of mobile money and banks: uploaded, looked through, and rows set aside. */
export const statementRoutes = (needs: MatchingNeeds): Route[] => [
  rawRoute({
    method: uploadCall.method,
    path: uploadCall.path,
    access,
    options: { maxBodyBytes: largestUploadBody },
    serve: async (context, { user, actor, correlationId }) => {
      const { bytes, fileName, fields } = await receiveUpload(context)
      const form = formOf(fields)
      const done = await uploadStatement(needs, { bytes, fileName, ...form }, user, { actor, correlationId })
      replyJson(context, uploadCall.status, uploadCall.reply.parse(done))
    },
  }),

  route(listStatements, access, ({ query }) => statementList(needs, query)),

  route(statementRows, access, ({ params, query }) => statementPage(needs, params.id, query)),

  route(ignoreStatementRow, access, async (call) => {
    await ignoreRow(needs, { id: call.params.id, ignored: true }, byOf(call))
    return { message: 'Payment ignored' }
  }),

  route(unignoreStatementRow, access, async (call) => {
    await ignoreRow(needs, { id: call.params.id, ignored: false }, byOf(call))
    return { message: 'Payment open again' }
  }),
]

const byOf = ({ actor, correlationId }: Pick<Call, 'actor' | 'correlationId'>) => ({ actor, correlationId })

const formOf = (fields: ReadonlyMap<string, string>) => {
  const written = { source: fields.get('source') ?? '', ...jsonField(fields, 'mapping') }
  return parseInput(statementForm, written) as { source: string; mapping?: Record<string, string> }
}
