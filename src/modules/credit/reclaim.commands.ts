import type { StreamChange } from '#platform/event-store/command-handler'
import { creditAccount } from './credit-account.commands'
import type { CreditNeeds } from './needs'
import { standingFor } from './settle-order.commands'

/**
 * Takes back what was given for cancelled orders that are to stand again, one after another in this order; `changes` go
 * before the orders' own. Orders whose credit was `spent` cannot stand again.
 */
export const reclaimCredit =
  (needs: Pick<CreditNeeds, 'eventStore'>) =>
  async (
    orders: readonly { id: string; userId: number }[],
    now: Date,
  ): Promise<{ changes: StreamChange[]; spent: ReadonlySet<string> }> => {
    const accounts = new Map<number, Awaited<ReturnType<ReturnType<typeof creditAccount>>>>()
    const changes: StreamChange[] = []
    const spent = new Set<string>()
    for (const { id, userId } of orders) {
      const account = accounts.get(userId) ?? (await creditAccount(needs)(userId))
      accounts.set(userId, account)
      const standing = standingFor(id, account.credit())
      if (standing === null) continue
      if (standing.amount > account.balance()) spent.add(id)
      else
        changes.push(
          account.change({ kind: 'take-back', entryId: standing.entryId, text: 'Ordered again', now }),
        )
    }
    return { changes, spent }
  }
