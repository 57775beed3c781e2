import type { Ngwee } from '#kernel/money'
import type { PaymentAttempt } from './payment-attempt'

/**
 * What was received for a line that became an order: its price, but for a card payment that a person accepted although
 * money was missing. What was missing is taken from the last lines of the cart, once and for all whatever becomes of the
 * others, so that never more goes back than came in (payments.md section 4, R13).
 */
export const paidForLine = (attempt: PaymentAttempt, index: number): Ngwee => {
  if (attempt.status === 'none') return 0
  const { lines } = attempt.checkout
  const line = lines.find((one) => one.index === index)
  if (!line) return 0
  const after = lines.filter((one) => one.index > index).reduce((sum, { price }) => sum + price, 0)
  return line.price - Math.min(line.price, Math.max(0, attempt.shortfall - after))
}
