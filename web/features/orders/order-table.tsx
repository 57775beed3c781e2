import { memo } from 'react'
import type { Order } from '#contracts/ordering'
import { classes } from '../../lib/classes'
import { dayAndMonth, dayName, longDate } from '../../lib/format'
import { schoolClock, schoolDate } from '../../lib/school-moment'
import { Cell, HeadCell, Table, TableBody, TableHead } from '../../ui/table'
import { CancelAction } from './cancel-action'
import { MoneyBack } from './money-back'
import {
  isOff,
  OrderDetails,
  OrderPrice,
  PaidWords,
  PaymentBadge,
  ReceiptLink,
  StatusBadge,
} from './order-words'

export type OrderListProps = {
  label: string
  orders: readonly Order[]
  onCancel: (order: Order) => void
}
export type OrderProps = { order: Order; onCancel: (order: Order) => void }

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

/** The orders of one student from a tablet on, where its nine columns stand close together. */
export const OrderTable = ({ label, orders, onCancel }: OrderListProps) => (
  <Table
    label={label}
    className="max-xl:text-xs max-xl:[&_.badge]:px-1.5 max-xl:[&_.btn]:px-2! max-xl:[&_.btn]:text-xs! max-xl:[&_.btn]:whitespace-normal! max-xl:[&_:is(td,th)]:px-1 max-xl:[&_:is(td,th)]:whitespace-normal max-xl:[&_:is(td,th):first-child]:pl-3 max-xl:[&_:is(td,th):last-child]:pr-3"
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
    <Cell className="pl-6 whitespace-nowrap">
      <time dateTime={order.orderDate}>
        {longDate(schoolDate(order.orderDate))}
        <span className="block text-muted"> at {schoolClock(order.orderDate)}</span>
      </time>
    </Cell>
    <Cell className="font-semibold">
      <span id={`item-${order.id}`}>{order.menuItem.name}</span>
    </Cell>
    <Cell className="whitespace-nowrap">Week {order.weekNumber}</Cell>
    <Cell className="whitespace-nowrap">
      {dayName(order.dayOfWeek)}
      <span className="block text-muted"> {dayAndMonth(order.mealDate)}</span>
    </Cell>
    <Cell>
      <OrderDetails order={order} />
    </Cell>
    <Cell className="text-right font-semibold">
      <OrderPrice order={order} />
    </Cell>
    <Cell>
      <StatusBadge status={order.status} />
    </Cell>
    <Cell>
      <PaymentBadge status={order.paymentStatus} />
      <PaidWords order={order} className="mt-1" />
      <MoneyBack order={order} />
      <ReceiptLink order={order} />
    </Cell>
    <Cell className="pr-6">
      <CancelAction order={order} describedBy={`item-${order.id}`} onCancel={onCancel} />
    </Cell>
  </tr>
))
OrderRow.displayName = 'OrderRow'
