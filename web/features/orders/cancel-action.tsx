import type { Order } from '#contracts/ordering'
import { Button } from '../../ui/button'
import { FamilyActs } from './family-acts'
import { isOff } from './order-words'

type CancelActionProps = {
  order: Order
  /** The id of what names the order, for screen readers. */
  describedBy: string
  onCancel: (order: Order) => void
}

/** What can be done to an order. What cannot be is said quietly. */
export const CancelAction = ({ order, describedBy, onCancel }: CancelActionProps) => {
  if (isOff(order)) return <span className="text-muted">Order cancelled</span>
  return (
    <span className="flex flex-wrap items-center gap-2">
      <FamilyActs order={order} describedBy={describedBy} />
      {order.allowed.cancel ? (
        <Button
          variant="secondary"
          aria-describedby={describedBy}
          className="px-3! text-sm! whitespace-nowrap"
          onClick={() => onCancel(order)}
        >
          Cancel Order
        </Button>
      ) : (
        <button type="button" disabled className="text-left text-muted">
          Cannot cancel
        </button>
      )}
    </span>
  )
}
