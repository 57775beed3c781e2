import type { Ports } from '#platform/ports'
import type { Ngwee } from '#kernel/money'
import { advanced, loadStream, type StreamChange } from '#platform/event-store/command-handler'
import { isActive, type FamilyCredit } from './family-credit'
import { familyCredit, type CreditCommand, type WantedCheckout } from './family-credit.decide'

export type CreditAccount = {
  credit: () => FamilyCredit
  balance: () => Ngwee
  has: (attemptId: string, index: number) => boolean
  follow: (checkout: WantedCheckout, now: Date) => StreamChange
  /** In force, not taken back. */
  isInForce: (entryId: string) => boolean
  movedFor: (orderId: string) => boolean
  /** Throws the decision's refusals. */
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
