import { Link } from 'react-router-dom'
import type { Order } from '#contracts/ordering'
import { classes } from '../../lib/classes'
import { capitalised, dayAndMonth, dayName, kwacha } from '../../lib/format'
import { payByLabel } from '../../lib/pay-by'
import { paths } from '../../lib/paths'
import { Badge, type Tone } from '../../ui/badge'
import { OldPrice } from '../../ui/old-price'

const statusTones: Record<Order['status'], Tone> = {
  pending: 'warning',
  completed: 'brand',
  cancelled: 'neutral',
  refunded: 'info',
}

/** The day of the meal: "Tuesday, 17 November". */
export const mealDay = (order: Order): string => `${dayName(order.dayOfWeek)}, ${dayAndMonth(order.mealDate)}`

/** Nobody will eat it, and it costs nothing. */
export const isOff = ({ status }: Order): boolean => status === 'cancelled' || status === 'refunded'

export const StatusBadge = ({ status }: { status: Order['status'] }) => (
  <Badge tone={statusTones[status]}>{capitalised(status)}</Badge>
)

const payments: Record<string, readonly [Tone, string]> = {
  confirmed: ['brand', 'confirmed'],
  pending: ['warning', 'pending'],
}

/** Confirmed or pending; anything else is a payment that failed. `named` says that it is the payment. */
export const PaymentBadge = ({ status, named }: { status: string; named?: boolean }) => {
  const [tone, word] = payments[status] ?? ['danger', 'failed']
  return <Badge tone={tone}>{named ? `Payment ${word}` : capitalised(word)}</Badge>
}

const paidWords: Partial<Record<Order['paymentStatus'], string>> = {
  confirmed: 'Paid',
  pending: 'Not paid yet',
}

/** Whether an order that stands is paid, and how; nothing where there is nothing to pay. */
export const PaidWords = ({ order, className }: { order: Order; className?: string }) => {
  const words = paidWords[order.paymentStatus]
  if (isOff(order) || order.discountedPrice === 0 || words === undefined) return null
  return (
    <span className={classes('flex flex-wrap gap-x-1.5 text-xs text-muted', className)}>
      <span className="font-semibold text-ink">{words}</span>
      {order.payBy === null ? null : <span> {payByLabel(order.payBy)}</span>}
    </span>
  )
}

/** Leads to the receipt of its payment. */
export const ReceiptLink = ({ order: { receiptNumber } }: { order: Order }) =>
  receiptNumber === null ? null : (
    <Link
      to={paths.receipt(receiptNumber)}
      className="inline-block self-center py-1 text-xs font-semibold text-brand-700 underline"
    >
      Receipt<span className="sr-only"> {receiptNumber}</span>
    </Link>
  )

/** What was paid, and the price before the discount struck through. */
export const OrderPrice = ({ order }: { order: Order }) => (
  <span className={classes('money', isOff(order) && 'text-muted')}>
    {order.discountedPrice < order.originalPrice ? (
      <OldPrice price={order.originalPrice} className="mr-1.5 text-xs font-normal text-muted" />
    ) : null}
    {kwacha(order.discountedPrice)}
  </span>
)

/** Protein and side, "Chicken · Nshima", and under them the comments. Nothing for a meal without any. */
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
