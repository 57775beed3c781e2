import type { Ngwee } from '#kernel/money'
import { advanced, loadStream, type StreamChange } from '#platform/event-store/command-handler'
import type { Ports } from '#platform/ports'
import {
  isActive,
  changeEntry,
  activeAbsenceCredit,
  eatsAfterAll,
  activeCreditFor,
  type FamilyCredit,
  type Given,
} from './family-credit'
import { familyCredit, type CreditCommand, type WantedCheckout } from './family-credit.decide'

type CreditAccount = {
  credit: () => FamilyCredit
  balance: () => Ngwee
  has: (attemptId: string, index: number) => boolean
  follow: (checkout: WantedCheckout, now: Date) => StreamChange
  /** False once it is taken back. */
  isInForce: (entryId: string) => boolean
  movedFor: (orderId: string) => boolean
  change: (command: CreditCommand) => StreamChange
}

export const creditAccount =
  ({ eventStore }: Ports) =>
  async (userId: number): Promise<CreditAccount> => {
    let loaded = await loadStream(eventStore, familyCredit, userId)
    const change = (command: CreditCommand): StreamChange => {
      const before = loaded
      const events = familyCredit.decide(command, before.state)
      loaded = advanced(familyCredit, before, events)
      return { loaded: before, events }
    }
    return {
      credit: () => loaded.state,
      balance: () => loaded.state.balance,
      has: (attemptId, index) => {
        const status = loaded.state.checkouts.get(attemptId)?.get(index)?.status
        return status === 'held' || status === 'spent'
      },
      follow: (checkout, now) => change({ kind: 'follow', checkout, now }),
      isInForce: (entryId) => isActive(loaded.state, entryId),
      movedFor: (orderId) => movedFor(loaded.state, orderId),
      change,
    }
  }

const movedFor = ({ given, charged }: FamilyCredit, orderId: string): boolean =>
  [...given.values()].some(
    ({ about, kind, takenBack }) => about.orderId === orderId && kind !== 'overpaid' && !takenBack,
  ) || [...charged.values()].some(({ about }) => about.orderId === orderId)

/** Credit in ngwee that a changed order takes, or gives when negative; once per `changeId`. */
type PriceChange = {
  userId: number
  orderId: string
  attemptId: string
  changeId: string
  difference: number
  text: string
} & Pick<Given, 'proof' | 'transferId'>

/** Append before the order's change. Throws `credit_short`. */
export const settlePrice =
  (needs: Ports) =>
  async (
    { userId, orderId, attemptId, changeId, difference, text, ...origin }: PriceChange,
    now: Date,
    accounts: CreditAccounts = creditAccounts(needs)(),
  ): Promise<StreamChange[]> => {
    if (difference === 0) return []
    const account = await accounts.of(userId)
    const about = { orderId, reference: null }
    const entry = { userId, entryId: changeEntry(changeId), attemptId, about, text }
    return difference > 0
      ? [account.change({ kind: 'charge', charge: { ...entry, amount: difference }, now })]
      : [
          account.change({
            kind: 'give',
            entry: { ...entry, ...origin, kind: 'changed', amount: -difference },
            now,
          }),
        ]
  }

/** For cancelled orders that become active again; append before the orders' changes. Orders whose credit was `spent` stay cancelled. */
export type ReclaimCredit = (
  orders: readonly { id: string; userId: number }[],
  now: Date,
) => Promise<{ changes: StreamChange[]; spent: ReadonlySet<string> }>

export type CreditAccounts = { of: (userId: number) => Promise<CreditAccount>; reclaim: ReclaimCredit }

export const creditAccounts = (needs: Ports) => (): CreditAccounts => {
  const read = new Map<number, CreditAccount>()
  const of = async (userId: number): Promise<CreditAccount> => {
    const account = read.get(userId) ?? (await creditAccount(needs)(userId))
    read.set(userId, account)
    return account
  }
  return { of, reclaim: reclaimFrom(of) }
}

const reclaimFrom =
  (accountOf: (userId: number) => Promise<CreditAccount>): ReclaimCredit =>
  async (orders, now) => {
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

export const reclaimCredit =
  (needs: Ports): ReclaimCredit =>
  (orders, now) =>
    creditAccounts(needs)().reclaim(orders, now)

/** Takes nothing beyond the balance; `spent` lists the rest by order. Append before the orders' changes. */
export const reclaimAbsence =
  (needs: Ports) =>
  async (
    orders: readonly { id: string; userId: number; student: string }[],
    now: Date,
    accounts: CreditAccounts = creditAccounts(needs)(),
  ): Promise<{ changes: StreamChange[]; spent: ReadonlyMap<string, Ngwee> }> => {
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
