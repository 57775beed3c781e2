import type { Order } from '#contracts/ordering'
import { kwacha } from '../../lib/format'
import { Badge } from '../../ui/badge'
import type { Tone } from '../../ui/badge'

const statusTones: Record<Order['status'], Tone> = {
  pending: 'warning',
  completed: 'brand',
  cancelled: 'neutral',
  refunded: 'info',
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

export const StatusBadge = ({ status }: { status: Order['status'] }) => (
  <Badge tone={statusTones[status]}>{capital(status)}</Badge>
)

/** Confirmed or pending; anything else is a payment that failed. */
export const PaymentBadge = ({ status }: { status: string }) => {
  if (status === 'confirmed') return <Badge tone="brand">Confirmed</Badge>
  if (status === 'pending') return <Badge tone="warning">Pending</Badge>
  return <Badge tone="danger">Failed</Badge>
}

/** What was paid, and the price before the discount struck through. */
export const OrderPrice = ({ order }: { order: Order }) => (
  <span className="money">
    {order.discountedPrice < order.originalPrice ? (
      <s className="mr-1.5 text-muted">
        <span className="sr-only">Instead of </span>
        {kwacha(order.originalPrice)}
      </s>
    ) : null}
    {kwacha(order.discountedPrice)}
  </span>
)

/** Protein, side and comments; each on its line, or protein and side on one. */
export const OrderDetails = ({ order, inline = false }: { order: Order; inline?: boolean }) => {
  const chosen = [order.category, order.sideDish].flatMap((name) => (name ? [name] : []))
  return (
    <>
      {(inline && chosen.length > 0 ? [chosen.join(' · ')] : chosen).map((words) => (
        <span key={words} className="block first-letter:uppercase">
          {words}
        </span>
      ))}
      {order.comments ? (
        <span className="block break-words text-muted italic">“{order.comments}”</span>
      ) : null}
    </>
  )
}
