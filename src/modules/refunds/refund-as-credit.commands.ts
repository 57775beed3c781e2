import type { Ngwee } from '#kernel/money'
import { advanced, handleCommand, loadStream, type By } from '#platform/event-store/command-handler'
import type { RefundsNeeds } from './needs'
import { asCredit, type Refund, type RefundAsCredit } from './refund'
import { refundDecider } from './refund.decide'
import { payoutIdFor } from './refund.commands'

/** What went back of a refund as credit, as its stream tells it; null when there is no such refund. */
export const refundAsCredit =
  ({ eventStore }: Pick<RefundsNeeds, 'eventStore'>) =>
  async (refundId: string): Promise<RefundAsCredit | null> =>
    asCredit((await loadStream(eventStore, refundDecider, refundId)).state)

/** What an order's refund is in all once some of it went back, from when on it is not corrected; 0 before. */
export const refundBegun =
  ({ eventStore }: Pick<RefundsNeeds, 'eventStore'>) =>
  async (orderId: string): Promise<Ngwee> => {
    const { state } = await loadStream(eventStore, refundDecider, orderId)
    return 'payouts' in state && state.payouts.length > 0 ? state.due.amount : 0
  }

/** Of which part of its checkout a refund is, and how one act of paying back went, with its reference; null for none. */
export const paidBack =
  ({ eventStore }: Pick<RefundsNeeds, 'eventStore'>) =>
  async (refundId: string, payoutId: string) => {
    const { state } = await loadStream(eventStore, refundDecider, refundId)
    const payout = 'payouts' in state ? state.payouts.find((one) => one.payoutId === payoutId) : undefined
    return payout ? { part: payout.part, method: payout.method, reference: payout.reference } : null
  }

type TurnNeeds = Pick<RefundsNeeds, 'eventStore' | 'now' | 'waitForViews'> & {
  ordering: Pick<RefundsNeeds['ordering'], 'markOrderRefunded'>
  credit: Pick<RefundsNeeds['credit'], 'creditForRefund'>
}

type TurnIntoCredit = { refundId: string; idempotencyKey: string | null; administrator: number; by: By }

/**
 * Turns what is owed into credit: the refund counts as paid back, by method `credit`, and the family is given as much,
 * in one append. The order is closed first and the refund comes before the credit: where a crash comes between, a job gives it.
 * Throws `refund_not_found`, `refund_withdrawn` and `idempotency_key_reused`.
 */
export const turnIntoCredit =
  (needs: TurnNeeds) =>
  async ({ refundId, idempotencyKey, administrator, by }: TurnIntoCredit): Promise<Refund> => {
    const payoutId = payoutIdFor(refundId, idempotencyKey)
    const payout = {
      payoutId,
      amount: null,
      method: 'credit',
      reference: null,
      note: null,
      by: administrator,
    } as const
    const { refund } = await handleCommand(needs, by, async (at) => {
      const loaded = await loadStream(needs.eventStore, refundDecider, refundId)
      const events = refundDecider.decide({ kind: 'pay-back', payout, now: at }, loaded.state)
      const orderId = 'due' in loaded.state ? loaded.state.due.orderId : null
      if (events.length > 0 && orderId !== null) await needs.ordering.markOrderRefunded(orderId, by)
      const after = advanced(refundDecider, loaded, events).state
      const given = asCredit(after)
      const credit = given ? await needs.credit.creditForRefund(given, at) : []
      return { changes: [{ loaded, events, idSeed: payoutId }, ...credit], refund: after }
    })
    return refund
  }
