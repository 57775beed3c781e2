import type { EventOf, DomainEvent } from '#kernel/event'
import { lunchId, parseOrderId } from '#kernel/id'
import { lunchOf, type MealLine } from '#kernel/meal-line'
import { maskedPhone } from '#kernel/phone-number'
import * as credit from '#modules/credit/published'
import { lunchOrdered, orderChanged } from '#modules/ordering/published'
import * as transfers from '#modules/transfers/published'
import { rowView, type Recorded } from '#platform/projections/row-view'
import { changeRecorded } from '../changes/append-changes.commands'
import { orderDescriptions, planDescriptions, refundDescriptions } from './describe-orders'
import { paymentDescriptions } from './describe-payments'
import {
  words,
  kwacha,
  redacted,
  spaced,
  counted,
  type Words,
  isChange,
  entryColumns,
  type EntryRow,
} from './entry'

const changeDescriptions = [
  words(
    changeRecorded,
    ({ kind }) => kind,
    ({ what, old, new: now }) => ({ what, details: { old, new: now } }),
  ),
]

const reasons = {
  cancelled: 'the meal was cancelled',
  closed: 'the day was closed',
  changed: 'the meal was changed to a cheaper one',
  absent: 'the child was absent',
  overpaid: 'more was paid than asked for',
  gift: 'a present of the school',
} as const

const called = { payout: 'payout of credit', gift: 'gift of credit' } as const

const creditDescriptions = [
  words(credit.creditGiven, 'credit', ({ userId, kind, amount, text, balanceAfter }) => ({
    what: `${kwacha(amount)} credit given to {user:${userId}}: ${reasons[kind]}`,
    amount,
    details: { Text: redacted(text), Balance: kwacha(balanceAfter) },
  })),
  words(credit.creditHeld, 'credit', ({ userId, amount, balanceAfter }) => ({
    what: `${kwacha(amount)} credit of {user:${userId}} held for a checkout`,
    amount,
    details: { Balance: kwacha(balanceAfter) },
  })),
  words(credit.creditSpent, 'credit', ({ userId, amount }) => ({
    what: `${kwacha(amount)} held credit of {user:${userId}} spent on meals`,
    amount,
  })),
  words(credit.creditReleased, 'credit', ({ userId, amount, balanceAfter }) => ({
    what: `${kwacha(amount)} held credit of {user:${userId}} released`,
    amount,
    details: { Balance: kwacha(balanceAfter) },
  })),
  words(credit.creditCharged, 'credit', ({ userId, amount, balanceAfter }) => ({
    what: `${kwacha(amount)} credit of {user:${userId}} spent on a dearer meal`,
    amount,
    details: { Balance: kwacha(balanceAfter) },
  })),
  words(credit.creditProven, 'credit', ({ userId }) => ({
    what: `Money of {user:${userId}} that was confirmed by hand is on a statement now`,
  })),
  words(credit.creditTakenBack, 'credit', ({ userId, amount, balanceAfter }) => ({
    what: `${kwacha(amount)} credit taken back from {user:${userId}}: its reason is gone`,
    amount,
    details: { Balance: kwacha(balanceAfter) },
  })),
  words(credit.creditPaidOut, 'credit', ({ userId, amount, method, reference, balanceAfter }) => ({
    what:
      method === 'given_up'
        ? `${kwacha(amount)} credit of {user:${userId}} given up`
        : `${kwacha(amount)} credit paid out to {user:${userId}} (${spaced(method)})`,
    amount,
    details: { Reference: reference === null ? null : redacted(reference), Balance: kwacha(balanceAfter) },
  })),
  words(credit.creditPayoutAsked, 'credit', ({ userId, amount, method, reference }) => ({
    what: `Asked another administrator to approve that ${kwacha(amount)} credit is paid out to {user:${userId}} (${spaced(method)})`,
    amount,
    details: { Reference: reference === null ? null : redacted(reference) },
  })),
  words(credit.creditGiftAsked, 'credit', ({ userId, amount, text }) => ({
    what: `Asked another administrator to approve that {user:${userId}} is given ${kwacha(amount)} credit`,
    amount,
    details: { Text: redacted(text) },
  })),
  words(credit.creditPayoutApproved, 'credit', ({ userId, kind }) => ({
    what: `Approved the ${called[kind]} to {user:${userId}} that another administrator asked for`,
  })),
  words(credit.creditPayoutWithdrawn, 'credit', ({ userId, kind }) => ({
    what: `The ${called[kind]} to {user:${userId}} that waited for approval was withdrawn`,
  })),
]

type Families = EventOf<typeof transfers.transferConfirmed>['data']['families']

const transferDescriptions = [
  words(transfers.transferConfirmed, 'payment', (transfer) => ({
    what: `${kwacha(transfer.amount)} ${cameBy[transfer.method]} confirmed${transfers.isByHand(transfer) ? ' by hand, no id' : ''}: it pays ${paidFor(transfer.families)}`,
    amount: transfer.amount,
    details: {
      'Transaction id': transfer.transactionId,
      Payer: transfer.payer && redacted(transfer.payer),
      Phone: maskedPhone(transfer.phone ?? ''),
      'Paid at': transfer.paidAt,
      'Row of a statement': transfer.rowId && redacted(transfer.rowId),
      'Together with': transfer.others ? counted(transfer.others.length, 'other payment') : null,
      Note: transfer.note && redacted(transfer.note),
    },
  })),
  words(transfers.transferUndone, 'payment', ({ method, families }) => ({
    what: `The confirmation of ${kwacha(moneyOf(families))} ${cameBy[method]} undone: it no longer pays ${paidFor(families)}`,
    amount: moneyOf(families),
  })),
]

const cameBy = {
  airtel: 'by Airtel Money',
  mtn: 'by MTN Money',
  bank: 'by bank transfer',
  cash: 'in cash',
  other: 'by mobile money or bank',
} as const

/** `2 meals of {user:12}, and K5.00 to their credit` */
const paidFor = (families: Families): string =>
  families
    .map(({ userId, orders, surplus }) => {
      const meals = `${counted(orders.length, 'meal')} of {user:${userId}}`
      if (surplus === 0) return meals
      return orders.length === 0
        ? `${kwacha(surplus)} to the credit of {user:${userId}}`
        : `${meals}, and ${kwacha(surplus)} to their credit`
    })
    .join('; ')

const moneyOf = (families: Families): number =>
  families.reduce(
    (sum, { orders, surplus }) => orders.reduce((total, { amount }) => total + amount, sum + surplus),
    0,
  )

/** tests/audit/views.unit.test.ts fails for an event type without words. */
export const allDescriptions: readonly Words[] = [
  ...orderDescriptions,
  ...planDescriptions,
  ...paymentDescriptions,
  ...transferDescriptions,
  ...refundDescriptions,
  ...creditDescriptions,
  ...changeDescriptions,
]

export const entriesView = rowView({
  table: 'audit.entries',
  columns: entryColumns,
  primaryKey: 'position',
  events: allDescriptions.map(({ type }) => type),
  key: ({ position }) => position,
  evolve: (_row: EntryRow | null, event): EntryRow => entryOf(wordsOf.get(event.type)!, event),
})

const wordsOf = new Map(allDescriptions.map((words) => [words.type.type, words]))

const entryOf = ({ kindOf, describe }: Words, event: Recorded<DomainEvent>): EntryRow => {
  const { what, amount = null, details = {} } = describe(event.data)
  return {
    event_id: event.id,
    position: event.position,
    at: event.metadata.at,
    actor: event.metadata.actor,
    who: nonUserActor(event.metadata.actor),
    kind: kindOf(event.data),
    what,
    amount: amount === 'order-price' ? null : amount,
    order_price: amount === 'order-price' ? 'taken' : tellsPrice.has(event.type) ? 'told' : null,
    details: isChange(details) ? details : withoutNulls(details),
    ...belongingOf(event.data),
  }
}

const tellsPrice: ReadonlySet<string> = new Set([lunchOrdered.type, orderChanged.type])

const withoutNulls = (details: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(details).flatMap(([name, text]) => (text === null ? [] : [[name, text]])))

export const nonUserActor = (actor: string): string | null => {
  if (actor === 'system') return 'Tuckshop'
  const [kind, ...name] = actor.split(':')
  if (kind === 'user') return null
  const what = name.join(' ').replaceAll('-', ' ')
  return kind === 'job' ? `Tuckshop (${what})` : [kind, what].filter(Boolean).join(' ')
}

type Belonging = {
  attemptId?: string | null
  companyRef?: string | null
  orderId?: string | null
  about?: { orderId: string | null }
  refundId?: string
  transferId?: string | undefined
} & Partial<Pick<MealLine, 'slot' | 'mealDate'>>

/** A refund's id is the order's, or the attempt's with the part. */
const belongingOf = (
  data: unknown,
): Pick<EntryRow, 'attempt_id' | 'reference' | 'order_id' | 'slot' | 'transfer_id'> => {
  const { attemptId, companyRef, orderId, about, refundId, slot, mealDate, transferId } = data as Belonging
  const refundOrder = refundId !== undefined && parseOrderId(refundId) ? refundId : null
  const refundAttempt = /^[0-9a-f-]{36}(?=\.)/.exec(refundId ?? '')?.[0] ?? null
  const order_id = orderId ?? about?.orderId ?? refundOrder
  return {
    attempt_id: attemptId ?? refundAttempt,
    reference: companyRef ?? null,
    order_id,
    slot: slot && mealDate && order_id === null ? lunchId(lunchOf({ slot, mealDate })) : null,
    transfer_id: transferId ?? null,
  }
}
