import type { Ports } from '#platform/ports'
import type { Ngwee } from '#kernel/money'
import { advanced, loadStream, type StreamChange } from '#platform/event-store/command-handler'
import { stands, type FamilyCredit } from './family-credit'
import { familyCredit, type CreditCommand, type WantedCheckout } from './family-credit.decide'

/** A family's credit within somebody's append: each decision is a change to be appended, in the order it was made. */
export type CreditAccount = {
  credit: () => FamilyCredit
  balance: () => Ngwee
  /** Whether credit for this line of the attempt is held or spent. */
  has: (attemptId: string, index: number) => boolean
  /** Makes the credit of a checkout what its lines want. */
  follow: (checkout: WantedCheckout, now: Date) => StreamChange
  /** Whether what was given as this entry stands. */
  stands: (entryId: string) => boolean
  /** Whether credit was given or taken for this order beside its checkout, and stands. */
  movedFor: (orderId: string) => boolean
  /** Throws what the decision refuses. */
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
      stands: (entryId) => stands(loaded.state, entryId),
      movedFor: (orderId) => movedFor(loaded.state, orderId),
      change,
    }
  }

const movedFor = ({ given, charged }: FamilyCredit, orderId: string): boolean =>
  [...given.values()].some(
    ({ about, kind, takenBack }) => about.orderId === orderId && kind !== 'overpaid' && !takenBack,
  ) || [...charged.values()].some(({ about }) => about.orderId === orderId)
