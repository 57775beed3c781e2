import {
  settlementForm,
  settlementOf,
  settlements,
  uploadSettlement as uploadCall,
  type SettlementHead,
  type SettlementMapping,
} from '#contracts/settlements'
import { replyJson } from '#platform/http/error-replies'
import { rawRoute, route, withFeature, type Route } from '#platform/http/route'
import { parseInput } from '#platform/http/serve-route'
import { jsonField, maxUploadBody, receiveUpload } from '#platform/http/body'
import type { BooksNeeds } from '../needs'
import { refusal } from '../refusals'
import { latestSettlements, settlementById, type SettlementRecord } from './settlements.rows'
import { uploadSettlement } from './upload-settlement.commands'

const finance = withFeature('history')
const maxListed = 100

export const settlementRoutes = (needs: BooksNeeds): Route[] => {
  const { knex } = needs.database
  const upload = uploadSettlement(needs)

  const heads = async (records: readonly Omit<SettlementRecord, 'rows' | 'errors'>[]) => {
    const names = await needs.identity.usernamesOf([...new Set(records.map((one) => one.uploaded_by))])
    return records.map(({ id, file_name, uploaded_at, uploaded_by, counts, totals }): SettlementHead => ({
      id,
      fileName: file_name,
      uploadedAt: uploaded_at.toISOString(),
      uploadedBy: names.get(uploaded_by) ?? `administrator ${uploaded_by}`,
      counts,
      totals,
    }))
  }
  const replyOf = async (record: SettlementRecord) => ({
    ...(await heads([record]))[0]!,
    rows: record.rows,
    errors: record.errors,
  })

  return [
    rawRoute({
      method: uploadCall.method,
      path: uploadCall.path,
      access: finance,
      options: { maxBodyBytes: maxUploadBody },
      serve: async (context, { user, by }) => {
        const { bytes, fileName, fields } = await receiveUpload(context)
        const { mapping } = parseInput(settlementForm, jsonField(fields, 'mapping')) as {
          mapping?: SettlementMapping
        }
        const settlement = await upload({ bytes, fileName, mapping }, user.userId, by)
        replyJson(context, uploadCall.status, uploadCall.reply.parse(await replyOf(settlement)))
      },
    }),

    route(settlements, finance, async () => ({
      data: await heads(await latestSettlements(knex, maxListed)),
    })),

    route(settlementOf, finance, async ({ params }) => {
      const settlement = await settlementById(knex, params.id)
      if (!settlement) throw refusal('settlement_not_found')
      return replyOf(settlement)
    }),
  ]
}
