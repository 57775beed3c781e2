import type { Pool } from 'pg'
import type { BodyOf } from '#contracts/endpoint'
import { completeRefund, listRefunds } from '#contracts/refunds'
import { pageMetadataOf } from '#platform/http/page-metadata'
import { route, withFeature } from '#platform/http/route'
import type { Route } from '#platform/http/route'
import { payBackRefund } from './pay-back.commands'
import type { PayBack, PayBackNeeds } from './pay-back.commands'
import { listedReply, refundReply } from './refund-reply'
import { refundsPage } from './refunds.rows'
import { refusal } from './refusals'

const pageSize = 50

/** Refund Management (administrator.md section 2.9): what is owed, and that it went back. */
export const refundRoutes = (needs: PayBackNeeds & { database: { pool: Pool } }): Route[] => [
  route(listRefunds, withFeature('refunds'), async ({ query }) => {
    const page = Math.max(1, query.page ?? 1)
    const { limit = pageSize, sort = 'due', direction = 'asc', status = 'cancelled', text = '' } = query
    const { rows, total } = await refundsPage(
      needs.database.pool,
      { status, text },
      { sort, direction, offset: (page - 1) * limit, limit },
    )
    return { data: rows.map(listedReply), metadata: pageMetadataOf(total, page, limit) }
  }),

  route(completeRefund, withFeature('refunds'), async (call) => {
    const { params, body, user, idempotencyKey, actor, correlationId } = call
    const refund = await payBackRefund(needs)({
      refundId: params.id,
      payout: { ...payoutOf(body), by: user.userId },
      idempotencyKey,
      by: { actor, correlationId },
    })
    if (refund.status === 'none') throw refusal('refund_not_found')
    return refundReply(refund)
  }),
]

const payoutOf = (body: BodyOf<typeof completeRefund>): Omit<PayBack['payout'], 'by'> => ({
  amount: body?.amount === undefined ? null : Math.round(body.amount * 100),
  method: body?.method ?? 'manual',
  reference: body?.reference || null,
  note: body?.note || null,
})
