import type { Ngwee } from '#kernel/money'
import { kwacha } from './entry-words'
import { stands } from './ledger'
import type { LedgerAttempt, LedgerOrder, LedgerRefund } from './ledger'

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

/** Where an attempt and its orders contradict one another. */
export const attemptClues = (
  attempt: LedgerAttempt | null,
  orders: readonly LedgerOrder[],
  kept: Ngwee,
  paidIn: Ngwee,
): string[] => {
  if (!attempt) return ['there is no such checkout in the history']
  const byId = new Map(orders.map((order) => [order.id, order]))
  const total = sum(attempt.lines.map(({ price }) => price))
  return [
    ...(total === attempt.total
      ? []
      : [`its meals cost ${kwacha(total)}, its total is ${kwacha(attempt.total)}`]),
    ...(kept > 0 && paidIn === 0 ? ['its orders stand as paid, and no payment is known'] : []),
    ...attempt.lines.flatMap(({ orderId }) =>
      orderId === null || byId.has(orderId)
        ? []
        : [`order ${orderId}, which it says was made, is not in the history of the meal slots`],
    ),
    ...orders.flatMap(({ id, line, price, status }) => {
      const paidFor = attempt.lines.find(({ index }) => index === line)?.price
      return paidFor === price || status === 'withdrawn'
        ? []
        : [
            `order ${id} costs ${kwacha(price)}, and ${paidFor === undefined ? 'no meal' : kwacha(paidFor)} was in the cart for it`,
          ]
    }),
  ]
}

/** Where a refund contradicts itself or its order. */
export const refundClues = (refund: LedgerRefund, orders: readonly LedgerOrder[]): string[] => {
  const { id, amount, owed, paid_back, order_id } = refund
  const order = orders.find((one) => one.id === order_id)
  return [
    ...(owed + paid_back === amount
      ? []
      : [
          `of refund ${id}, ${kwacha(amount)} in all, ${kwacha(paid_back)} went back and ${kwacha(owed)} is owed`,
        ]),
    ...(order && stands(order) ? [`order ${order.id} stands, and is refunded as well`] : []),
    ...(order && order.price !== amount
      ? [`refund ${id} is not what its order cost, ${kwacha(order.price)}`]
      : []),
    ...(order_id !== null && !order ? [`the order of refund ${id} is not in the history`] : []),
  ]
}
