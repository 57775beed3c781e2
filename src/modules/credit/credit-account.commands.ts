import type { Ngwee } from '#kernel/money'
import { advanced, loadStream, type StreamChange } from '#platform/event-store/command-handler'
import type { FamilyCredit } from './family-credit'
import { familyCredit, type CreditCommand } from './family-credit.decide'
import type { CreditNeeds } from './needs'

/** A family's credit within somebody's append: each decision is a change to be appended, in the order it was made. */
export type CreditAccount = {
  credit: () => FamilyCredit
  balance: () => Ngwee
  /** Throws what the decision refuses. */
  change: (command: CreditCommand) => StreamChange
}

export const creditAccount =
  ({ eventStore }: Pick<CreditNeeds, 'eventStore'>) =>
  async (userId: number): Promise<CreditAccount> => {
    let loaded = await loadStream(eventStore, familyCredit, userId)
    return {
      credit: () => loaded.state,
      balance: () => loaded.state.balance,
      change: (command) => {
        const before = loaded
        const events = familyCredit.decide(command, before.state)
        loaded = advanced(familyCredit, before, events)
        return { loaded: before, events }
      },
    }
  }
