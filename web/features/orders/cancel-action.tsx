import type { Order } from '#contracts/ordering'
import { Button } from '../../ui/button'

/** What can be done to an order, as the server says. */
export const CancelAction = ({ order, onCancel }: { order: Order; onCancel: (order: Order) => void }) => {
  if (order.status === 'cancelled' || order.status === 'refunded')
    return <span className="text-sm text-muted">Order cancelled</span>
  return (
    <Button
      variant={order.allowed.cancel ? 'secondary' : 'ghost'}
      size="sm"
      className={order.allowed.cancel ? undefined : '-mx-3'}
      disabled={!order.allowed.cancel}
      onClick={() => onCancel(order)}
    >
      {order.allowed.cancel ? 'Cancel Order' : 'Cannot cancel'}
    </Button>
  )
}
