import { checkCardRefund, refundToCard } from '#contracts/refunds'
import type { By } from '#platform/event-store/command-handler'
import { answeredOnce, knowsItsKey, route, withFeature, type Route } from '#platform/http/route'
import { cardReply, type CardRefund } from './card-refund'
import { requestCardRefund } from './card-refund.commands'
import { cardOf, changeCardRefund } from './follow-card-refunds.commands'
import type { OwedNeeds, RefundsNeeds } from './ports'
import { payoutIdFor } from './refund.commands'

export const cardRefundRoutes = (needs: OwedNeeds): Route[] => [
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

type Found = {
  refundId: string
  outcome: 'done' | 'failed'
  note: string | null
  administrator: number
  by: By
}

/** Throws `refund_not_to_be_checked` unless in `check`. */
export const recordCardRefundOutcome =
  (needs: RefundsNeeds) =>
  async ({ refundId, outcome, note, administrator, by }: Found): Promise<CardRefund> =>
    cardOf(
      await changeCardRefund(needs)(refundId, by, (now) => ({
        kind: 'find',
        outcome,
        note,
        by: administrator,
        now,
      })),
    )
