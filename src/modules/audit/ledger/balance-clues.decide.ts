import { sum } from '#kernel/money'
import { owedForOrder, type AttemptCredit } from './credit-balance.decide'
import { kwacha } from '../history/entry'
import { stands, type LedgerAttempt, type LedgerOrder, type LedgerRefund } from './ledger'

export const attemptClues = (attempt: LedgerAttempt | null, orders: readonly LedgerOrder[]): string[] => {
  if (!attempt) return ['there is no such checkout in the history']
  const byId = new Map(orders.map((order) => [order.id, order]))
  const total = sum(attempt.lines.map(({ price }) => price))
  return [
    ...(total === attempt.total
      ? []
      : [`its meals cost ${kwacha(total)}, its total is ${kwacha(attempt.total)}`]),
    ...(attempt.money === 'claimed'
      ? ['its meals were treated as paid, and no payment that fits is known']
      : []),
    ...attempt.lines.flatMap(({ orderId }) =>
      orderId === null || byId.has(orderId)
        ? []
        : [`order ${orderId}, which it says was made, is not in the history of the meal slots`],
    ),
    ...orders.flatMap(({ id, line, placed_price: price, status }) => {
      const paidFor = attempt.lines.find(({ index }) => index === line)?.price
      return paidFor === price || status === 'withdrawn'
        ? []
        : [
            `order ${id} costs ${kwacha(price)}, and ${paidFor === undefined ? 'no meal' : kwacha(paidFor)} was in the cart for it`,
          ]
    }),
  ]
}

/** Contradictions of a refund with itself, its order or its part of the attempt. */
export const refundClues = (
  refund: LedgerRefund,
  attempt: LedgerAttempt | null,
  orders: readonly LedgerOrder[],
  credit: AttemptCredit,
): string[] => {
  const { id, amount, owed, paid_back } = refund
  const sums = `of refund ${id}, ${kwacha(amount)} in all, ${kwacha(paid_back)} went back and ${kwacha(owed)} is owed`
  return [
    ...(owed + paid_back === amount ? [] : [sums]),
    ...(refund.order_id === null
      ? decisionClues(refund, attempt)
      : orderClues(refund, refund.order_id, attempt, orders, credit)),
  ]
}

const orderClues = (
  { id, amount, owed }: LedgerRefund,
  orderId: string,
  attempt: LedgerAttempt | null,
  orders: readonly LedgerOrder[],
  credit: AttemptCredit,
): string[] => {
  const order = orders.find((one) => one.id === orderId)
  if (!order) return [`the order of refund ${id} is not in the history`]
  // An accepted shortfall is not given back; the order is marked when its last part goes back.
  const paid = owedForOrder({ ...order, status: 'cancelled', remedy: 'refund' }, credit)
  const unpaid = paid.money - amount
  const isItsPrice = unpaid === 0 || (unpaid > 0 && unpaid <= (attempt?.shortfall ?? 0))
  return [
    ...(stands(order) ? [`order ${orderId} stands, and is refunded as well`] : []),
    ...(order.status === 'refunded' && owed > 0
      ? [`order ${orderId} is marked as refunded, and ${kwacha(owed)} of it is still owed`]
      : []),
    ...(isItsPrice ? [] : [`refund ${id} is not what its order cost, ${kwacha(order.price)}`]),
  ]
}

const decisionClues = ({ id, part, amount }: LedgerRefund, attempt: LedgerAttempt | null): string[] => {
  const line = attempt?.lines.find(({ index }) => String(index) === part)
  const decided = (part === 'surplus' ? attempt?.surplus : line?.waived) ?? 0
  return decided === amount
    ? []
    : [`refund ${id} is of ${kwacha(amount)}, and ${kwacha(decided)} was decided`]
}

const whereCardRefundsAre = {
  under_way: 'on its way or not answered',
  unclear: 'unclear until somebody finds out',
  failed: 'refused',
} as const

export const cardRefundNotes = (refunds: Iterable<LedgerRefund>): string[] => {
  const owed = [...refunds].filter(({ status, card }) => status === 'due' && card !== null)
  if (owed.length === 0) return []
  const parts = Object.entries(whereCardRefundsAre).flatMap(([state, words]) => {
    const amounts = owed.filter(({ card }) => card === state).map((refund) => refund.owed)
    return amounts.length > 0 ? [`${words} ${kwacha(sum(amounts))}`] : []
  })
  const all = kwacha(sum(owed.map((refund) => refund.owed)))
  return [`${all} that was asked back to cards is still owed: ${parts.join(', ')}.`]
}
