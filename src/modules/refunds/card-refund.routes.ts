import { checkCardRefund, refundToCard } from '#contracts/refunds'
import { answeredOnce, knowsItsKey, route, withFeature, type Route } from '#platform/http/route'
import {
  requestCardRefund,
  type CardRequestNeeds,
  recordCardRefundOutcome,
} from './card-refund-request.commands'
import { cardReply } from './card-refund'
import { payoutIdFor } from './refund.commands'

export const cardRefundRoutes = (needs: CardRequestNeeds): Route[] => [
  route(
    refundToCard,
    withFeature('refunds'),
    async (call) => {
      const { params, user, idempotencyKey, by } = call
      const card = await requestCardRefund(needs)({
        refundId: params.id,
        requestId: payoutIdFor(params.id, idempotencyKey),
        administrator: user.userId,
        by,
      })
      return card ? cardReply(card) : { id: params.id, state: 'approval' as const }
    },
    knowsItsKey,
  ),

  route(
    checkCardRefund,
    withFeature('refunds'),
    async (call) => {
      const { params, body, user, by } = call
      const card = await recordCardRefundOutcome(needs)({
        refundId: params.id,
        outcome: body.outcome,
        note: body.note || null,
        administrator: user.userId,
        by,
      })
      return cardReply(card)
    },
    answeredOnce,
  ),
]
