import { useQuery } from '@tanstack/react-query'
import type { Order } from '#contracts/ordering'
import { kwacha } from '../../lib/format'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { rulesQuery } from './api'
import { mealDay } from './order-words'
import { useCancelling } from './use-cancelling'

/** Asks before an order is cancelled, of a list that was read at `readAt`; `question` is to be drawn. */
export const useCancelQuestion = (as: 'parent' | 'teacher', readAt: number) => {
  const rules = useQuery(rulesQuery)
  const { asked, ask, keep, cancel, busy } = useCancelling(as)
  const question = asked ? (
    <CancelQuestion
      order={asked}
      asCredit={rules.data?.lateRemedy === 'credit' && !goesBackAsPaid(asked, readAt)}
      busy={busy}
      onCancel={cancel}
      onKeep={keep}
    />
  ) : null
  return { ask, question }
}

/** Whether its money goes back as it was paid if it is cancelled now, as the server said at `readAt`. */
const goesBackAsPaid = ({ allowed }: Order, readAt: number) =>
  allowed.asPaidForMs !== undefined && Date.now() <= readAt + allowed.asPaidForMs

type CancelQuestionProps = {
  order: Order
  /** What was paid becomes family credit. */
  asCredit: boolean
  busy: boolean
  onCancel: () => void
  onKeep: () => void
}

/** Asks before an order is cancelled, and says what becomes of the meal and of the money. */
const CancelQuestion = ({ order, asCredit, busy, onCancel, onKeep }: CancelQuestionProps) => (
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
    <span className="mt-2 block">{consequence(order, asCredit)}</span>
  </ConfirmDialog>
)

const consequence = ({ discountedPrice, paymentStatus }: Order, asCredit: boolean): string => {
  if (discountedPrice === 0) return 'The meal will not be prepared. There is nothing to pay back.'
  const price = kwacha(discountedPrice)
  if (paymentStatus === 'confirmed' && asCredit)
    return `The meal will not be prepared, and your ${price} becomes credit for your next orders.`
  return paymentStatus === 'confirmed'
    ? `The meal will not be prepared, and your ${price} becomes due for refund: in cash within 1 hour at the canteen, or by mobile money in 3-5 business days.`
    : `The meal will not be prepared. If you have already paid its ${price}, contact the tuckshop.`
}
