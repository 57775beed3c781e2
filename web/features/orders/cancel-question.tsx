import type { Order } from '#contracts/ordering'
import { kwacha } from '../../lib/format'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { mealDay } from './order-words'

type CancelQuestionProps = { order: Order; busy: boolean; onCancel: () => void; onKeep: () => void }

/** Asks before an order is cancelled, and says what becomes of the meal and of the money. */
export const CancelQuestion = ({ order, busy, onCancel, onKeep }: CancelQuestionProps) => (
  <ConfirmDialog
    open
    title="Cancel this order?"
    confirm="Cancel Order"
    cancel="Keep Order"
    danger
    busy={busy}
    onConfirm={onCancel}
    onClose={onKeep}
  >
    <strong className="block font-semibold text-ink">
      {order.menuItem.name} for {order.student.name}
    </strong>
    <span className="block">{mealDay(order)}</span>
    <span className="mt-2 block">{consequence(order)}</span>
  </ConfirmDialog>
)

const consequence = ({ discountedPrice, paymentStatus }: Order): string => {
  if (discountedPrice === 0) return 'The meal will not be prepared. There is nothing to pay back.'
  const price = kwacha(discountedPrice)
  return paymentStatus === 'confirmed'
    ? `The meal will not be prepared, and your ${price} becomes due for refund: in cash within 1 hour at the canteen, or by mobile money in 3-5 business days.`
    : `The meal will not be prepared. If you have already paid its ${price}, contact the tuckshop.`
}
