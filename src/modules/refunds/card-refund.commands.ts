import { advanced, loadStream, type By, handleUntilShown } from '#platform/event-store/command-handler'
import { isUnderWay, type CardRefund } from './card-refund'
import { cardRefundDecider, type CardRefundCommand } from './card-refund.decide'
import type { RefundsNeeds } from './needs'
import type { Refund } from './refund'
import { orderChanges } from './refund.commands'
import { refusal } from './refusals'

/** Updates the order in the same append: refunded once money has gone, released when nothing has. */
export const changeCardRefund =
  (needs: RefundsNeeds) =>
  async (refundId: string, by: By, commandAt: (now: Date) => CardRefundCommand): Promise<Refund> => {
    const { refund } = await handleUntilShown(needs, by, async (now) => {
      const loaded = await loadStream(needs.eventStore, cardRefundDecider, refundId)
      const events = cardRefundDecider.decide(commandAt(now), loaded.state)
      const refund = advanced(cardRefundDecider, loaded, events).state
      const closing = events.length > 0 ? await orderChanges(needs, refund, now) : []
      return { changes: [...closing, { loaded, events }], refund }
    })
    return refund
  }

/** Asks for the outcome of a running request, never to pay again. Repeatable. Throws `refund_not_found`. */
export const followCardRefund = (needs: RefundsNeeds) => {
  const { cards, eventStore, payments } = needs
  const change = changeCardRefund(needs)
  return async (refundId: string, by: By): Promise<CardRefund> => {
    const { state } = await loadStream(eventStore, cardRefundDecider, refundId)
    const card = cardOf(state)
    if (!isUnderWay(card) || card.state === 'check' || state.status === 'none') return card
    const { requestId } = card
    const { attemptId } = state.due
    const payment = (await payments.cardPayments([attemptId])).get(attemptId)
    const answer = payment && (await cards?.verifyRefund(payment))
    const refunds = answer?.kind === 'reported' ? answer.refunds : null
    return cardOf(await change(refundId, by, (now) => ({ kind: 'look', requestId, refunds, now })))
  }
}

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
