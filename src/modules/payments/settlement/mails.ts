import type { Order } from '#contracts/ordering'
import type { MealLine } from '#kernel/meal-line'
import { decimalFromNgwee } from '#kernel/money'
import { longDay, schoolMoment } from '#kernel/school-time'
import { ledgerOf } from '../attempt/ledger'
import { ordersOf, unresolvedLines, type StartedAttempt } from '../attempt/payment-attempt'
import { bareMealInWords, mealInWords, verifyOutcome, wholeMealInWords } from '../console/labels'
import type { UserMessage } from '../needs'

type InWords = (line: MealLine) => string

/**
 * Tells of the meals that a payment became. `orders` are those of the attempt, `zone` the school's time zone. Null while a
 * meal of the payment is not ordered.
 */
export const orderedMail = (
  attempt: StartedAttempt,
  orders: readonly Pick<Order, 'id' | 'cancellableUntil'>[],
  zone: string,
): UserMessage | null => {
  const { attention } = verifyOutcome(attempt)
  if (attempt.status !== 'fulfilled' || attention.length > 0 || unresolvedLines(attempt).length > 0)
    return null
  const text = (inWords: InWords) =>
    [
      `${received(attempt)} These meals are ordered:`,
      ...ordersOf(attempt).map(({ index, orderId }) => {
        const line = attempt.checkout.lines[index]!
        const until = orders.find(({ id }) => id === orderId)?.cancellableUntil
        const cancel = until ? `, can be cancelled until ${timeInWords(new Date(until), zone)}` : ''
        return `- ${inWords(line)}: K${decimalFromNgwee(line.price)}${cancel}`
      }),
      '',
      paymentReference(attempt),
    ].join('\n')
  return {
    subject: attempt.hadProblem ? 'Your meals are ordered after all' : 'Your meals are ordered',
    text: text(wholeMealInWords),
    bareText: text(bareMealInWords),
  }
}

/** Null when there is no meal left that could not be ordered. */
export const blockedMail = (attempt: StartedAttempt): UserMessage | null => {
  if (verifyOutcome(attempt).attention.length === 0) return null
  const text = (inWords: InWords) =>
    [
      `${received(attempt)} These meals could not be ordered:`,
      ...verifyOutcome(attempt, inWords).attention.map((line) => `- ${line}`),
      '',
      'You do not have to pay again.',
      paymentReference(attempt),
    ].join('\n')
  return {
    subject: 'Your payment was received, but not every meal could be ordered',
    text: text(mealInWords),
    bareText: text(bareMealInWords),
  }
}

const received = (attempt: StartedAttempt) =>
  `We received your payment of K${decimalFromNgwee(ledgerOf(attempt).received)}.`

const paymentReference = ({ checkout }: StartedAttempt) => `Payment reference: ${checkout.companyRef}`

/** "08:05 on Wednesday, 16 September 2026" */
const timeInWords = (at: Date, zone: string) => {
  const { date, hour, minute } = schoolMoment(at, zone)
  return `${twoDigits(hour)}:${twoDigits(minute)} on ${longDay(date)}`
}

const twoDigits = (part: number) => String(part).padStart(2, '0')
