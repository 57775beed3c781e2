import { handleCommand, type By, type StreamChange } from '#platform/event-store/command-handler'
import { creditAccount } from './credit-account.commands'
import { refundEntry } from './family-credit'
import type { CreditCommand } from './family-credit.decide'
import type { CreditNeeds, RefundAsCredit } from './needs'

/** What is given for each act by which a refund became credit; all of it is safe to repeat. */
const gifts = (refund: RefundAsCredit, now: Date): CreditCommand[] =>
  refund.payouts.map(({ payoutId, amount }) => ({
    kind: 'give',
    entry: {
      userId: refund.userId,
      entryId: refundEntry(payoutId),
      kind: refund.reason === 'overpaid' ? 'overpaid' : 'cancelled',
      amount,
      attemptId: refund.attemptId,
      about: { orderId: refund.orderId, reference: null },
      text:
        refund.reason === 'overpaid'
          ? 'Paid too much'
          : `${refund.item.name} for ${refund.student.name}: refund as credit`,
    },
    now,
  }))

/** The family's part of turning a refund into credit, for the append that records it with the refund. */
export const creditForRefund =
  (needs: Pick<CreditNeeds, 'eventStore'>) =>
  async (refund: RefundAsCredit, at: Date): Promise<StreamChange[]> => {
    const account = await creditAccount(needs)(refund.userId)
    return gifts(refund, at).map(account.change)
  }

/** Gives what a crash between the refund and the credit has left out; safe to repeat. */
export const settleRefundAsCredit =
  (needs: Pick<CreditNeeds, 'eventStore' | 'now' | 'refunds'>) =>
  async (refundId: string, by: By): Promise<void> => {
    const refund = await needs.refunds.refundAsCredit(refundId)
    if (!refund) return
    await handleCommand({ eventStore: needs.eventStore, now: needs.now }, by, async (at) => ({
      changes: await creditForRefund(needs)(refund, at),
    }))
  }
