import type { Ports } from '#platform/ports'
import type { StreamChange } from '#platform/event-store/command-handler'
import { creditAccount } from './credit-account.commands'
import { changeEntry } from './family-credit'

/** An order that becomes another meal, once per `changeId`: what it takes as credit, gives when it is negative, in ngwee. */
type PriceChange = {
  userId: number
  orderId: string
  attemptId: string
  changeId: string
  difference: number
  /** In words for the family. */
  text: string
}

/** Settles the difference of the price with the family's credit, to be appended before the order. Throws `credit_short`. */
export const settlePrice =
  (needs: Ports) =>
  async (
    { userId, orderId, attemptId, changeId, difference, text }: PriceChange,
    now: Date,
  ): Promise<StreamChange[]> => {
    if (difference === 0) return []
    const account = await creditAccount(needs)(userId)
    const about = { orderId, reference: null }
    const entry = { userId, entryId: changeEntry(changeId), attemptId, about, text }
    return difference > 0
      ? [account.change({ kind: 'charge', charge: { ...entry, amount: difference }, now })]
      : [account.change({ kind: 'give', entry: { ...entry, kind: 'changed', amount: -difference }, now })]
  }
