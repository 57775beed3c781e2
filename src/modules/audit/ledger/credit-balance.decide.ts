import { type Ngwee, sum } from '#kernel/money'
import { kwacha } from '../history/entry'
import type { LedgerCreditAccount, LedgerCreditGiven, LedgerCreditSpent, LedgerOrder } from './ledger'

export type AttemptCredit = { given: readonly LedgerCreditGiven[]; spent: readonly LedgerCreditSpent[] }

const amountOf = ({ amount }: { amount: Ngwee }) => amount

/** Credit spent on meals, including held credit of lines that are orders already. */
export const creditSpentOf = (orders: readonly LedgerOrder[], { spent }: AttemptCredit): Ngwee => {
  const ordered = new Set(orders.filter(({ status }) => status !== 'withdrawn').map(({ line }) => line))
  return sum(
    spent
      .flatMap(({ lines }) => lines)
      .filter(({ index, status }) => status === 'spent' || (status === 'held' && ordered.has(index)))
      .map(amountOf),
  )
}

const givenWhileStanding = (order: LedgerOrder, { given }: AttemptCredit, kinds: readonly string[]): Ngwee =>
  sum(
    given
      .filter(({ order_id, kind, stands }) => order_id === order.id && stands && kinds.includes(kind))
      .map(amountOf),
  )

/** Paid part of an active order: its price or its credit, less credit for an absence. */
export const keptOf = (order: LedgerOrder, credit: AttemptCredit): Ngwee =>
  (order.paid === 'not-yet' ? Math.min(order.credit, order.price) : order.price) -
  givenWhileStanding(order, credit, ['absent'])

export const standingFor = (orderId: string, { given }: AttemptCredit): LedgerCreditGiven | undefined =>
  given.find(({ id, stands }) => stands && id.startsWith(`order/${orderId}/`))

export const owedForOrder = (order: LedgerOrder, credit: AttemptCredit): { money: Ngwee; credit: Ngwee } => {
  if (order.status !== 'cancelled' && order.status !== 'refunded') return { money: 0, credit: 0 }
  const { money } = order
  const charged = sum(
    credit.spent
      .filter(({ order_id }) => order_id === order.id)
      .flatMap(({ lines }) => lines)
      .map(amountOf),
  )
  const before = givenWhileStanding(order, credit, ['absent', 'changed'])
  const all = Math.max(0, money + order.credit + charged - before)
  const asMoney = order.remedy === 'credit' ? 0 : Math.min(order.price, money, all)
  return { money: asMoney, credit: all - asMoney }
}

/** Positive: credit given but not accounted for; negative: accounted for but never given. */
const creditDifference = (account: LedgerCreditAccount): number =>
  account.given - (account.spent + account.taken_back + account.paid_out + account.held + account.balance)

export const creditFaults = (accounts: Iterable<LedgerCreditAccount>): string[] =>
  [...accounts].flatMap((account) => {
    const { user_id, given, balance, held } = account
    const difference = creditDifference(account)
    if (balance < 0 || held < 0) return [`The credit of user ${user_id} is negative.`]
    if (difference === 0) return []
    const what =
      difference > 0 ? `${kwacha(difference)} is nowhere` : `${kwacha(-difference)} was never given`
    return [`The credit of user ${user_id}: of ${kwacha(given)} given ${what}.`]
  })

export const creditTotals = (
  accounts: Iterable<LedgerCreditAccount>,
): Omit<LedgerCreditAccount, 'user_id'> => {
  const totals = { given: 0, taken_back: 0, spent: 0, paid_out: 0, held: 0, balance: 0 }
  for (const account of accounts)
    for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += account[name]
  return totals
}
