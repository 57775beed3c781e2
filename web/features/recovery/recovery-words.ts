import type { AttemptItem, FailedOrder } from '#contracts/payments-console'
import type { Tone } from '../../ui/badge'

/** How a status looks (administrator.md section 4; "failed" without regard to case, payments.md section 6). */
export const statusTone = (status: FailedOrder['status']): Tone => {
  const words = status.toLowerCase()
  if (words.includes('failed')) return 'danger'
  if (status === 'Processing started' || status === 'Recovery in progress') return 'info'
  return words.includes('successfully') ? 'brand' : 'neutral'
}

/** The lines that are no order yet. */
export const unresolved = (order: Pick<FailedOrder, 'cartItems'>): AttemptItem[] =>
  order.cartItems.filter((line) => line.orderId === null)

/** What was charged for these lines, in kwacha. */
export const charged = (lines: AttemptItem[]): number =>
  lines.reduce((sum, line) => sum + Math.round(line.discountedPrice * 100), 0) / 100
