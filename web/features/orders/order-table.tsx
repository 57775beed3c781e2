import { memo, useId, useState } from 'react'
import type { Order } from '#contracts/ordering'
import { classes } from '../../lib/classes'
import { dayAndMonth, longDate, shortDate, shortDay, weekdayOf } from '../../lib/format'
import { schoolClock, schoolDate, dateAndTime } from '../../lib/school-moment'
import { Icon } from '../../ui/icon'
import { Cell, HeadCell, Table, TableBody, TableHead } from '../../ui/table'
import { AbsenceText, CancelAction } from './family-actions'
import {
  GivenText,
  OneBadge,
  MoneyBack,
  isOff,
  OrderDetails,
  OrderPrice,
  PaidText,
  PaymentBadge,
  ReceiptLink,
  StatusBadge,
  mealDay,
} from './order-text'

type OrderListProps = {
  label: string
  orders: readonly Order[]
  onCancel: (order: Order) => void
}
type OrderProps = { order: Order; onCancel: (order: Order) => void }

const columns = [
  { label: 'Order Date', className: 'pl-6' },
  { label: 'Menu Item' },
  { label: 'Week' },
  { label: 'Day' },
  { label: 'Details' },
  { label: 'Price', className: 'text-right' },
  { label: 'Status' },
  { label: 'Payment' },
  { label: 'Actions', className: 'pr-6' },
]

/** From tablet width on. */
export const OrderTable = ({ label, orders, onCancel }: OrderListProps) => (
  <Table
    label={label}
    className="max-xl:text-xs max-xl:[&_.badge]:px-1.5 max-xl:[&_.btn]:px-2! max-xl:[&_.btn]:text-xs! max-xl:[&_:is(td,th)]:px-1 max-xl:[&_:is(td,th)]:whitespace-normal max-xl:[&_:is(td,th):first-child]:pl-3 max-xl:[&_:is(td,th):last-child]:pr-3"
  >
    <TableHead>
      <tr>
        {columns.map((column) => (
          <HeadCell key={column.label} className={column.className}>
            {column.label}
          </HeadCell>
        ))}
      </tr>
    </TableHead>
    <TableBody>
      {orders.map((order) => (
        <OrderRow key={order.id} order={order} onCancel={onCancel} />
      ))}
    </TableBody>
  </Table>
)

const OrderRow = memo(({ order, onCancel }: OrderProps) => (
  <tr tabIndex={-1} data-order={order.id} className={classes(isOff(order) && 'text-muted')}>
    <Cell className="pl-6 xl:whitespace-nowrap!">
      <time dateTime={order.orderDate}>
        {shortDate(schoolDate(order.orderDate))}
        <span className="block text-muted">
          <span className="max-xl:sr-only"> at </span>
          {schoolClock(order.orderDate)}
        </span>
      </time>
    </Cell>
    <Cell className="font-semibold">
      <span id={`item-${order.id}`}>{order.menuItem.name}</span>
    </Cell>
    <Cell className="whitespace-nowrap!">
      <span className="max-xl:sr-only">Week </span>
      {order.weekNumber}
    </Cell>
    <Cell className="whitespace-nowrap!">{shortDay(order.mealDate)}</Cell>
    <Cell>
      <OrderDetails order={order} />
    </Cell>
    <Cell className="text-right font-semibold">
      <OrderPrice order={order} />
    </Cell>
    <Cell>
      <StatusBadge status={order.status} />
      <GivenText order={order} className="block" />
    </Cell>
    <Cell>
      <PaymentBadge status={order.paymentStatus} />
      <div className="flex flex-wrap items-center gap-x-1.5">
        <PaidText order={order} />
        <ReceiptLink order={order} />
        <MoneyBack order={order} />
      </div>
    </Cell>
    <Cell className="pr-6">
      <CancelAction order={order} describedBy={`item-${order.id}`} onCancel={onCancel} />
    </Cell>
  </tr>
))
OrderRow.displayName = 'OrderRow'

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
      <GivenText order={order} className="self-center" />
      <PaymentBadge status={order.paymentStatus} named />
      <PaidText order={order} className="self-center" />
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

/** Of all children by day, on a phone: a line each, what can be done behind a press. */
export const ComingMeals = ({ label, orders, onCancel }: OrderListProps) => {
  const days = [...new Set(orders.map(({ mealDate }) => mealDate))]
  const isAlone = new Set(orders.map(({ studentId }) => studentId)).size === 1
  return (
    <ul aria-label={label} className="text-sm">
      {days.map((date) => (
        <li key={date} className="border-t border-line">
          <p className="bg-sand-50 px-4 py-1 text-xs font-semibold text-muted sm:px-6">
            {weekdayOf(date)}, {dayAndMonth(date)}
          </p>
          <ul className="divide-y divide-line">
            {orders
              .filter(({ mealDate }) => mealDate === date)
              .map((order) => (
                <ComingMeal key={order.id} order={order} isAlone={isAlone} onCancel={onCancel} />
              ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

const ComingMeal = memo(({ order, isAlone, onCancel }: OrderProps & { isAlone: boolean }) => {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <li tabIndex={-1} data-order={order.id} className={classes(isOff(order) && 'text-muted')}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-more` : undefined}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-11 w-full items-center gap-2 px-4 py-1 text-left hover:bg-sand-50 sm:px-6"
      >
        <span
          id={id}
          className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2 leading-tight break-words"
        >
          {isAlone ? null : <span className="text-muted">{order.student.name} </span>}
          <span className="font-semibold">{order.menuItem.name}</span>
        </span>{' '}
        <OneBadge order={order} />
        <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} size="sm" />
      </button>
      {isOpen ? (
        <div id={`${id}-more`} className="flex flex-col gap-1.5 px-4 pb-3 sm:px-6">
          <div className="flex flex-wrap justify-between gap-x-3">
            <p>
              <OrderDetails order={order} />
            </p>
            <OrderPrice order={order} />
          </div>
          <p className="flex flex-wrap gap-1.5 empty:hidden">
            <PaidText order={order} />
            <MoneyBack order={order} />
            <ReceiptLink order={order} />
          </p>
          <AbsenceText order={order} />
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-xs text-muted">
            <Placed order={order} />
            <CancelAction order={order} describedBy={id} onCancel={onCancel} />
          </div>
        </div>
      ) : null}
    </li>
  )
})
ComingMeal.displayName = 'ComingMeal'

/** Adds the date unless it is the order's own. */
const untilText = ({ orderDate, cancellableUntil }: OrderProps['order']): string =>
  schoolDate(cancellableUntil) === schoolDate(orderDate)
    ? schoolClock(cancellableUntil)
    : dateAndTime(cancellableUntil)

/** The time matters only while it can be cancelled. */
const Placed = ({ order }: Omit<OrderProps, 'onCancel'>) => {
  const day = longDate(schoolDate(order.orderDate))
  if (!order.allowed.cancel) return <time dateTime={order.orderDate}>Ordered {day}</time>
  return (
    <>
      <time dateTime={order.orderDate} className="w-full">
        Ordered {day} at {schoolClock(order.orderDate)}
      </time>
      <span className="flex-1">Can be cancelled until {untilText(order)}</span>
    </>
  )
}
