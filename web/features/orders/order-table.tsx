import type { Order } from '#contracts/ordering'
import { dayName } from '../../lib/format'
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
      <li key={order.id} className="flex flex-col gap-2 px-4 py-4">
        <div className="flex items-start justify-between gap-3">
          <div className="min-w-0">
            <p className="font-semibold break-words">{order.menuItem.name}</p>
            <p className="text-sm text-muted">
              Week {order.weekNumber}, {dayName(order.dayOfWeek)}
            </p>
          </div>
          <p className="font-semibold">
            <OrderPrice order={order} />
          </p>
        </div>
        <p className="text-sm">
          <OrderDetails order={order} />
        </p>
        <p className="text-xs text-muted">Ordered {dateAndTime(order.orderDate)}</p>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
            <span>
              Status <StatusBadge status={order.status} />
            </span>
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
