import { bookMethods, type BookMethod, type DayFigures, type TotalFigures } from '#contracts/books'
import type { RefundMethod } from '#contracts/refunds'
import { groupedBy } from '#kernel/grouped-by'
import type { Ngwee } from '#kernel/money'
import { addDays, type SchoolDate } from '#kernel/school-time'
import type { BookingKind } from './booking'

/** `undone`: of `amount`, receipts taken back as mistakes. `ofAccount`: a gift, or credit given up. */
export type BookedSum = {
  date: SchoolDate
  kind: BookingKind
  method: BookMethod | null
  sentBy: RefundMethod | null
  ofAccount: boolean
  amount: number
  payments: number
  undone: number
}

export type OpenSums = { owed: Ngwee; unpaid: Ngwee }

type Range = { from: SchoolDate; to: SchoolDate }
export type DayEnd = { days: DayFigures[]; totals: TotalFigures }

export const dayEndOf = ({ from, to }: Range, sums: readonly BookedSum[], before: OpenSums): DayEnd => {
  const byDay = groupedBy(sums, ({ date }) => date)
  const open = { ...before }
  const days: DayFigures[] = []
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const own = byDay.get(date) ?? []
    open.owed += amountOf(own, 'owed')
    open.unpaid += amountOf(own, 'unpaid')
    days.push({ date, ...figuresOf(own, open) })
  }
  return { days, totals: figuresOf(sums, open) }
}

const figuresOf = (sums: readonly BookedSum[], open: OpenSums): TotalFigures => ({
  methods: bookMethods.flatMap((method) => {
    const own = sums.filter((sum) => sum.method === method)
    const received = own.filter(({ kind }) => kind === 'received')
    const payments = received.reduce((count, sum) => count + sum.payments, 0)
    const amount = amountOf(own, 'received')
    const refundsPaid = amountOf(own, 'paid_back')
    return payments === 0 && amount === 0 && refundsPaid === 0
      ? []
      : [{ method, payments, amount: kwacha(amount), refundsPaid: kwacha(refundsPaid) }]
  }),
  till: tillOf(sums),
  creditGiven: kwacha(amountOf(sums, 'credit_given', 'granted')),
  creditSpent: kwacha(amountOf(sums, 'credit_spent')),
  paidOut: kwacha(amountOf(sums, 'credit_paid_out')),
  mealsFree: amountOf(sums, 'free_meal'),
  late: amountOf(sums, 'late_meal'),
  owed: kwacha(open.owed),
  unpaid: kwacha(open.unpaid),
})

/** An undone receipt never was in the till. Credit that is paid out counts by its own method, a refund by `cash_refund`. */
const tillOf = (sums: readonly BookedSum[]): TotalFigures['till'] => {
  const byCash = sums.filter(({ method }) => method === 'cash')
  const taken = amountOf(byCash, 'received') - byCash.reduce((total, { undone }) => total + undone, 0)
  const paid = amountOf(sums, 'cash_refund') + amountOf(byCash, 'credit_paid_out')
  return { in: kwacha(taken), out: kwacha(paid), expected: kwacha(taken - paid) }
}

const kwacha = (amount: number): number => amount / 100

const amountOf = (sums: readonly BookedSum[], ...kinds: BookingKind[]): number =>
  sums.reduce((total, { kind, amount }) => (kinds.includes(kind) ? total + amount : total), 0)
