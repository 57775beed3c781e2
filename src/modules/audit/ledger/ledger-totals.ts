import { stands, toPayFor, type Ledger } from './ledger'

/** `orders of cycle 7, completed, price` → ngwee; `…, count` → a number. */
export type Sums = ReadonlyMap<string, number>

export type ViewSums = { context: keyof typeof sumsByEvents; position: string; sums: Sums }

type Add = (what: string, amount: number) => void

const summed = (addAll: (add: Add) => void): Sums => {
  const sums = new Map<string, number>()
  addAll((what, amount) => sums.set(what, (sums.get(what) ?? 0) + amount))
  return sums
}

export const sumsByEvents = {
  audit: ({ attempts, orders, refunds, transfers, creditAccounts }: Ledger): Sums =>
    summed((add) => {
      for (const { kind, total, received, fee } of attempts.values()) {
        add(`${kind} checkouts, count`, 1)
        add(`${kind} checkouts, total`, total)
        add(`${kind} checkouts, received`, (received ?? 0) + fee)
      }
      for (const { cycle_id, status, paid, price } of orders.values()) {
        add(`orders of cycle ${cycle_id}, ${status}, paid ${paid}, count`, 1)
        add(`orders of cycle ${cycle_id}, ${status}, paid ${paid}, price`, price)
      }
      for (const { status, amount, owed, paid_back } of refunds.values()) {
        add(`refunds ${status}, count`, 1)
        add(`refunds ${status}, amount`, amount)
        add(`refunds ${status}, owed`, owed)
        add(`refunds ${status}, paid back`, paid_back)
      }
      for (const { stands, amount } of transfers.values()) {
        add(`transfers ${stands ? 'confirmed' : 'undone'}, count`, 1)
        add(`transfers ${stands ? 'confirmed' : 'undone'}, amount`, amount)
      }
      for (const { given, spent, balance } of creditAccounts.values()) {
        add('credit, given', given)
        add('credit, spent', spent)
        add('credit, balance', balance)
      }
    }),
  ordering: ({ orders }: Ledger): Sums =>
    summed((add) => {
      for (const { cycle_id, status, price } of orders.values()) {
        if (status !== 'withdrawn') add(countOfCycle(cycle_id), 1)
        if (status === 'completed' || status === 'pending') add(revenueOfCycle(cycle_id), price)
        if (status === 'completed') add(completedOfCycle(cycle_id), price)
      }
    }),
  refunds: ({ refunds }: Ledger): Sums =>
    summed((add) => {
      for (const { owed } of refunds.values()) add(owedByScreen, owed)
    }),
  credit: ({ creditAccounts }: Ledger): Sums =>
    summed((add) => {
      for (const { balance, held } of creditAccounts.values()) {
        add(creditToSpend, balance)
        add(creditHeld, held)
      }
    }),
  books: (ledger: Ledger): Sums =>
    summed((add) => {
      for (const { money, received } of ledger.attempts.values())
        if (money === 'ours') add(bookedMoney, received ?? 0)
      for (const { stands: isConfirmed, amount } of ledger.transfers.values())
        if (isConfirmed) add(bookedMoney, amount)
      for (const order of ledger.orders.values()) {
        if (order.paid === 'later' && order.transfer_id === null) add(bookedMoney, order.money)
        if (order.paid === 'not-yet' && stands(order)) add(bookedUnpaid, toPayFor(order))
      }
      for (const { paid_back, as_credit, owed } of ledger.refunds.values()) {
        add(bookedMoney, as_credit - paid_back)
        add(bookedOwed, owed)
      }
      for (const { given, taken_back, spent, paid_out } of ledger.creditAccounts.values()) {
        add(bookedCreditGiven, given - taken_back)
        add(bookedCreditSpent, spent)
        add(bookedCreditPaidOut, paid_out)
      }
    }),
}

export const bookedMoney = 'books, received less what went back'
export const bookedOwed = 'books, owed back'
export const bookedUnpaid = 'books, unpaid'
export const bookedCreditGiven = 'books, credit given less what was taken back'
export const bookedCreditSpent = 'books, credit spent'
export const bookedCreditPaidOut = 'books, credit paid out or given up'
export const creditToSpend = 'balances of credit'
export const creditHeld = 'held credit'
export const owedByScreen = 'Refund Management, owed'
export const countOfCycle = (cycleId: number): string => `cycle history, cycle ${cycleId}, orders`
export const revenueOfCycle = (cycleId: number): string => `cycle history, cycle ${cycleId}, revenue`
export const completedOfCycle = (cycleId: number): string => `Revenue Stats, cycle ${cycleId}, completed`

export type SumDifference = { what: string; byEvents: number; inViews: number }

export const differencesBetween = (byEvents: Sums, inViews: Sums): SumDifference[] =>
  [...new Set([...byEvents.keys(), ...inViews.keys()])].flatMap((what) => {
    const difference = { what, byEvents: byEvents.get(what) ?? 0, inViews: inViews.get(what) ?? 0 }
    return difference.byEvents === difference.inViews ? [] : [difference]
  })
