import type { FamilyHelp } from '#contracts/find'
import type { PayBy } from '#contracts/ordering'
import { decimalFromNgwee, type Ngwee } from '#kernel/money'
import { clockTime, longDay, schoolMoment } from '#kernel/school-time'
import type { OrderFacts } from '#modules/ordering/index'
import type { FamilyAttempt } from '#modules/payments/index'
import type { RefundRow } from '#modules/refunds/index'

export type WholePayment = { payment: FamilyAttempt; orders: OrderFacts[]; refunds: RefundRow[] }

type Clock = { now: Date; zone: string }

export const paymentText = (whole: WholePayment, clock: Clock): string => {
  const { payment } = whole
  switch (payment.shown.kind) {
    case 'card':
      return cardText(whole, clock)
    case 'alternative':
      return transferText(whole, clock)
    case 'free':
      return wasRefused(payment)
        ? 'Nothing was ordered: a day or a portion was taken in the meantime'
        : `Nothing to pay, ${mealsOf(payment.meals)}`
  }
}

const wasRefused = ({ shown: { state } }: FamilyAttempt): boolean =>
  state === 'refused' || state === 'releasing'

const cardText = (whole: WholePayment, clock: Clock): string => {
  const { payment } = whole
  const since = timeOf(payment.since, clock)
  const asked = kwacha(payment.toPay)
  const way = wayOf(payment)
  switch (payment.shown.state) {
    case 'draft':
    case 'initiated':
      return `${asked} to be paid ${way} since ${since}, nothing was taken yet`
    case 'processing':
      return `${asked} ${way} is being checked with the card provider since ${since}`
    case 'recovering':
      return `${asked} ${way} is being checked again since ${since}`
    case 'declined':
      return `Declined at ${since}, nothing was taken`
    case 'cancelled':
    case 'abandoned':
      return `Given up at ${since}, nothing was taken`
    case 'expired':
      return `Not paid in time, given up at ${since}, nothing was taken`
    case 'create_failed':
      return `The card provider opened no payment page at ${since}, nothing was taken`
    case 'review':
      return `${receivedOf(payment)} came in ${way} instead of ${asked} at ${since}: somebody has to decide`
    default:
      return paidText(whole, clock)
  }
}

const wayOf = ({ shown }: FamilyAttempt): string => payByText[shown.payBy ?? 'card']

const receivedOf = ({ shown: { receivedAmount }, received }: FamilyAttempt): string =>
  receivedAmount === null ? 'An unknown amount' : kwacha(received)

const paidText = ({ payment, refunds }: WholePayment, clock: Clock): string => {
  const { notOrdered, meals } = payment
  const since = timeOf(payment.since, clock)
  const paid = `Paid ${kwacha(payment.received)} ${wayOf(payment)}`
  if (payment.shown.state === 'paid') return `${paid}, the orders are being made`
  if (notOrdered === 0) return `${paid}, ${mealsOf(meals)}${goneBack(refunds, clock)}`
  const lost = `Paid, ${mealsOf(notOrdered)} could not be made`
  if (payment.shown.state === 'blocked') return `${lost} since ${since}: somebody has to decide`
  return `${lost}${goneBack(refunds, clock) || `: ${kwacha(payment.owed)} owed back since ${since}`}`
}

const transferText = ({ payment, orders, refunds }: WholePayment, clock: Clock): string => {
  if (wasRefused(payment)) return 'Nothing was ordered: a day or a portion was taken in the meantime'
  const way = payByText[payment.shown.payBy ?? 'other']
  const unpaid = orders.filter(isUnpaid)
  const lapsed = orders.filter((order) => order.lapsed)
  const confirmed = orders.filter(({ paymentStatus }) => paymentStatus === 'confirmed')
  const paid = confirmed.filter((order) => moneyIn([order]) > 0)
  const free = confirmed.length - paid.length
  const parts = [
    ...(paid.length > 0
      ? [
          `Paid ${kwacha(moneyIn(paid))} ${way}${unproven(paid)}, ${mealsOf(paid.length)}${goneBack(refunds, clock)}`,
        ]
      : []),
    ...(unpaid.length > 0
      ? [
          `${kwacha(moneyIn(unpaid))} ${way} not paid yet, ${mealsOf(unpaid.length)}, reference ${payment.shown.reference}`,
        ]
      : []),
    ...(free > 0 ? [`nothing to pay for ${mealsOf(free)}`] : []),
    ...(lapsed.length > 0
      ? [`${mealsOf(lapsed.length)} cancelled: ${kwacha(moneyIn(lapsed))} was not paid in time`]
      : []),
  ]
  return parts.length > 0
    ? capitalized(parts.join('; '))
    : 'All meals were cancelled before anything was paid'
}

/** A manual verification without a transaction id is refunded as credit only (paying-and-books section 2). */
const unproven = (paid: readonly OrderFacts[]): string => {
  const byHand = paid.filter(({ paidByHand }) => paidByHand)
  if (byHand.length === 0) return ''
  return byHand.length === paid.length ? ' (by hand, no id)' : ` (${kwacha(moneyIn(byHand))} by hand, no id)`
}

const goneBack = (refunds: readonly RefundRow[], clock: Clock): string => {
  const owed = refunds.filter((refund) => refund.owed > 0)
  const oldest = Math.min(...owed.map(({ due_since }) => new Date(due_since).getTime()))
  const done = refunds.flatMap(({ paid_back_at }) => (paid_back_at === null ? [] : [new Date(paid_back_at)]))
  const newest = Math.max(...done.map((at) => at.getTime()))
  const at = done.length > 0 ? ` at ${timeOf(new Date(newest), clock)}` : ''
  const money = refunds.map((refund) => refund.amount - refund.owed - refund.as_credit)
  const credit = refunds.map((refund) => refund.as_credit)
  const gone = [
    [money, 'paid back'],
    [credit, 'given as credit'],
  ] as const
  const parts = [
    ...(owed.length > 0
      ? [`${sumOf(owed.map((one) => one.owed))} owed back since ${timeOf(new Date(oldest), clock)}`]
      : []),
    ...gone.flatMap(([amounts, how]) =>
      amounts.some((amount) => amount > 0) ? [`${sumOf(amounts)} ${how}${at}`] : [],
    ),
  ]
  return parts.length > 0 ? `: ${parts.join(', ')}` : ''
}

const sumOf = (amounts: readonly Ngwee[]): string => kwacha(amounts.reduce((sum, amount) => sum + amount, 0))

export const isUnpaid = ({ status, paymentStatus, price, credit }: OrderFacts): boolean =>
  paymentStatus === 'pending' && (status === 'pending' || status === 'completed') && price > credit

export const moneyIn = (orders: readonly OrderFacts[]): Ngwee =>
  orders.reduce((sum, { price, credit }) => sum + price - credit, 0)

const payByText: Record<PayBy, string> = {
  card: 'by card',
  airtel: 'by Airtel',
  mtn: 'by MTN',
  bank: 'by bank transfer',
  cash: 'in cash',
  other: 'by mobile money or bank',
}

const kwacha = (amount: Ngwee): string => `K${decimalFromNgwee(amount)}`
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const mealsOf = (count: number): string => (count === 1 ? 'one meal' : `${count} meals`)

/** `06:39`, with the day if it is another. */
const timeOf = (at: Date, { now, zone }: Clock): string => {
  const moment = schoolMoment(at, zone)
  const time = clockTime(moment)
  return moment.date === schoolMoment(now, zone).date ? time : `${time} on ${longDay(moment.date)}`
}

const days = 24 * 3_600_000
const newsForMs = 7 * days
const maxSentences = 10

export const statusOf = (payments: readonly WholePayment[], clock: Clock): string[] => {
  const matters = (whole: WholePayment, place: number) =>
    place === 0 || helpFor(whole) !== null || clock.now.getTime() - whole.payment.since.getTime() < newsForMs
  return payments
    .filter(matters)
    .slice(0, maxSentences)
    .map((whole) => paymentText(whole, clock))
}

/** What was not taken back: spent, paid back, or the child has another lunch. */
export const eatenThoughCancelled = (
  orders: readonly Pick<
    OrderFacts,
    'student' | 'mealDate' | 'status' | 'paymentStatus' | 'price' | 'handedOut'
  >[],
): string[] =>
  orders
    .filter(({ status, handedOut }) => handedOut && (status === 'cancelled' || status === 'refunded'))
    .filter(({ paymentStatus, price }) => paymentStatus === 'confirmed' && price > 0)
    .map(
      ({ price, ...order }) =>
        `${lunchOf(order)} was handed out after it had been cancelled: its ${kwacha(price)} is not taken back`,
    )

export const eatenWhileIll = (
  orders: readonly Pick<OrderFacts, 'id' | 'student' | 'mealDate'>[],
  spent: readonly { orderId: string; given: Ngwee; spent: Ngwee }[],
): string[] =>
  spent.flatMap((credit) => {
    const order = orders.find(({ id }) => id === credit.orderId)
    if (!order) return []
    return [
      `${lunchOf(order)} was handed out after it had been reported ill: ${kwacha(credit.spent)} of the ${kwacha(credit.given)} credit for that has been spent`,
    ]
  })

const lunchOf = ({ student, mealDate }: Pick<OrderFacts, 'student' | 'mealDate'>): string =>
  `${student.name}'s lunch of ${longDay(mealDate)}`

export const helpOf = (payments: readonly WholePayment[]): FamilyHelp | null =>
  payments.map(helpFor).find((help) => help !== null) ?? null

const helpFor = ({ payment, orders, refunds }: WholePayment): FamilyHelp | null => {
  const { reference, kind, state } = payment.shown
  if (payment.mayAccept) return { what: 'judge', about: reference }
  if (state === 'blocked') return { what: 'retry', about: reference }
  if (kind === 'card' && (state === 'processing' || state === 'recovering' || state === 'initiated'))
    return { what: 'ask', about: reference }
  if (kind === 'alternative' && orders.some(isUnpaid)) return { what: 'verify', about: reference }
  const [due] = refunds.filter(({ owed }) => owed > 0)
  return due ? { what: 'refund', about: due.id } : null
}
