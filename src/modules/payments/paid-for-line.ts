import type { Ngwee } from '#kernel/money'
import { ledgerOf } from './ledger'
import type { PaymentAttempt } from './payment-attempt'

/**
 * What was received for a line that became an order: its price, but for a card payment that a person accepted although
 * money was missing. There the lines are paid in the order of the cart until the money is used up, so that never more
 * goes back than came in (payments.md section 4, R13).
 */
export const paidForLine = (attempt: PaymentAttempt, index: number): Ngwee => {
  if (attempt.status === 'none') return 0
  const line = attempt.checkout.lines.find((one) => one.index === index)
  if (!line) return 0
  const { ordered, shortfall } = ledgerOf(attempt)
  if (shortfall === 0) return line.price
  const before = attempt.checkout.lines
    .filter((one) => one.index < index && attempt.fates[one.index]?.kind === 'ordered')
    .reduce((sum, { price }) => sum + price, 0)
  return Math.max(0, Math.min(line.price, ordered - shortfall - before))
}
