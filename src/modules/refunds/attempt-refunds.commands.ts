import { retryOnConflict } from '#platform/event-store/retry-on-conflict'
import { refundIdOfPart } from './refund'
import type { Due } from './refund'
import { refundDecider } from './refund.decide'
import { appendRefund, loadRefund } from './refund-streams.commands'
import type { By, RefundStreamNeeds } from './refund-streams.commands'

/** Money of an attempt that will not become an order: a line that was given up, or what was paid too much. */
export type OwedMoney = Pick<Due, 'part' | 'userId' | 'amount' | 'student' | 'item' | 'orderedAt'>

export type AttemptRefundNeeds = RefundStreamNeeds & {
  /** What an attempt owes back, or has paid back, by decisions that stand, as its stream tells it. */
  owedByAttempt: (attemptId: string) => Promise<readonly OwedMoney[]>
}

/** Opens the refund of everything that an attempt owes back; safe to repeat. */
export const openAttemptRefunds =
  (needs: AttemptRefundNeeds) =>
  async (attemptId: string, by: By): Promise<void> => {
    for (const owed of await needs.owedByAttempt(attemptId)) await openRefund(needs, attemptId, owed, by)
  }

const openRefund = ({ eventStore, now }: RefundStreamNeeds, attemptId: string, owed: OwedMoney, by: By) =>
  retryOnConflict(async () => {
    const refundId = refundIdOfPart(attemptId, owed.part)
    const loaded = await loadRefund(eventStore, refundId)
    const at = now()
    const reason = owed.part === 'surplus' ? ('overpaid' as const) : ('line_waived' as const)
    const due = { ...owed, refundId, orderId: null, attemptId, reason }
    const events = refundDecider.decide({ kind: 'open', due, now: at }, loaded.refund)
    await appendRefund(eventStore, loaded, events, { ...by, at, idSeed: `${refundId}/due` })
  })
