import { moneyOf } from '#kernel/meal-line'
import { type Ngwee, sum } from '#kernel/money'
import type { Balance } from './balance'
import { attemptClues, refundClues } from './balance-clues.decide'
import { kwacha } from '../history/entry'
import { creditSpentOf, keptOf, owedForOrder, standingFor, type AttemptCredit } from './credit-balance.decide'
import {
  stands,
  toPayFor,
  type Ledger,
  type LedgerAttempt,
  type LedgerCreditGiven,
  type LedgerOrder,
  type LedgerRefund,
} from './ledger'

const graceMs = 3_600_000

/** One balance per attempt, including attempts that only orders or refunds name. */
export const balancesOf = (ledger: Ledger, now: Date): Balance[] => {
  const { attempts, orders, refunds } = ledger
  const ordersBy = groupBy(orders.values())
  const refundsBy = groupBy(refunds.values())
  const givenBy = groupBy([...ledger.creditGiven.values()].flatMap(ofAttempt))
  const spentBy = groupBy(ledger.creditSpent.values())
  const ids = new Set(
    [attempts, ordersBy, refundsBy, givenBy, spentBy].flatMap((by: ReadonlyMap<string, unknown>) => [
      ...by.keys(),
    ]),
  )
  return [...ids].map((id) =>
    balanceOf(
      id,
      attempts.get(id) ?? null,
      ordersBy.get(id) ?? [],
      refundsBy.get(id) ?? [],
      { given: givenBy.get(id) ?? [], spent: spentBy.get(id) ?? [] },
      now,
    ),
  )
}

const ofAttempt = (given: LedgerCreditGiven): (LedgerCreditGiven & { attempt_id: string })[] =>
  given.attempt_id === null ? [] : [{ ...given, attempt_id: given.attempt_id }]

const groupBy = <Row extends { attempt_id: string }>(rows: Iterable<Row>): Map<string, Row[]> => {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const group = groups.get(row.attempt_id)
    if (group) group.push(row)
    else groups.set(row.attempt_id, [row])
  }
  return groups
}

const balanceOf = (
  attemptId: string,
  attempt: LedgerAttempt | null,
  orders: readonly LedgerOrder[],
  refunds: readonly LedgerRefund[],
  credit: AttemptCredit,
  now: Date,
): Balance => {
  const standing = orders.filter(stands)
  const isRecent = (since: string) => now.getTime() - Date.parse(since) <= graceMs
  // A restored order withdraws its refund a moment later.
  const reopened = new Set(standing.filter((order) => isRecent(order.changed_at)).map(({ id }) => id))
  const opened = refunds.filter(
    ({ status, order_id, paid_back }) =>
      status !== 'withdrawn' && !(paid_back === 0 && order_id !== null && reopened.has(order_id)),
  )
  const isOpened = ({ refundId }: Owed) => opened.some(({ id }) => id === refundId)
  const missing = [
    ...owedBack(attemptId, attempt, orders, credit).filter((owed) => !isOpened(owed)),
    ...creditOwed(orders, credit),
  ]
  const money = {
    paidIn: paidInOf(attempt, orders),
    creditSpent: creditSpentOf(orders, credit),
    creditTakenBack: sum(credit.given.filter(({ stands: given }) => !given).map(amountOf)),
    creditGiven: sum(credit.given.map(amountOf)),
    shortfall: Math.max(0, (attempt?.shortfall ?? 0) - notGivenBack(orders, opened, credit)),
    kept: sum(standing.map((order) => keptOf(order, credit))),
    paidBack: sum(opened.map((refund) => refund.paid_back - refund.as_credit)),
    due: sum(opened.map(({ owed }) => owed)),
    toBeOwed: sum(missing.filter(({ since }) => isRecent(since)).map(({ amount }) => amount)),
    fee: attempt?.fee ?? 0,
    held: attempt ? heldOf(attempt, orders) : 0,
  }
  const { paidIn, creditSpent, creditTakenBack, creditGiven, shortfall, kept, paidBack } = money
  const { due, toBeOwed, fee, held } = money
  const cameIn = paidIn + creditSpent + creditTakenBack + shortfall
  const difference = cameIn - (kept + paidBack + due + toBeOwed + fee + held + creditGiven)
  return {
    attemptId,
    kind: attempt?.kind ?? 'unknown',
    reference: attempt?.reference ?? null,
    ...money,
    heldUnknown: attempt?.money === 'undecided' && attempt.received === null,
    unpaid: sum(standing.filter((order) => !isPaid(order)).map(toPayFor)),
    difference,
    clues: [
      ...attemptClues(attempt, orders),
      ...missing.filter(({ since }) => !isRecent(since)).map(({ clue }) => clue),
      ...opened.flatMap((refund) => refundClues(refund, attempt, orders, credit)),
    ],
  }
}

const notGivenBack = (
  orders: readonly LedgerOrder[],
  opened: readonly LedgerRefund[],
  credit: AttemptCredit,
): Ngwee =>
  sum(
    orders.map((order) => {
      const refund = opened.find(({ order_id }) => order_id === order.id)
      const given = standingFor(order.id, credit)
      if (!refund && !given) return 0
      const owed = owedForOrder(order, credit)
      return Math.max(0, owed.money + owed.credit - (refund?.amount ?? 0) - (given?.amount ?? 0))
    }),
  )

const isPaid = ({ paid }: LedgerOrder) => paid !== 'not-yet'
const amountOf = ({ amount }: { amount: Ngwee }) => amount
/** By card the provider's amount; otherwise what was confirmed order by order. */
const paidInOf = (attempt: LedgerAttempt | null, orders: readonly LedgerOrder[]): Ngwee => {
  if (attempt?.kind === 'card') return (attempt.received ?? 0) + attempt.fee
  if (attempt?.kind !== 'alternative') return 0
  return sum(
    orders.filter(({ paid, status }) => paid === 'later' && status !== 'withdrawn').map(({ money }) => money),
  )
}

const heldOf = ({ money, received, lines }: LedgerAttempt, orders: readonly LedgerOrder[]): Ngwee => {
  if (money === 'none' || money === 'claimed') return 0
  if (money === 'undecided') return received ?? 0
  const ordered = new Set(orders.filter(({ status }) => status !== 'withdrawn').map(({ line }) => line))
  const unresolved = lines.filter(
    ({ index, orderId, waived }) => orderId === null && waived === null && !ordered.has(index),
  )
  return sum(unresolved.map(moneyOf))
}

type Owed = { refundId: string; amount: Ngwee; since: string; clue: string }

const owedBack = (
  attemptId: string,
  attempt: LedgerAttempt | null,
  orders: readonly LedgerOrder[],
  credit: AttemptCredit,
): Owed[] => {
  const since = attempt?.changed_at ?? ''
  return [
    ...orders.map((order) => {
      const { id, status, changed_at } = order
      const { money: amount } = owedForOrder(order, credit)
      const clue = `order ${id} is ${status}, and nobody was ever told to pay its ${kwacha(amount)} back`
      return { refundId: id, amount, since: changed_at, clue }
    }),
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

const creditOwed = (orders: readonly LedgerOrder[], credit: AttemptCredit): Owed[] =>
  orders.flatMap((order) => {
    const { id, status, changed_at: since } = order
    const { credit: amount } = owedForOrder(order, credit)
    if (amount === 0 || standingFor(id, credit)) return []
    const clue = `order ${id} is ${status}, and its ${kwacha(amount)} was never given as credit`
    return [{ refundId: id, amount, since, clue }]
  })
