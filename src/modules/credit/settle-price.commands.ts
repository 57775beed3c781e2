import type { StreamChange } from '#platform/event-store/command-handler'
import { creditAccount } from './credit-account.commands'
import {
  changeEntry,
  changeOf,
  returned,
  stands,
  type Charged,
  type CreditEvent,
  type FamilyCredit,
  type Given,
} from './family-credit'
import { familyCredit, type CreditCommand } from './family-credit.decide'
import type { CreditNeeds, OrderFacts } from './needs'

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
  (needs: Pick<CreditNeeds, 'eventStore'>) =>
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

/** By then the command that settled a difference has ended: it changed the order, was refused, or died. */
export const mostMsOfCommand = 120_000

/**
 * Makes of the differences of an order's changes what its stream says: one that never became a change of the order is
 * undone after two minutes, one that did after all is settled again. What the family spent meanwhile cannot be taken
 * back and stays given.
 */
export const changesSettled = (order: OrderFacts, credit: FamilyCredit, now: Date): CreditEvent[] => {
  if (order.status === 'cancelled' || order.status === 'refunded') return []
  const [next] = unsettledChanges(order, credit, now)
  return next ? familyCredit.decide(next, credit) : []
}

const unsettledChanges = (order: OrderFacts, credit: FamilyCredit, now: Date): CreditCommand[] => {
  const isLasting = ({ entryId, about, at }: Pick<Given, 'entryId' | 'about' | 'at'>) =>
    changeOf(entryId)?.isReturn === false &&
    about.orderId === order.id &&
    now.getTime() - Date.parse(at) > mostMsOfCommand
  const isChanged = ({ entryId }: Pick<Given, 'entryId'>) => order.changes.has(changeOf(entryId)!.changeId)
  const entries = [
    ...[...credit.charged.values()]
      .filter(isLasting)
      .map((charge) => ({ entry: returnOf(charge), isWanted: !isChanged(charge) })),
    ...[...credit.given.values()]
      .filter(isLasting)
      .map(({ takenBack: _takenBack, ...entry }) => ({ entry, isWanted: isChanged(entry) })),
  ]
  return entries
    .filter(({ entry, isWanted }) => isWanted !== stands(credit, entry.entryId))
    .filter(({ entry, isWanted }) => isWanted || entry.amount <= credit.balance)
    .map(({ entry, isWanted }) =>
      isWanted
        ? { kind: 'give', entry, now }
        : { kind: 'take-back', entryId: entry.entryId, text: 'The meal was not changed', now },
    )
}

const returnOf = ({ userId, entryId, attemptId, amount, about }: Charged) => ({
  userId,
  entryId: returned(entryId),
  kind: 'changed' as const,
  amount,
  attemptId,
  about,
  text: 'The meal was not changed',
})
