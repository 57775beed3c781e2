import { v5, v7 } from 'uuid'
import { retryOnConflict } from '#platform/event-store/retry-on-conflict'
import type { Position } from '#platform/event-store/event-store'
import type { Refund } from './refund'
import { refundDecider } from './refund.decide'
import type { PayoutAsked } from './refund.decide'
import { appendRefund, loadRefund } from './refund-streams.commands'
import type { By, RefundStreamNeeds } from './refund-streams.commands'

export type PayBackNeeds = RefundStreamNeeds & {
  /** Closes the order for good; safe to repeat. Throws when the order is to be cooked again. */
  markOrderRefunded: (orderId: string, by: By) => Promise<void>
  waitForViews: (position: Position) => Promise<void>
}

export type PayBack = {
  refundId: string
  payout: Omit<PayoutAsked, 'payoutId'>
  idempotencyKey: string | null
  by: By
}

const payoutNamespace = '0c2f7d1e-8a54-4f5b-9d3c-6e1b7a90c4d2'

/**
 * Records that money went back; answers the refund as it then is. The order is closed first, so that nobody can reopen
 * it once money left the house: a crash in between leaves the refund owed, to be completed by doing it again.
 */
export const payBackRefund =
  (needs: PayBackNeeds) =>
  async ({ refundId, payout, idempotencyKey, by }: PayBack): Promise<Refund> => {
    const payoutId = idempotencyKey === null ? v7() : v5(`${refundId}/${idempotencyKey}`, payoutNamespace)
    const { refund, position } = await retryOnConflict(async () => {
      const loaded = await loadRefund(needs.eventStore, refundId)
      const at = needs.now()
      const asked = { kind: 'pay-back', payout: { ...payout, payoutId }, now: at } as const
      const events = refundDecider.decide(asked, loaded.refund)
      const orderId = 'due' in loaded.refund ? loaded.refund.due.orderId : null
      if (events.length > 0 && orderId !== null) await needs.markOrderRefunded(orderId, by)
      return appendRefund(needs.eventStore, loaded, events, { ...by, at, idSeed: payoutId })
    })
    if (position !== null) await needs.waitForViews(position)
    return refund
  }
