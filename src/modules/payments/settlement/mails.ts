import type { Order } from '#contracts/ordering'
import type { MealLine } from '#kernel/meal-line'
import { decimalFromNgwee } from '#kernel/money'
import { timeText } from '#kernel/school-time'
import { mealsInShort, type UserMessage } from '#kernel/user-message'
import { ledgerOf } from '../attempt/ledger'
import { ordersOf, unresolvedLines, type LineOutcome, type StartedAttempt } from '../attempt/payment-attempt'
import { anonymousMealText, mealText, verifyOutcome, refundMethodText, fullMealText } from '../console/labels'

type InWords = (line: MealLine) => string

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
      `${ledgerOf(attempt).received > 0 ? `${received(attempt)} ` : ''}These meals are ordered:`,
      ...ordersOf(attempt).map(({ index, orderId }) => {
        const line = attempt.checkout.lines[index]!
        const until = orders.find(({ id }) => id === orderId)?.cancellableUntil
        const cancel = until ? `, can be cancelled until ${timeText(new Date(until), zone)}` : ''
        return `- ${inWords(line)}: K${decimalFromNgwee(line.price)}${cancel}`
      }),
      '',
      ...(receipt ? [`Receipt ${receipt.number}: ${receipt.url}`] : []),
      ...(attempt.checkout.companyRef === null ? [] : [paymentReference(attempt)]),
    ]
      .join('\n')
      .trimEnd()
  return {
    subject: attempt.hadProblem ? 'Your meals are ordered after all' : 'Your meals are ordered',
    text: text(fullMealText),
    bareText: text(anonymousMealText),
    short:
      `${receivedInShort(attempt)}${mealsInShort(datesOf(attempt))} ordered.` +
      (receipt ? ` Receipt ${receipt.number}.` : ''),
  }
}

export const failedMail = (attempt: StartedAttempt): UserMessage | null => {
  if (attempt.status !== 'declined' && attempt.status !== 'expired') return null
  const why =
    attempt.status === 'declined'
      ? 'Your card payment was declined'
      : 'We have not received your card payment in time'
  const text = (inWords: InWords) =>
    [
      `${why}, so these meals are not ordered:`,
      ...attempt.checkout.lines.map((line) => `- ${inWords(line)}`),
      '',
      'Nothing was paid. You can order them again as long as their days are open.',
      paymentReference(attempt),
    ].join('\n')
  const dates = attempt.checkout.lines.map(({ mealDate }) => mealDate)
  return {
    subject: 'Your meals are not ordered: the payment did not arrive',
    text: text(mealText),
    bareText: text(anonymousMealText),
    short: `${why}: ${mealsInShort(dates)} not ordered. Nothing was paid.`,
  }
}

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
        ({ line, outcome }) =>
          `- ${inWords(line)}: K${decimalFromNgwee(outcome.owed)} ${refundMethodText(outcome)}`,
      ),
      '',
      paymentReference(attempt),
    ].join('\n')
  return {
    subject: 'Your payment was received, but there is no lunch on these days',
    text: text(mealText),
    bareText: text(anonymousMealText),
    short: `${received(attempt)} No lunch at school: ${mealsInShort(owed.map(({ line }) => line.mealDate))}.`,
  }
}

const isSettled = (outcome: LineOutcome): boolean =>
  outcome.kind === 'ordered' || (outcome.kind === 'waived' && outcome.closure !== undefined)

/** Null without blocked meals other than closed days', which have their own mail. */
export const blockedMail = (attempt: StartedAttempt): UserMessage | null => {
  if (verifyOutcome(attempt).attention.length === 0 || attempt.outcomes.every(isSettled)) return null
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
    text: text(mealText),
    bareText: text(anonymousMealText),
    short: `${received(attempt)} Not every meal could be ordered. You do not have to pay again.`,
  }
}

const datesOf = (attempt: StartedAttempt) =>
  ordersOf(attempt).map(({ index }) => attempt.checkout.lines[index]!.mealDate)

const receivedInShort = (attempt: StartedAttempt) => {
  const paid = ledgerOf(attempt).received
  return paid > 0 ? `K${decimalFromNgwee(paid)} received. ` : ''
}

const received = (attempt: StartedAttempt) =>
  `We received your payment of K${decimalFromNgwee(ledgerOf(attempt).received)}.`

const paymentReference = ({ checkout }: StartedAttempt) => `Payment reference: ${checkout.companyRef}`
