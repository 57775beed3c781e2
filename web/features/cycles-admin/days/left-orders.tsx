import type { Closure } from '../api'
import { counted } from '../../../lib/format'

type LeftOrdersProps = { title: string; orders: Closure['skipped'] }

/** The orders that an act did not reach, gathered by why. Nothing where it reached all. */
export const LeftOrders = ({ title, orders }: LeftOrdersProps) =>
  orders.length === 0 ? null : (
    <section aria-label={title} className="w-full">
      <h3 className="text-sm font-semibold">{title}</h3>
      <ul className="flex flex-col gap-1 text-sm">
        {byMessage(orders).map(({ message, left }) => (
          <li key={message}>
            <details>
              <summary className="cursor-pointer py-1">{`${counted(left.length, 'order')}: ${message}`}</summary>
              <p className="text-xs break-words text-muted">
                {left.map(({ orderId }) => orderId).join(', ')}
              </p>
            </details>
          </li>
        ))}
      </ul>
    </section>
  )

const byMessage = (orders: Closure['skipped']) =>
  [...new Set(orders.map(({ message }) => message))].map((message) => ({
    message,
    left: orders.filter((order) => order.message === message),
  }))
