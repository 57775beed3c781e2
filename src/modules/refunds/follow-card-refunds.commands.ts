import { handleCommand, advanced, loadStream, type By } from '#platform/event-store/command-handler'
import { sweepOf } from '#platform/jobs/whenever'
import type { Sweep } from '#platform/module'
import { isUnderWay, type CardRefund } from './card-refund'
import { cardRefundDecider, type CardRefundCommand } from './card-refund.decide'
import type { RefundsNeeds } from './ports'
import type { Refund } from './refund'
import { orderChanges } from './refund.commands'
import { cardRefundsToFollow } from './refunds.rows'
import { refusal } from './refusals'

/** Updates the order in the same append: refunded once money has gone, released when nothing has. */
export const changeCardRefund =
  (needs: RefundsNeeds) =>
  async (refundId: string, by: By, commandAt: (now: Date) => CardRefundCommand): Promise<Refund> => {
    const { refund } = await handleCommand(needs, by, async (now) => {
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

const minuteMs = 60_000

/** Often while young, later hourly. */
const pauseMs = (ageMs: number): number => Math.min(Math.max(ageMs / 4, minuteMs), 60 * minuteMs)

export const followCardRefunds = (needs: RefundsNeeds): Sweep => {
  const follow = followCardRefund(needs)
  let nextAt = new Map<string, number>()
  return sweepOf({
    name: 'follow-card-refunds',
    due: async () => {
      const waiting = await cardRefundsToFollow(needs.database.knex)
      const now = needs.now().getTime()
      nextAt = new Map(waiting.map(({ requestId }) => [requestId, nextAt.get(requestId) ?? now]))
      return waiting.filter(({ requestId }) => nextAt.get(requestId)! <= now)
    },
    id: ({ requestId }) => requestId,
    act: ({ refundId, requestId, since }, by) => {
      const now = needs.now().getTime()
      nextAt.set(requestId, now + pauseMs(now - Date.parse(since)))
      return follow(refundId, by)
    },
  })
}
