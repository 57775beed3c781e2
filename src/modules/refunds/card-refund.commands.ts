import { commandHandler, loadStream, type By } from '#platform/event-store/command-handler'
import { isUnderWay, type CardRefund } from './card-refund'
import { cardRefundDecider } from './card-refund.decide'
import type { RefundsNeeds } from './needs'
import type { Refund } from './refund'
import { refusal } from './refusals'

export type FollowNeeds = Pick<RefundsNeeds, 'eventStore' | 'now' | 'cards'> &
  Partial<Pick<RefundsNeeds, 'waitForViews'>> & {
    payments: Pick<RefundsNeeds['payments'], 'cardPayments'>
  }

/**
 * Asks the card provider what became of the request that is under way; it is never asked to pay again. Safe to repeat.
 * Answers the request as it then is. Throws `refund_not_found`.
 */
export const followCardRefund = (needs: FollowNeeds) => {
  const { cards, eventStore, payments } = needs
  const handle = commandHandler(cardRefundDecider, needs)
  return async (refundId: string, by: By): Promise<CardRefund> => {
    const { state } = await loadStream(eventStore, cardRefundDecider, refundId)
    const card = cardOf(state)
    if (!isUnderWay(card) || card.state === 'check' || state.status === 'none') return card
    const { requestId } = card
    const { attemptId } = state.due
    const payment = (await payments.cardPayments([attemptId])).get(attemptId)
    const answer = payment && (await cards?.verifyRefund(payment))
    const refunds = answer?.kind === 'reported' ? answer.refunds : null
    const followed = await handle(refundId, by, (refund, now) =>
      cardRefundDecider.decide({ kind: 'look', requestId, refunds, now }, refund),
    )
    return cardOf(followed.state)
  }
}

/** The latest request to pay this refund back to the card. */
export const cardOf = (refund: Refund): CardRefund => {
  const card = 'card' in refund ? refund.card : null
  if (!card) throw refusal('refund_not_found')
  return card
}

type Found = {
  refundId: string
  outcome: 'done' | 'failed'
  note: string | null
  administrator: number
  by: By
}

/** A person says what became of a request that stayed unclear. Throws `refund_not_to_be_checked` for any other. */
export const sayWhatBecame = (needs: Pick<RefundsNeeds, 'eventStore' | 'now' | 'waitForViews'>) => {
  const handle = commandHandler(cardRefundDecider, needs)
  return async ({ refundId, outcome, note, administrator, by }: Found): Promise<CardRefund> => {
    const { state } = await handle(refundId, by, (refund, now) =>
      cardRefundDecider.decide({ kind: 'find', outcome, note, by: administrator, now }, refund),
    )
    return cardOf(state)
  }
}
