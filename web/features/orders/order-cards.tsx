import { memo } from 'react'
import { classes } from '../../lib/classes'
import { longDate } from '../../lib/format'
import { dateAndTime, schoolClock, schoolDate } from '../../lib/school-moment'
import { CancelAction } from './cancel-action'
import { MoneyBack } from './money-back'
import type { OrderListProps, OrderProps } from './order-table'
import {
  isOff,
  mealDay,
  OrderDetails,
  OrderPrice,
  PaidWords,
  PaymentBadge,
  ReceiptLink,
  StatusBadge,
} from './order-words'

/** The orders of one student on a phone: a card per order, two side by side on a tablet. */
export const OrderCards = ({ label, orders, onCancel }: OrderListProps) => (
  <ul aria-label={label} className="grid grid-cols-1 gap-px bg-line sm:grid-cols-2">
    {orders.map((order) => (
      <OrderCard key={order.id} order={order} onCancel={onCancel} />
    ))}
  </ul>
)

const OrderCard = memo(({ order, onCancel }: OrderProps) => (
  <li
    tabIndex={-1}
    data-order={order.id}
    className={classes(
      'flex flex-col gap-1 bg-surface px-4 py-3 text-sm sm:px-6 sm:last:odd:col-span-2',
      isOff(order) && 'text-muted',
    )}
  >
    <p className="text-xs font-semibold text-muted">
      {mealDay(order)} · Week {order.weekNumber}
    </p>
    <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-base font-semibold">
      <span id={`item-${order.id}`} className="min-w-0 flex-1 basis-[8rem] wrap-anywhere">
        {order.menuItem.name}
      </span>
      <OrderPrice order={order} />
    </p>
    <p>
      <OrderDetails order={order} />
    </p>
    <p className="mt-0.5 flex flex-wrap gap-1.5">
      <span>
        <span className="sr-only">Status </span>
        <StatusBadge status={order.status} />
      </span>
      <PaymentBadge status={order.paymentStatus} named />
      <PaidWords order={order} className="self-center" />
      <MoneyBack order={order} />
      <ReceiptLink order={order} />
    </p>
    <div className="flex flex-wrap items-center justify-between gap-x-3 text-xs text-muted">
      <Placed order={order} />
      <CancelAction order={order} describedBy={`item-${order.id}`} onCancel={onCancel} />
    </div>
  </li>
))
OrderCard.displayName = 'OrderCard'

/** The time alone on the day of the order itself, else with its date. */
const untilWords = ({ orderDate, cancellableUntil }: OrderProps['order']): string =>
  schoolDate(cancellableUntil) === schoolDate(orderDate)
    ? schoolClock(cancellableUntil)
    : dateAndTime(cancellableUntil)

/** The hour of placing an order matters only while it can be cancelled. */
const Placed = ({ order }: Omit<OrderProps, 'onCancel'>) => {
  const day = longDate(schoolDate(order.orderDate))
  if (!order.allowed.cancel) return <time dateTime={order.orderDate}>Ordered {day}</time>
  return (
    <>
      <time dateTime={order.orderDate} className="w-full">
        Ordered {day} at {schoolClock(order.orderDate)}
      </time>
      <span className="flex-1">Can be cancelled until {untilWords(order)}</span>
    </>
  )
}
