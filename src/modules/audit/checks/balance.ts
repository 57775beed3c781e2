import type { Ngwee } from '#kernel/money'
import { kwacha } from '../history/entry'
import type { BookedAttempt } from '#modules/books/index'

/**
 * An attempt's money in ngwee, each amount from its own streams. Invariant: `paidIn` + `creditSpent` + `creditTakenBack` + `shortfall` =
 * `kept` + `paidBack` + `due` + `toBeOwed` + `fee` + `held` + `creditGiven`.
 */
export type Balance = {
  attemptId: string
  kind: BookedAttempt['kind'] | 'unknown'
  reference: string | null
  paidIn: Ngwee
  creditSpent: Ngwee
  creditTakenBack: Ngwee
  /** Accepted as missing by a person. */
  shortfall: Ngwee
  kept: Ngwee
  paidBack: Ngwee
  due: Ngwee
  /** Owed for less than an hour, refund not opened yet. */
  toBeOwed: Ngwee
  fee: Ngwee
  creditGiven: Ngwee
  /** Paid, neither an order nor owed; `heldUnknown` counts unknown amounts. */
  held: Ngwee
  heldUnknown: boolean
  /** Outside the sum. */
  unpaid: Ngwee
  /** Positive: received but not accounted for; negative: accounted for but never received. */
  difference: number
  clues: string[]
}

export const isWrong = ({ difference, clues }: Balance): boolean => difference !== 0 || clues.length > 0

export type MoneyTotals = Record<(typeof summed)[number], Ngwee> & { heldUnknown: number; unbalanced: Ngwee }

const summed = [
  'paidIn',
  'creditSpent',
  'creditTakenBack',
  'creditGiven',
  'shortfall',
  'kept',
  'paidBack',
  'due',
  'toBeOwed',
  'fee',
  'held',
  'unpaid',
] as const

export const totalsOf = (balances: readonly Balance[]): MoneyTotals => {
  const totals: MoneyTotals = {
    paidIn: 0,
    creditSpent: 0,
    creditTakenBack: 0,
    creditGiven: 0,
    shortfall: 0,
    kept: 0,
    paidBack: 0,
    due: 0,
    toBeOwed: 0,
    fee: 0,
    held: 0,
    unpaid: 0,
    heldUnknown: 0,
    unbalanced: 0,
  }
  for (const balance of balances) {
    for (const name of summed) totals[name] += balance[name]
    if (balance.heldUnknown) totals.heldUnknown += 1
    totals.unbalanced += Math.abs(balance.difference)
  }
  return totals
}

const accounted: [name: (typeof summed)[number], words: string][] = [
  ['kept', 'orders that stand'],
  ['paidBack', 'paid back'],
  ['due', 'owed back'],
  ['toBeOwed', 'about to be owed back'],
  ['fee', 'fee'],
  ['creditGiven', 'given as credit'],
  ['held', 'held, neither ordered nor owed back yet'],
]

/** `orders that stand K90.00, owed back K45.00`; `nowhere` for none. */
export const whereItIs = (sums: Pick<Balance, (typeof summed)[number]>): string =>
  accounted
    .flatMap(([name, words]) => (sums[name] > 0 ? [`${words} ${kwacha(sums[name])}`] : []))
    .join(', ') || 'nowhere'

export const balanceText = (balance: Balance): string => {
  const { attemptId, reference, difference, paidIn, clues } = balance
  const name = reference === null ? `Attempt ${attemptId}` : `Attempt ${reference} (${attemptId})`
  const credit = balance.creditSpent + balance.creditTakenBack
  const spent = credit > 0 ? ` and ${kwacha(credit)} of credit` : ''
  const sums = `${kwacha(paidIn)}${spent} came in: ${whereItIs(balance)}`
  const verdict =
    difference === 0
      ? 'the sum is right, its parts are not'
      : difference > 0
        ? `${kwacha(difference)} is nowhere`
        : `${kwacha(-difference)} too much is accounted for`
  const why = clues.length > 0 ? clues.join('; ') : 'one of its events may have been changed or removed'
  return `${name}: ${sums}; ${verdict}. Why it might be: ${why}.`
}
