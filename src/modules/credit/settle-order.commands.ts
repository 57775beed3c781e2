import type { Ngwee } from '#kernel/money'
import { commandHandler, type By } from '#platform/event-store/command-handler'
import { creditAccount } from './credit-account.commands'
import { orderEntries, type CreditEvent, type FamilyCredit, type Given } from './family-credit'
import { familyCredit } from './family-credit.decide'
import type { CreditNeeds, OrderFacts } from './needs'
import { owedForOrder, type OrderMoney } from './owed.decide'
import { changesSettled } from './settle-price.commands'

export type SettleOrderNeeds = Pick<CreditNeeds, 'eventStore' | 'now'> & {
  ordering: Pick<CreditNeeds['ordering'], 'orderFacts'>
  payments: Pick<CreditNeeds['payments'], 'paidForLine'>
  refunds: Pick<CreditNeeds['refunds'], 'refundBegun'>
}

/**
 * Makes the credit that was given for an order what the order says: once what is owed as credit while it is cancelled,
 * nothing while it stands; and the differences of its changes what they are in its stream. May run at any time, twice
 * and in any order; it looks again after each change. Credit that was spent meanwhile cannot be taken back and stays
 * given.
 */
export const settleOrderCredit = ({ eventStore, now, ordering, payments, refunds }: SettleOrderNeeds) => {
  const handle = commandHandler(familyCredit, { eventStore, now })
  return async (orderId: string, by: By): Promise<void> => {
    const known = await ordering.orderFacts(orderId)
    if (!known) return
    for (let isSettled = false; !isSettled;) {
      const { events } = await handle(known.userId, by, async (credit, at) => {
        const order = (await ordering.orderFacts(orderId)) ?? known
        const received = order.paidLater ?? (await payments.paidForLine(order.attemptId, order.line))
        const owed = settled(order, owedForOrder(order, received, credit).credit, credit, at)
        const afterOwed = owed.reduce(familyCredit.evolve, credit)
        const isTooMuch =
          owedForOrder(order, received, afterOwed).money < (await refunds.refundBegun(orderId))
        const absence = absenceSettled(order, isTooMuch, afterOwed, at)
        return [
          ...owed,
          ...absence,
          ...changesSettled(order, absence.reduce(familyCredit.evolve, afterOwed), at),
        ]
      })
      isSettled = events.length === 0
    }
  }
}

const settled = (order: OrderFacts, owed: Ngwee, credit: FamilyCredit, now: Date): CreditEvent[] => {
  const standing = standingFor(order.id, credit)
  if (standing?.amount === owed || (!standing && owed === 0)) return []
  if (standing && standing.amount > credit.balance) return []
  const taken = standing ? takenBack(standing.entryId, credit, now) : []
  const left = taken.reduce(familyCredit.evolve, credit)
  return [...taken, ...(owed > 0 ? given(order, owed, left, now) : [])]
}

const entriesFor = (orderId: string, { given: entries }: FamilyCredit) =>
  [...entries.values()].filter(({ entryId }) => entryId.startsWith(orderEntries(orderId)))

/** What stands given for the cancelled order; null when nothing does. */
export const standingFor = (orderId: string, credit: FamilyCredit): Given | null =>
  entriesFor(orderId, credit).find((entry) => !entry.takenBack) ?? null

const takenBack = (entryId: string, credit: FamilyCredit, now: Date): CreditEvent[] =>
  familyCredit.decide({ kind: 'take-back', entryId, text: 'Ordered again', now }, credit)

const given = (order: OrderFacts, amount: Ngwee, credit: FamilyCredit, now: Date): CreditEvent[] => {
  const { id: orderId, userId, attemptId, student, item, closureId } = order
  const kind = closureId ? 'closed' : 'cancelled'
  const entry = {
    userId,
    entryId: `${orderEntries(orderId)}${entriesFor(orderId, credit).length + 1}`,
    kind,
    amount,
    attemptId,
    about: { orderId, reference: null },
    text: `${item.name} for ${student.name}: ${kind === 'closed' ? 'the day was closed' : 'cancelled'}`,
  } as const
  return familyCredit.decide({ kind: 'give', entry, now }, credit)
}

/**
 * Once what the absence of the child gives while a paid order stands, nothing once it is taken back. Of an order that was
 * cancelled it stays given, and is deducted from what is owed for it; unless money went back without that deduction, so
 * that both are too much: then it is taken back.
 */
const absenceSettled = (
  order: OrderFacts,
  isTooMuch: boolean,
  credit: FamilyCredit,
  now: Date,
): CreditEvent[] => {
  const isCancelled = order.status === 'cancelled' || order.status === 'refunded'
  if (isCancelled && !isTooMuch) return []
  const owed = !isCancelled && order.paymentStatus === 'confirmed' ? order.absenceCredit : 0
  const { id: orderId, userId, attemptId, student, item } = order
  const entries = [...credit.given.values()].filter(({ entryId }) =>
    entryId.startsWith(`absence/${orderId}/`),
  )
  const standing = entries.find((entry) => !entry.takenBack)
  if ((standing?.amount ?? 0) === owed || (standing && standing.amount > credit.balance)) return []
  if (standing) {
    const text = isCancelled
      ? `${item.name} for ${student.name}: paid back in full`
      : `${student.name} eats after all`
    return familyCredit.decide({ kind: 'take-back', entryId: standing.entryId, text, now }, credit)
  }
  const entry = {
    userId,
    entryId: `absence/${orderId}/${entries.length + 1}`,
    kind: 'absent',
    amount: owed,
    attemptId,
    about: { orderId, reference: null },
    text: `${item.name} for ${student.name}: absent`,
  } as const
  return familyCredit.decide({ kind: 'give', entry, now }, credit)
}

/** What is owed for a cancelled order as money, of which `received` came in. */
export const owedAsMoney =
  ({ eventStore }: Pick<CreditNeeds, 'eventStore'>) =>
  async (order: OrderMoney & { userId: number }, received: Ngwee): Promise<Ngwee> =>
    owedForOrder(order, received, (await creditAccount({ eventStore })(order.userId)).credit()).money
