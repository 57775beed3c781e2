import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import type { Credit } from '#contracts/credit'
import type { ReplyOf } from '#contracts/endpoint'
import type { Order } from '#contracts/ordering'
import type { ownRefunds } from '#contracts/refunds'
import { classes } from '../../lib/classes'
import { capitalised, dayAndMonth, dayName, kwacha, payByLabel } from '../../lib/format'
import { paths } from '../../lib/paths'
import { dateAndTime, schoolClock } from '../../lib/school-moment'
import { creditQuery } from '../../queries/ordering'
import { Badge, type Tone, OldPrice } from '../../ui/badge'
import { refundsQuery } from './api'

const statusTones: Record<Order['status'], Tone> = {
  pending: 'warning',
  completed: 'brand',
  cancelled: 'neutral',
  refunded: 'info',
}

/** The day of the meal: "Tuesday, 17 November". */
export const mealDay = (order: Order): string => `${dayName(order.dayOfWeek)}, ${dayAndMonth(order.mealDate)}`

/** "Stew for Chanda on Tuesday, 17 November". */
export const mealOf = (order: Order): string =>
  `${order.menuItem.name} for ${order.student.name} on ${mealDay(order)}`

export const isOff = ({ status }: Order): boolean => status === 'cancelled' || status === 'refunded'

export const StatusBadge = ({ status }: { status: Order['status'] }) => (
  <Badge tone={statusTones[status]}>{capitalised(status)}</Badge>
)

/** As the hatch marked it. A problem says nothing of whether it was eaten. */
export const GivenText = ({ order: { given }, className }: { order: Order; className?: string }) =>
  given === null || given.state === 'problem' ? null : (
    <span className={classes('text-xs font-semibold text-ink', className)}>
      {given.state === 'given' ? `Given at ${schoolClock(given.at)}` : 'Not collected'}
    </span>
  )

const payments: Record<string, readonly [Tone, string]> = {
  confirmed: ['brand', 'confirmed'],
  pending: ['warning', 'pending'],
}

/** Other values are failed payments. `named` adds the word payment. */
export const PaymentBadge = ({ status, named }: { status: string; named?: boolean }) => {
  const [tone, word] = payments[status] ?? ['danger', 'failed']
  return <Badge tone={tone}>{named ? `Payment ${word}` : capitalised(word)}</Badge>
}

/** The one thing to know of an order. */
export const OneBadge = ({ order }: { order: Order }) => {
  const { status, absent, given, discountedPrice, paymentStatus } = order
  if (isOff(order)) return <StatusBadge status={status} />
  if (absent) return <Badge tone="info">Ill</Badge>
  if (given?.state === 'given') return <Badge tone="brand">Given {schoolClock(given.at)}</Badge>
  if (given?.state === 'absent') return <Badge>Not collected</Badge>
  if (discountedPrice === 0) return <Badge tone="brand">Free</Badge>
  return paymentStatus === 'confirmed' ? (
    <Badge tone="brand">Paid</Badge>
  ) : (
    <PaymentBadge status={paymentStatus} named />
  )
}

const paidText: Partial<Record<Order['paymentStatus'], string>> = {
  confirmed: 'Paid',
  pending: 'Not paid yet',
}

/** Nothing for free meals. */
export const PaidText = ({ order, className }: { order: Order; className?: string }) => {
  const words = paidText[order.paymentStatus]
  if (isOff(order) || order.discountedPrice === 0 || words === undefined) return null
  return (
    <span className={classes('flex flex-wrap gap-x-1.5 text-xs text-muted', className)}>
      <span className="font-semibold text-ink">{words}</span>
      {order.payBy === null ? null : <span> {payByLabel(order.payBy)}</span>}
    </span>
  )
}

export const ReceiptLink = ({ order: { receiptNumber } }: { order: Order }) =>
  receiptNumber === null ? null : (
    <Link
      to={paths.receipt(receiptNumber)}
      className="inline-block self-center py-1 text-xs font-semibold text-brand-700 underline"
    >
      Receipt<span className="sr-only"> {receiptNumber}</span>
    </Link>
  )

export const OrderPrice = ({ order }: { order: Order }) => (
  <span className={classes('money', isOff(order) && 'text-muted')}>
    {order.discountedPrice < order.originalPrice ? (
      <OldPrice price={order.originalPrice} className="mr-1.5 text-xs font-normal text-muted" />
    ) : null}
    {kwacha(order.discountedPrice)}
  </span>
)

export const OrderDetails = ({ order }: { order: Order }) => {
  const choices = [order.category, order.sideDish].filter((name) => name !== null && name !== '')
  return (
    <>
      {choices.length > 0 ? (
        <span className="block first-letter:uppercase">{choices.join('\u00a0· ')}</span>
      ) : null}
      {order.comments ? (
        <span className="block wrap-anywhere text-muted italic">“{order.comments}”</span>
      ) : null}
    </>
  )
}

type Refunds = ReplyOf<typeof ownRefunds>['data']

/** State of a refund; nothing while unknown. */
export const MoneyBack = ({ order }: { order: Order }) => {
  const isAsked = isOff(order) && order.paymentStatus === 'confirmed'
  const refunds = useQuery({ ...refundsQuery, enabled: isAsked }).data?.data
  const credit = useQuery({ ...creditQuery, enabled: isAsked }).data?.entries
  if (!isAsked) return null
  const words = [...refundText(refunds ?? [], order), ...creditText(credit ?? [], order)]
  return words.length === 0 ? null : (
    <ul className="w-full text-xs">
      {words.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

const refundText = (refunds: Refunds, { id }: Order): string[] =>
  refunds.filter(({ orderId }) => orderId === id).flatMap(refundWords)

/** Credit tells its own part. */
export const refundWords = ({
  amount,
  owed,
  paidBack: part,
  dueSince,
  doneAt,
  asCredit,
}: Refunds[number]): string[] => {
  const paidBack = part ?? (doneAt === null || asCredit ? 0 : amount)
  const on = doneAt === null ? '' : ` on ${dateAndTime(doneAt)}`
  const still = paidBack > 0 ? 'still ' : ''
  return [
    ...(paidBack > 0 ? [`${kwacha(paidBack)} was paid back${on}`] : []),
    ...(owed > 0 ? [`${kwacha(owed)} is ${still}owed back to you since ${dateAndTime(dueSince)}`] : []),
  ]
}

const givenFor: ReadonlySet<string> = new Set(['cancelled', 'closed'])

/** Since the last cancellation; entries come newest first. */
const creditText = (entries: Credit['entries'], { id }: Order): string[] => {
  const own = entries.filter(({ about }) => about.orderId === id)
  const reopened = own.findIndex(({ kind }) => kind === 'takenBack')
  return own
    .slice(0, reopened === -1 ? own.length : reopened)
    .filter(({ kind }) => givenFor.has(kind))
    .map(({ amount, at }) => `${kwacha(amount)} became your credit on ${dateAndTime(at)}`)
}
