import { sum } from '#kernel/money'
import type { BookedRefund } from '#modules/books/index'
import { balanceText, whereItIs, type Balance, type MoneyTotals } from './balance'
import type { creditTotals } from './balance.decide'
import { chainFaultText, type ChainFault } from '../chain/chain-fault'
import { kwacha } from '../history/entry'

export type SumDifference = { what: string; byEvents: number; inViews: number }

export type AuditReport = {
  events: number
  attempts: number
  totals: MoneyTotals
  credit: ReturnType<typeof creditTotals>
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
