import { handleCommand, type By, type StreamChange } from '#platform/event-store/command-handler'
import { creditAccount } from './credit-account.commands'
import { refundEntry } from './family-credit'
import type { CreditCommand } from './family-credit.decide'
import type { CreditNeeds, RefundAsCredit } from './needs'

/** What is given for each act by which a refund became credit; all of it is safe to repeat. */
const gifts = (refund: RefundAsCredit, isDayClosed: boolean, now: Date): CreditCommand[] =>
  refund.payouts.map(({ payoutId, amount }) => ({
    kind: 'give',
    entry: {
      userId: refund.userId,
      entryId: refundEntry(payoutId),
      kind: refund.reason === 'overpaid' ? 'overpaid' : isDayClosed ? 'closed' : 'cancelled',
      amount,
      attemptId: refund.attemptId,
      about: { orderId: refund.orderId, reference: null },
      text:
        refund.reason === 'overpaid'
          ? 'Paid too much'
          : `${refund.item.name} for ${refund.student.name}: ${isDayClosed ? 'the day was closed' : 'refund as credit'}`,
    },
    now,
  }))

type RefundNeeds = Pick<CreditNeeds, 'eventStore'> & {
  ordering: Pick<CreditNeeds['ordering'], 'orderFacts'>
  payments: Pick<CreditNeeds['payments'], 'owedByAttempt'>
}

/** Whether the meal came to nothing because its day was closed, before it was an order or after. */
const isOfClosedDay = async (
  { ordering, payments }: RefundNeeds,
  { orderId, attemptId, part }: RefundAsCredit,
): Promise<boolean> => {
  if (orderId !== null) return ((await ordering.orderFacts(orderId))?.closureId ?? null) !== null
  const owed = await payments.owedByAttempt(attemptId)
  return owed.some((one) => one.part === part && one.closure !== undefined)
}

/** The family's part of turning a refund into credit, for the append that records it with the refund. */
export const creditForRefund =
  (needs: RefundNeeds) =>
  async (refund: RefundAsCredit, at: Date): Promise<StreamChange[]> => {
    const account = await creditAccount(needs)(refund.userId)
    return gifts(refund, await isOfClosedDay(needs, refund), at).map(account.change)
  }

/** Gives what a crash between the refund and the credit has left out; safe to repeat. */
export const settleRefundAsCredit =
  (
    needs: RefundNeeds &
      Pick<CreditNeeds, 'now'> & { refunds: Pick<CreditNeeds['refunds'], 'refundAsCredit'> },
  ) =>
  async (refundId: string, by: By): Promise<void> => {
    const refund = await needs.refunds.refundAsCredit(refundId)
    if (!refund) return
    await handleCommand({ eventStore: needs.eventStore, now: needs.now }, by, async (at) => ({
      changes: await creditForRefund(needs)(refund, at),
    }))
  }
