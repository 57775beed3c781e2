import type { Ngwee } from '#kernel/money'
import type { Balance } from './balance'
import { attemptClues, refundClues } from './balance-clues.decide'
import { kwacha } from '../history/entry-words'
import { stands, type Ledger, type LedgerAttempt, type LedgerOrder, type LedgerRefund } from './ledger'

const graceMs = 3_600_000

/** The balance of every attempt, and of every attempt that orders or refunds name and that is not there. */
export const balancesOf = ({ attempts, orders, refunds }: Ledger, now: Date): Balance[] => {
  const ordersBy = groupBy(orders.values())
  const refundsBy = groupBy(refunds.values())
  const ids = new Set([...attempts.keys(), ...ordersBy.keys(), ...refundsBy.keys()])
  return [...ids].map((id) =>
    balanceOf(id, attempts.get(id) ?? null, ordersBy.get(id) ?? [], refundsBy.get(id) ?? [], now),
  )
}

const groupBy = <Row extends { attempt_id: string }>(rows: Iterable<Row>): Map<string, Row[]> => {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(row.attempt_id)
    if (group) group.push(row)
    else groups.set(row.attempt_id, [row])
  }
  return groups
}

/** The money invariant for one attempt with its orders and refunds. */
const balanceOf = (
  attemptId: string,
  attempt: LedgerAttempt | null,
  orders: readonly LedgerOrder[],
  refunds: readonly LedgerRefund[],
  now: Date,
): Balance => {
  const standing = orders.filter(stands)
  const isRecent = (since: string) => now.getTime() - Date.parse(since) <= graceMs
  // An order that stands again takes its refund back a moment later.
  const reopened = new Set(standing.filter((order) => isRecent(order.changed_at)).map(({ id }) => id))
  const opened = refunds.filter(
    ({ status, order_id, paid_back }) =>
      status !== 'withdrawn' && !(paid_back === 0 && order_id !== null && reopened.has(order_id)),
  )
  const missing = owedBack(attemptId, attempt, orders).filter(
    ({ refundId }) => !opened.some(({ id }) => id === refundId),
  )
  const money = {
    paidIn: paidInOf(attempt, orders),
    shortfall: Math.max(0, (attempt?.shortfall ?? 0) - notGivenBack(orders, opened)),
    kept: sum(standing.filter(isPaid).map(priceOf)),
    paidBack: sum(opened.map((refund) => refund.paid_back)),
    due: sum(opened.map(({ owed }) => owed)),
    toBeOwed: sum(missing.filter(({ since }) => isRecent(since)).map(({ amount }) => amount)),
    fee: attempt?.fee ?? 0,
    held: attempt ? heldOf(attempt, orders) : 0,
  }
  const { paidIn, shortfall, kept, paidBack, due, toBeOwed, fee, held } = money
  const difference = paidIn + shortfall - (kept + paidBack + due + toBeOwed + fee + held)
  return {
    attemptId,
    kind: attempt?.kind ?? 'unknown',
    reference: attempt?.reference ?? null,
    ...money,
    heldUnknown: attempt?.money === 'undecided' && attempt.received === null,
    unpaid: sum(standing.filter((order) => !isPaid(order)).map(priceOf)),
    difference,
    clues: [
      ...attemptClues(attempt, orders),
      ...missing.filter(({ since }) => !isRecent(since)).map(({ clue }) => clue),
      ...opened.flatMap((refund) => refundClues(refund, attempt, orders)),
    ],
  }
}

/** Of cancelled orders: what they cost beyond what is given back, because it had been accepted as missing. */
const notGivenBack = (orders: readonly LedgerOrder[], opened: readonly LedgerRefund[]): Ngwee => {
  const prices = new Map(orders.map(({ id, price }) => [id, price]))
  return sum(opened.map(({ order_id, amount }) => Math.max(0, (prices.get(order_id ?? '') ?? 0) - amount)))
}

const isPaid = ({ paid }: LedgerOrder) => paid !== 'not-yet'
const priceOf = ({ price }: LedgerOrder) => price
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

/** By card the provider said so; otherwise a person confirmed it, order by order. */
const paidInOf = (attempt: LedgerAttempt | null, orders: readonly LedgerOrder[]): Ngwee => {
  if (attempt?.kind === 'card') return (attempt.received ?? 0) + attempt.fee
  if (attempt?.kind !== 'alternative') return 0
  return sum(orders.filter(({ paid, status }) => paid === 'later' && status !== 'withdrawn').map(priceOf))
}

const heldOf = ({ money, received, lines }: LedgerAttempt, orders: readonly LedgerOrder[]): Ngwee => {
  if (money === 'none' || money === 'claimed') return 0
  if (money === 'undecided') return received ?? 0
  const ordered = new Set(orders.filter(({ status }) => status !== 'withdrawn').map(({ line }) => line))
  const unresolved = lines.filter(
    ({ index, orderId, waived }) => orderId === null && waived === null && !ordered.has(index),
  )
  return sum(unresolved.map(({ price }) => price))
}

type Owed = { refundId: string; amount: Ngwee; since: string; clue: string }

/** What must be owed back or have gone back: paid orders that were cancelled, lines given up, what was paid too much. */
const owedBack = (
  attemptId: string,
  attempt: LedgerAttempt | null,
  orders: readonly LedgerOrder[],
): Owed[] => {
  const cancelled = orders.filter(
    (order) => (order.status === 'cancelled' || order.status === 'refunded') && isPaid(order),
  )
  const since = attempt?.changed_at ?? ''
  return [
    ...cancelled.map(({ id, price, status, changed_at }) => ({
      refundId: id,
      amount: price,
      since: changed_at,
      clue: `order ${id} is ${status}, and nobody was ever told to pay its ${kwacha(price)} back`,
    })),
    ...(attempt?.lines ?? []).map(({ index, waived }) => ({
      refundId: `${attemptId}.${index}`,
      amount: waived ?? 0,
      since,
      clue: `meal ${index + 1} was given up, and nobody was ever told to pay its ${kwacha(waived ?? 0)} back`,
    })),
    {
      refundId: `${attemptId}.surplus`,
      amount: attempt?.surplus ?? 0,
      since,
      clue: `${kwacha(attempt?.surplus ?? 0)} was paid too much, and nobody was ever told to pay it back`,
    },
  ].filter(({ amount }) => amount > 0)
}
