import type { EventOf } from '#kernel/event'
import * as payments from '#modules/payments/published'
import { counted, kwacha, redacted, words } from './entry-words'

type Families = EventOf<typeof payments.transferConfirmed>['data']['families']

/** Payments outside of the card provider, in words. */
export const transfersWords = [
  words(payments.transferConfirmed, 'payment', (transfer) => ({
    what: `${kwacha(transfer.amount)} ${cameBy[transfer.method]} confirmed: it pays ${paidFor(transfer.families)}`,
    amount: transfer.amount,
    details: {
      'Transaction id': transfer.transactionId,
      Payer: transfer.payer && redacted(transfer.payer),
      'Paid at': transfer.paidAt,
      'Row of a statement': transfer.rowId && redacted(transfer.rowId),
      'Together with': transfer.others ? counted(transfer.others.length, 'other payment') : null,
      Note: transfer.note && redacted(transfer.note),
    },
  })),
  words(payments.transferUndone, 'payment', ({ method, families }) => ({
    what: `The confirmation of ${kwacha(moneyOf(families))} ${cameBy[method]} undone: it no longer pays ${paidFor(families)}`,
    amount: moneyOf(families),
  })),
]

const cameBy = {
  airtel: 'by Airtel Money',
  mtn: 'by MTN Money',
  bank: 'by bank transfer',
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
