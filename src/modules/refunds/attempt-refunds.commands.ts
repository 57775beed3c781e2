import { commandHandler, type By } from '#platform/event-store/command-handler'
import type { RefundsNeeds } from './needs'
import { refundIdOfPart, type Refund } from './refund'
import { turnIntoCredit } from './refund-as-credit.commands'
import { refundDecider } from './refund.decide'

export type AttemptRefundsNeeds = Parameters<typeof turnIntoCredit>[0] & {
  payments: Pick<RefundsNeeds['payments'], 'owedByAttempt'>
}

/**
 * Opens the refund of everything that an attempt owes back; what the closure of a day owes as credit becomes credit at
 * once. Safe to repeat.
 */
export const openAttemptRefunds = (needs: AttemptRefundsNeeds) => {
  const { eventStore, now, payments } = needs
  const handle = commandHandler(refundDecider, { eventStore, now })
  return async (attemptId: string, by: By): Promise<void> => {
    for (const { closure, ...owed } of await payments.owedByAttempt(attemptId)) {
      const refundId = refundIdOfPart(attemptId, owed.part)
      const reason = owed.part === 'surplus' ? ('overpaid' as const) : ('line_waived' as const)
      const due = { ...owed, refundId, orderId: null, attemptId, reason }
      const open = (refund: Refund, at: Date) => refundDecider.decide({ kind: 'open', due, now: at }, refund)
      const { state } = await handle(refundId, by, open, `${refundId}/due`)
      if (closure?.remedy !== 'credit' || state.status !== 'due') continue
      const idempotencyKey = `closure ${closure.id}`
      await turnIntoCredit(needs)({ refundId, idempotencyKey, administrator: closure.by, by })
    }
  }
}
