import type { StreamChange } from '#platform/event-store/command-handler'
import { creditAccount, type CreditAccount } from './credit-account.commands'
import type { CreditNeeds } from './needs'
import { standingFor } from './settle-order.commands'

/** Families' credit within one append: each account is read once, and all that changes it follows on. */
export const creditAccounts = (needs: Pick<CreditNeeds, 'eventStore'>) => () => {
  const read = new Map<number, CreditAccount>()
  const of = async (userId: number): Promise<CreditAccount> => {
    const account = read.get(userId) ?? (await creditAccount(needs)(userId))
    read.set(userId, account)
    return account
  }
  return { of, reclaim: reclaimFrom(of) }
}

/**
 * Takes back what was given for cancelled orders that are to stand again, one after another in this order; `changes` go
 * before the orders' own. Orders whose credit was `spent` cannot stand again.
 */
const reclaimFrom =
  (accountOf: (userId: number) => Promise<CreditAccount>) =>
  async (
    orders: readonly { id: string; userId: number }[],
    now: Date,
  ): Promise<{ changes: StreamChange[]; spent: ReadonlySet<string> }> => {
    const changes: StreamChange[] = []
    const spent = new Set<string>()
    for (const { id, userId } of orders) {
      const account = await accountOf(userId)
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

/** The same for an append in which nobody else changes the families' credit. */
export const reclaimCredit =
  (needs: Pick<CreditNeeds, 'eventStore'>): ReturnType<typeof reclaimFrom> =>
  (orders, now) =>
    creditAccounts(needs)().reclaim(orders, now)
