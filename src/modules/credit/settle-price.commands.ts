import type { Ports } from '#platform/ports'
import type { StreamChange } from '#platform/event-store/command-handler'
import { creditAccount } from './credit-account.commands'
import { changeEntry } from './family-credit'

/** Credit in ngwee that a changed order takes, or gives when negative; once per `changeId`. */
type PriceChange = {
  userId: number
  orderId: string
  attemptId: string
  changeId: string
  difference: number
  text: string
}

/** Appended before the order's change. Throws `credit_short`. */
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
