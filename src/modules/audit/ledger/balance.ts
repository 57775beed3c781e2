import type { Ngwee } from '#kernel/money'
import { kwacha } from '../history/entry-words'
import type { LedgerAttempt } from './ledger'

/**
 * Where an attempt's money is, in ngwee, as the streams tell it, each from its own side:
 * `paidIn` + `creditSpent` + `creditTakenBack` + `shortfall` =
 * `kept` + `paidBack` + `due` + `toBeOwed` + `fee` + `held` + `creditGiven`, always.
 */
export type Balance = {
  attemptId: string
  kind: LedgerAttempt['kind'] | 'unknown'
  reference: string | null
  paidIn: Ngwee
  /** The family's credit that it used, and what was given for it and taken back. */
  creditSpent: Ngwee
  creditTakenBack: Ngwee
  /** Accepted as missing by a person. */
  shortfall: Ngwee
  /** Orders that stand and are paid for, or what credit paid of them; less what an absence gave. */
  kept: Ngwee
  /** As money. */
  paidBack: Ngwee
  due: Ngwee
  /** Owed back for less than an hour, and not yet opened as a refund. */
  toBeOwed: Ngwee
  fee: Ngwee
  /** Given as credit, taken back since or not. */
  creditGiven: Ngwee
  /** Paid, and neither an order nor owed back yet; of `heldUnknown` the provider did not say how much. */
  held: Ngwee
  heldUnknown: boolean
  /** Orders that stand and are yet to be paid for; no part of the sum. */
  unpaid: Ngwee
  /** What came in and is nowhere; negative: what is somewhere and never came in. */
  difference: number
  /** What is not as it should be, each a reason why it may not balance. */
  clues: string[]
}

/** An attempt that has gone wrong: its sum does not come out, or its parts contradict one another. */
export const isWrong = ({ difference, clues }: Balance): boolean => difference !== 0 || clues.length > 0

/** The sums over all attempts; `unbalanced` counts a difference in either direction. */
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

/** Where the money of these sums is: `orders that stand K90.00, owed back K45.00`; `nowhere` when it is not. */
export const whereItIs = (sums: Pick<Balance, (typeof summed)[number]>): string =>
  accounted
    .flatMap(([name, words]) => (sums[name] > 0 ? [`${words} ${kwacha(sums[name])}`] : []))
    .join(', ') || 'nowhere'

/** What does not balance, in a sentence or two: which attempt, how much, why it might be. */
export const balanceWords = (balance: Balance): string => {
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
