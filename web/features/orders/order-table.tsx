import type { Order } from '#contracts/ordering'
import { dayAndMonth, dayName } from '../../lib/format'
import { dateAndTime } from '../../lib/school-moment'
import { Cell, HeadCell, Table, TableBody, TableHead } from '../../ui/table'
import { CancelAction } from './cancel-action'
import { OrderDetails, OrderPrice, PaymentBadge, StatusBadge } from './order-words'

type OrderListProps = { label: string; orders: readonly Order[]; onCancel: (order: Order) => void }

const columns = ['Order Date', 'Menu Item', 'Week', 'Day', 'Details', 'Price', 'Status', 'Payment', 'Actions']

/** The orders of one student on a wide screen. */
export const OrderTable = ({ label, orders, onCancel }: OrderListProps) => (
  <Table label={label}>
    <TableHead>
      <tr>
        {columns.map((column) => (
          <HeadCell key={column}>{column}</HeadCell>
        ))}
      </tr>
    </TableHead>
    <TableBody>
      {orders.map((order) => (
        <tr key={order.id}>
          <Cell>
            <time dateTime={order.orderDate}>{dateAndTime(order.orderDate)}</time>
          </Cell>
          <Cell className="font-semibold">{order.menuItem.name}</Cell>
          <Cell className="whitespace-nowrap">Week {order.weekNumber}</Cell>
          <Cell>{dayName(order.dayOfWeek)}</Cell>
          <Cell>
            <OrderDetails order={order} />
          </Cell>
          <Cell>
            <OrderPrice order={order} />
          </Cell>
          <Cell>
            <StatusBadge status={order.status} />
          </Cell>
          <Cell>
            <PaymentBadge status={order.paymentStatus} />
          </Cell>
          <Cell>
            <CancelAction order={order} onCancel={onCancel} />
          </Cell>
        </tr>
      ))}
    </TableBody>
  </Table>
)

/** The same on a phone: a card per order. */
export const OrderCards = ({ label, orders, onCancel }: OrderListProps) => (
  <ul aria-label={label} className="divide-y divide-line">
    {orders.map((order) => (
      <li key={order.id} className="flex flex-col gap-1 px-4 py-3">
        <div className="flex items-baseline justify-between gap-3 font-semibold">
          <p className="min-w-0 break-words">{order.menuItem.name}</p>
          <p>
            <OrderPrice order={order} />
          </p>
        </div>
        <p className="text-sm text-muted">
          <span>
            Week {order.weekNumber}, {dayName(order.dayOfWeek)}
          </span>
          {` · ${dayAndMonth(order.mealDate)}`}
        </p>
        <p className="text-sm">
          <OrderDetails order={order} inline />
        </p>
        <p className="text-xs text-muted">Ordered {dateAndTime(order.orderDate)}</p>
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
            <span className="sr-only">Status </span>
            <StatusBadge status={order.status} />
            <span>
              Payment <PaymentBadge status={order.paymentStatus} />
            </span>
          </span>
          <CancelAction order={order} onCancel={onCancel} />
        </div>
      </li>
    ))}
  </ul>
)
