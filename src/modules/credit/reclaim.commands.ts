import type { Ports } from '#platform/ports'
import type { StreamChange } from '#platform/event-store/command-handler'
import { creditAccount, type CreditAccount } from './credit-account.commands'
import { absenceStandingFor, eatsAfterAll, standingFor } from './given-for-orders'
import type { Ngwee } from '#kernel/money'

/** Families' credit within one append: each account is read once, and all that changes it follows on. */
export const creditAccounts = (needs: Ports) => () => {
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
  (needs: Ports): ReturnType<typeof reclaimFrom> =>
  (orders, now) =>
    creditAccounts(needs)().reclaim(orders, now)

/**
 * Takes back what was given for the absence of children who eat after all; `changes` go before the orders' own. Of what
 * the balance does not cover nothing is taken, and what of it was `spent` is told by order.
 */
export const reclaimAbsence =
  (needs: Ports) =>
  async (
    orders: readonly { id: string; userId: number; student: string }[],
    now: Date,
  ): Promise<{ changes: StreamChange[]; spent: ReadonlyMap<string, Ngwee> }> => {
    const accounts = creditAccounts(needs)()
    const changes: StreamChange[] = []
    const spent = new Map<string, Ngwee>()
    for (const { id, userId, student } of orders) {
      const account = await accounts.of(userId)
      const standing = absenceStandingFor(id, account.credit())
      if (standing === null) continue
      const { entryId, amount } = standing
      if (amount > account.balance()) spent.set(id, amount - account.balance())
      else changes.push(account.change({ kind: 'take-back', entryId, text: eatsAfterAll(student), now }))
    }
    return { changes, spent }
  }
