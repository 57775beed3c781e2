import { sum, type Ngwee } from '#kernel/money'
import type { BookedRefund, BookedAttempt } from '#modules/books/index'
import { chainFaultText, type ChainFault } from '../chain/chain-fault'
import { kwacha } from '../history/entry'
import type { CreditAccount } from './journal-sums'

export type SumDifference = { what: string; byEvents: number; inViews: number }

export type AuditReport = {
  events: number
  attempts: number
  totals: MoneyTotals
  credit: Omit<CreditAccount, 'user_id'>
  unbalanced: Balance[]
  chainFaults: ChainFault[]
  sumDifferences: SumDifference[]
  other: string[]
  notes: string[]
  head: { number: number; hash: string }
}

export const findingsOf = (report: AuditReport): string[] => [
  ...report.unbalanced.map(balanceText),
  ...report.chainFaults.map(chainFaultText),
  ...report.sumDifferences.map(sumText),
  ...report.other,
]

const sumText = ({ what, byEvents, inViews }: SumDifference): string => {
  const isCount = what.endsWith(', count') || what.endsWith(', orders')
  const shown = (amount: number) => (isCount ? String(amount) : signed(amount))
  return `A read model tells ${shown(inViews)} for "${what}", the events ${shown(byEvents)}. It may have been changed by hand; npm run rebuild makes it anew.`
}

const signed = (amount: number) => (amount < 0 ? `-${kwacha(-amount)}` : kwacha(amount))

const moneyLine = (totals: MoneyTotals): string => {
  if (totals.paidIn === 0 && totals.creditSpent === 0) return 'No money came in.'
  const missing = totals.shortfall > 0 ? `, ${kwacha(totals.shortfall)} was accepted as missing` : ''
  const credit = totals.creditSpent + totals.creditTakenBack
  const used = credit > 0 ? ` and ${kwacha(credit)} of credit was used or taken back` : ''
  return `${kwacha(totals.paidIn)} came in${used}${missing}: ${whereItIs(totals)}.`
}

const creditLine = (credit: AuditReport['credit']): string[] => {
  const { given, spent, taken_back, paid_out, held, balance } = credit
  if (given === 0) return []
  return [
    `${kwacha(given)} of credit was given: spent ${kwacha(spent)}, taken back ${kwacha(taken_back)}, paid out ${kwacha(paid_out)}, held ${kwacha(held)}, to be spent ${kwacha(balance)}.`,
  ]
}

const maxFindings = 100

export const reportLines = (report: AuditReport): string[] => {
  const { events, attempts, totals, credit, notes, head } = report
  const findings = findingsOf(report)
  return [
    `${events} events, ${attempts} payment attempts.`,
    moneyLine(totals),
    ...(totals.unpaid > 0 ? [`Orders yet to be paid for: ${kwacha(totals.unpaid)}.`] : []),
    ...creditLine(credit),
    ...(totals.heldUnknown > 0
      ? [
          `Payments of an amount the provider did not say, held until somebody decides: ${totals.heldUnknown}.`,
        ]
      : []),
    `The chain ends at event number ${head.number} with ${head.hash}.`,
    ...notes,
    '',
    ...(findings.length === 0
      ? ['Everything balances, and nothing was changed.']
      : [`${findings.length} found wrong:`, ...findings.slice(0, maxFindings).map((words) => `- ${words}`)]),
    ...(findings.length > maxFindings ? [`and ${findings.length - maxFindings} more.`] : []),
  ]
}

const whereCardRefundsAre = {
  under_way: 'on its way or not answered',
  unclear: 'unclear until somebody finds out',
  failed: 'refused',
} as const

export const cardRefundNotes = (refunds: Iterable<BookedRefund>): string[] => {
  const owed = [...refunds].filter(({ status, card }) => status === 'due' && card !== null)
  if (owed.length === 0) return []
  const parts = Object.entries(whereCardRefundsAre).flatMap(([state, words]) => {
    const amounts = owed.filter(({ card }) => card === state).map((refund) => refund.owed)
    return amounts.length > 0 ? [`${words} ${kwacha(sum(amounts))}`] : []
  })
  const all = kwacha(sum(owed.map((refund) => refund.owed)))
  return [`${all} that was asked back to cards is still owed: ${parts.join(', ')}.`]
}

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
  ['kept', 'active orders'],
  ['paidBack', 'paid back'],
  ['due', 'owed back'],
  ['toBeOwed', 'about to be owed back'],
  ['fee', 'fee'],
  ['creditGiven', 'given as credit'],
  ['held', 'held, neither ordered nor owed back yet'],
]

/** `active orders K90.00, owed back K45.00`; `nowhere` for none. */
const whereItIs = (sums: Pick<Balance, (typeof summed)[number]>): string =>
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
