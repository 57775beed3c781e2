import type { Ledger } from './ledger/ledger'

/** Sums by what they are of: `orders of cycle 7, completed, price` → ngwee, `…, count` → how many. */
export type Sums = ReadonlyMap<string, number>

/** The sums that the audit's own tables and those of ordering must come to, from the ledger as the events tell it. */
export const sumsOf = ({ attempts, orders, refunds }: Ledger): Sums => {
  const sums = new Map<string, number>()
  const add = (what: string, amount: number) => sums.set(what, (sums.get(what) ?? 0) + amount)
  for (const { kind, total, received, fee } of attempts.values()) {
    add(`${kind} checkouts, count`, 1)
    add(`${kind} checkouts, total`, total)
    add(`${kind} checkouts, received`, (received ?? 0) + fee)
  }
  for (const { cycle_id, status, paid, price } of orders.values()) {
    add(`orders of cycle ${cycle_id}, ${status}, paid ${paid}, count`, 1)
    add(`orders of cycle ${cycle_id}, ${status}, paid ${paid}, price`, price)
    if (status !== 'withdrawn') add(countOfCycle(cycle_id), 1)
    if (status === 'completed') add(revenueOfCycle(cycle_id), price)
  }
  for (const { status, amount, owed, paid_back } of refunds.values()) {
    add(`refunds ${status}, count`, 1)
    add(`refunds ${status}, amount`, amount)
    add(`refunds ${status}, owed`, owed)
    add(`refunds ${status}, paid back`, paid_back)
    add(owedByScreen, owed)
  }
  return sums
}

export const owedByScreen = 'Refund Management, owed'
export const countOfCycle = (cycleId: number): string => `cycle history, cycle ${cycleId}, orders`
export const revenueOfCycle = (cycleId: number): string => `cycle history, cycle ${cycleId}, revenue`

export type SumDifference = { what: string; byEvents: number; told: number }

/** Where read models tell other sums than the events. */
export const differencesBetween = (byEvents: Sums, told: Sums): SumDifference[] =>
  [...new Set([...byEvents.keys(), ...told.keys()])].flatMap((what) => {
    const difference = { what, byEvents: byEvents.get(what) ?? 0, told: told.get(what) ?? 0 }
    return difference.byEvents === difference.told ? [] : [difference]
  })
