import type { Order } from '#contracts/ordering'
import type { MealLine } from '#kernel/meal-line'
import { decimalFromNgwee } from '#kernel/money'
import { timeInWords } from '#kernel/school-time'
import { ledgerOf } from '../attempt/ledger'
import { ordersOf, unresolvedLines, type LineOutcome, type StartedAttempt } from '../attempt/payment-attempt'
import { bareMealInWords, mealInWords, verifyOutcome, wayBack, wholeMealInWords } from '../console/labels'
import type { UserMessage } from '../needs'

type InWords = (line: MealLine) => string

/**
 * Tells of the meals that a payment became. `orders` are those of the attempt, `zone` the school's time zone, `receipt`
 * its number and where it is read. Null while a meal of the payment is not ordered.
 */
export const orderedMail = (
  attempt: StartedAttempt,
  orders: readonly Pick<Order, 'id' | 'cancellableUntil'>[],
  zone: string,
  receipt: { number: string; url: string } | null,
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
      ...(receipt ? [`Receipt ${receipt.number}: ${receipt.url}`] : []),
      paymentReference(attempt),
    ].join('\n')
  return {
    subject: attempt.hadProblem ? 'Your meals are ordered after all' : 'Your meals are ordered',
    text: text(wholeMealInWords),
    bareText: text(bareMealInWords),
  }
}

/** Tells of what was paid for days that were closed meanwhile. Null when nothing of it is owed back. */
export const closedDayMail = (attempt: StartedAttempt, closureId: string): UserMessage | null => {
  const owed = attempt.checkout.lines.flatMap((line) => {
    const outcome = attempt.outcomes[line.index]
    return outcome?.kind === 'waived' && outcome.closure?.id === closureId ? [{ line, outcome }] : []
  })
  if (owed.length === 0) return null
  const text = (inWords: InWords) =>
    [
      `${received(attempt)} There is no lunch at school on these days:`,
      ...owed.map(
        ({ line, outcome }) => `- ${inWords(line)}: K${decimalFromNgwee(outcome.owed)} ${wayBack(outcome)}`,
      ),
      '',
      paymentReference(attempt),
    ].join('\n')
  return {
    subject: 'Your payment was received, but there is no lunch on these days',
    text: text(mealInWords),
    bareText: text(bareMealInWords),
  }
}

const isOrderedOrClosed = (outcome: LineOutcome): boolean =>
  outcome.kind === 'ordered' || (outcome.kind === 'waived' && outcome.closure !== undefined)

/** Null when there is no meal left that could not be ordered, but those of closed days, which have a mail of their own. */
export const blockedMail = (attempt: StartedAttempt): UserMessage | null => {
  if (verifyOutcome(attempt).attention.length === 0 || attempt.outcomes.every(isOrderedOrClosed)) return null
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
