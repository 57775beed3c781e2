import type { Ngwee } from '#kernel/money'
import {
  familyCredit,
  type CreditCommand,
  changeOf,
  orderEntries,
  returned,
  isActive,
  type Charged,
  type CreditEvent,
  type FamilyCredit,
  type Given,
  absencesOf,
  activeAbsenceCredit,
  eatsAfterAll,
  entriesFor,
  activeCreditFor,
} from '#modules/credit/published'
import type { OrderFactsInStream } from '#modules/ordering/index'
import { originOf, owedForOrder } from '#modules/ordering/published'
import { commandHandler, type By } from '#platform/event-store/command-handler'
import type { RefundsNeeds } from './ports'
import { refundBegun } from './refund-as-credit.commands'

/** Gives owed credit once while the order is cancelled, none while active. Repeatable in any order. Spent credit stays given. */
export const settleOrderCredit = (needs: RefundsNeeds) => {
  const { ordering, payments } = needs
  const handle = commandHandler(familyCredit, needs)
  const begun = refundBegun(needs)
  return async (orderId: string, by: By): Promise<void> => {
    const [known] = await ordering.ordersNow([orderId])
    if (!known) return
    for (let isSettled = false; !isSettled;) {
      const { events } = await handle(known.userId, by, async (credit, at) => {
        const [order = known] = await ordering.ordersNow([orderId])
        const received = order.paidLater ?? (await payments.paidForLine(order.attemptId, order.line))
        const owed = settled(order, owedForOrder(order, received, credit).credit, credit, at)
        const afterOwed = owed.reduce(familyCredit.evolve, credit)
        const isTooMuch = owedForOrder(order, received, afterOwed).money < (await begun(orderId))
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

const settled = (order: OrderFactsInStream, owed: Ngwee, credit: FamilyCredit, now: Date): CreditEvent[] => {
  const standing = activeCreditFor(order.id, credit)
  if (standing?.amount === owed || (!standing && owed === 0)) return []
  if (standing && standing.amount > credit.balance) return []
  const taken = standing ? takenBack(standing.entryId, credit, now) : []
  const left = taken.reduce(familyCredit.evolve, credit)
  return [...taken, ...(owed > 0 ? given(order, owed, left, now) : [])]
}

const takenBack = (entryId: string, credit: FamilyCredit, now: Date): CreditEvent[] =>
  familyCredit.decide({ kind: 'take-back', entryId, text: 'Ordered again', now }, credit)

const given = (order: OrderFactsInStream, amount: Ngwee, credit: FamilyCredit, now: Date): CreditEvent[] => {
  const { id: orderId, userId, attemptId, student, item, closureId } = order
  const kind = closureId ? 'closed' : 'cancelled'
  const entry = {
    userId,
    entryId: `${orderEntries(orderId)}${entriesFor(orderId, credit).length + 1}`,
    kind,
    amount,
    attemptId,
    about: { orderId, reference: null },
    ...originOf(order),
    text: `${item.name} for ${student.name}: ${kind === 'closed' ? 'the day was closed' : 'cancelled'}`,
  } as const
  return familyCredit.decide({ kind: 'give', entry, now }, credit)
}

/** Once while a paid order is active. After cancellation it stays as a deduction, unless money went back without that deduction. */
const absenceSettled = (
  order: OrderFactsInStream,
  isTooMuch: boolean,
  credit: FamilyCredit,
  now: Date,
): CreditEvent[] => {
  const isCancelled = order.status === 'cancelled' || order.status === 'refunded'
  if (isCancelled && !isTooMuch) return []
  const owed = !isCancelled && order.paymentStatus === 'confirmed' ? order.absenceCredit : 0
  const { id: orderId, userId, attemptId, student, item } = order
  const standing = activeAbsenceCredit(orderId, credit)
  if ((standing?.amount ?? 0) === owed || (standing && standing.amount > credit.balance)) return []
  if (standing) {
    const text = isCancelled
      ? `${item.name} for ${student.name}: paid back in full`
      : eatsAfterAll(student.name)
    return familyCredit.decide({ kind: 'take-back', entryId: standing.entryId, text, now }, credit)
  }
  const entry = {
    userId,
    entryId: `absence/${orderId}/${absencesOf(orderId, credit).length + 1}`,
    kind: 'absent',
    amount: owed,
    attemptId,
    about: { orderId, reference: null },
    ...originOf(order),
    text: `${item.name} for ${student.name}: absent`,
  } as const
  return familyCredit.decide({ kind: 'give', entry, now }, credit)
}

/** By then the settling command has changed the order, was refused or died. */
export const maxCommandMs = 120_000

/** Undoes a price difference without a change after two minutes, settles again one that changed later. Spent credit stays given. */
const changesSettled = (order: OrderFactsInStream, credit: FamilyCredit, now: Date): CreditEvent[] => {
  if (order.status === 'cancelled' || order.status === 'refunded') return []
  const [next] = unsettledChanges(order, credit, now)
  return next ? familyCredit.decide(next, credit) : []
}

const unsettledChanges = (order: OrderFactsInStream, credit: FamilyCredit, now: Date): CreditCommand[] => {
  const isOlderThanCommand = ({ entryId, about, at }: Pick<Given, 'entryId' | 'about' | 'at'>) =>
    changeOf(entryId)?.isReturn === false &&
    about.orderId === order.id &&
    now.getTime() - Date.parse(at) > maxCommandMs
  const isChanged = ({ entryId }: Pick<Given, 'entryId'>) => order.changes.has(changeOf(entryId)!.changeId)
  const entries = [
    ...[...credit.charged.values()]
      .filter(isOlderThanCommand)
      .map((charge) => ({ entry: returnOf(charge), isWanted: !isChanged(charge) })),
    ...[...credit.given.values()]
      .filter(isOlderThanCommand)
      .map(({ takenBack: _takenBack, ...entry }) => ({ entry, isWanted: isChanged(entry) })),
  ]
  return entries
    .filter(({ entry, isWanted }) => isWanted !== isActive(credit, entry.entryId))
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
