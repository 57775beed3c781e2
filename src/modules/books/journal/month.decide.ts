import {
  accountWords,
  bookMethods,
  type AccountSettings,
  type BookAccount,
  type BookMethod,
  type DayFigures,
  type JournalDay,
} from '#contracts/books'
import type { RefundMethod } from '#contracts/refunds'
import { sum, type Ngwee, ngweeFromKwacha } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import type { BookedSum } from './day-end.decide'

const income: readonly BookAccount[] = ['sales', 'discounts', 'fees', 'absences']

/** The number of the school's books; empty where none is set. */
const codeOf = ({ codes }: Pick<AccountSettings, 'codes'>, account: BookAccount): string =>
  codes[account] || (income.includes(account) ? codes.sales : '')

/** In ngwee, a credit negative. */
type Postings = ReadonlyMap<BookAccount, number>

/** One day in double entry. Sales are what the other accounts leave (docs/journal-files.md). */
export const postingsOf = (sums: readonly BookedSum[]): Postings => {
  const of = (kind: BookedSum['kind'], isCounted: (one: BookedSum) => boolean = () => true): Ngwee =>
    sum(sums.filter((one) => one.kind === kind && isCounted(one)).map(({ amount }) => amount))
  const gifts = of('granted', ({ ofAccount }) => ofAccount)
  const granted = of('granted')
  const givenUp = of('given_up', ({ ofAccount }) => ofAccount)
  const used = of('credit_spent') + of('credit_paid_out') + givenUp
  const others: [BookAccount, number][] = [
    ...bookMethods.map((method): [BookAccount, number] => [method, moneyBy(sums, method)]),
    ['discounts', of('discount') + gifts],
    ['refundsOwed', -of('owed')],
    ['familyCredit', used - of('credit_given') - granted],
    ['fees', of('written_off')],
    ['absences', granted - gifts],
  ]
  return new Map([...others, ['sales', -sum(others.map(([, amount]) => amount))]])
}

const moneyBy = (sums: readonly BookedSum[], method: BookMethod): number =>
  sum(
    sums.map((one) => {
      if (one.kind === 'received') return one.method === method ? one.amount : 0
      const isOut = one.kind === 'paid_back' || one.kind === 'credit_paid_out'
      return isOut && leftBy(one) === method ? -one.amount : 0
    }),
  )

const sentBy: Record<RefundMethod, BookMethod | null> = {
  cash: 'cash',
  bank: 'bank',
  card: 'card',
  mobile_money: null,
  manual: null,
}

/** Mobile money leaves by the network that it came by; where nobody said how, money leaves as it came. */
const leftBy = ({ sentBy: way, method }: Pick<BookedSum, 'sentBy' | 'method'>): BookMethod => {
  const told = way === null ? null : sentBy[way]
  if (told !== null) return told
  return way !== 'mobile_money' || method === 'airtel' || method === 'mtn' ? (method ?? 'other') : 'other'
}

/** What the journal of a month tells otherwise than day end, in words. */
export const differencesFromDayEnd = (
  sums: readonly BookedSum[],
  { methods, till, paidOut }: DayFigures,
): string[] => {
  const postings = postingsOf(sums)
  const money = sum(bookMethods.map((method) => postings.get(method)!))
  const moved = sum(methods.map(({ amount, refundsPaid }) => amount - refundsPaid)) - paidOut
  const compared: [what: string, journal: number, dayEnd: number][] = [
    ['money', money, moved],
    ['cash', postings.get('cash')!, till.expected],
  ]
  return compared
    .map(([what, journal, dayEnd]) => [what, journal, ngweeFromKwacha(dayEnd)] as const)
    .filter(([, journal, dayEnd]) => journal !== dayEnd)
    .map(([what, ...amounts]) => {
      const [journal, dayEnd] = amounts.map((amount) => (amount / 100).toFixed(2))
      return `${what} in the journal of the month is ${journal} and in day end ${dayEnd}`
    })
}

type Month = { month: string; days: JournalDay[]; totals: { debit: number; credit: number } }

/** `hashes`: of closed days. Days without anything to enter keep no number. */
export const monthOf = (
  month: string,
  {
    sums,
    hashes,
    settings,
  }: { sums: readonly BookedSum[]; hashes: ReadonlyMap<SchoolDate, string>; settings: AccountSettings },
): Month => {
  const dates = [...new Set(sums.map(({ date }) => date))].toSorted()
  let numbered = 0
  const days = dates.map((date): JournalDay => {
    const postings = postingsOf(sums.filter((one) => one.date === date))
    const hash = hashes.get(date)
    const isEmpty = [...postings.values()].every((amount) => amount === 0)
    if (!isEmpty) numbered += 1
    const number = `J${month}-${String(numbered).padStart(3, '0')}`
    const entries = [...postings]
      .filter(([, amount]) => amount !== 0)
      .map(([account, amount]) => ({
        number,
        account,
        code: codeOf(settings, account),
        debit: Math.max(0, amount) / 100,
        credit: Math.max(0, -amount) / 100,
        text: `${accountWords[account]} ${dayFirst(date)}${hash === undefined ? '' : `, closing ${hash}`}`,
      }))
    return { date, closed: hash !== undefined, entries }
  })
  const entries = days.flatMap((day) => day.entries)
  const total = (side: 'debit' | 'credit') => sum(entries.map((entry) => ngweeFromKwacha(entry[side]))) / 100
  return { month, days, totals: { debit: total('debit'), credit: total('credit') } }
}

/** 2026-11-02 → 02/11/2026. */
export const dayFirst = (date: SchoolDate): string => date.split('-').toReversed().join('/')
