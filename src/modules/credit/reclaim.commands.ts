import type { Ports } from '#platform/ports'
import type { StreamChange } from '#platform/event-store/command-handler'
import { creditAccount, type CreditAccount } from './credit-account.commands'
import { activeAbsenceCredit, eatsAfterAll, activeCreditFor } from './given-for-orders'
import type { Ngwee } from '#kernel/money'

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
 * Takes back credit of cancelled orders that become active again, in order; `changes` are appended before the orders' own. Orders whose
 * credit was `spent` stay cancelled.
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
      const standing = activeCreditFor(id, account.credit())
      if (standing === null) continue
      if (standing.amount > account.balance()) spent.add(id)
      else
        changes.push(
          account.change({ kind: 'take-back', entryId: standing.entryId, text: 'Ordered again', now }),
        )
    }
    return { changes, spent }
  }

/** For an append with no other credit changes. */
export const reclaimCredit =
  (needs: Ports): ReturnType<typeof reclaimFrom> =>
  (orders, now) =>
    creditAccounts(needs)().reclaim(orders, now)

/**
 * Takes back absence credit; `changes` are appended before the orders' own. Takes nothing beyond the balance; `spent` lists the rest by
 * order.
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
      const standing = activeAbsenceCredit(id, account.credit())
      if (standing === null) continue
      const { entryId, amount } = standing
      if (amount > account.balance()) spent.set(id, amount - account.balance())
      else changes.push(account.change({ kind: 'take-back', entryId, text: eatsAfterAll(student), now }))
    }
    return { changes, spent }
  }
