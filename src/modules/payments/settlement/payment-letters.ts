import type { Order } from '#contracts/ordering'
import { bareMealText, mealText, mealsInShort, type MealLine, type UserMessage } from '#kernel/meal-line'
import { decimalFromNgwee } from '#kernel/money'
import { timeText, type SchoolDate } from '#kernel/school-time'
import { attentionOf, verifyOutcome, refundMethodText, fullMealText } from '../attempt/labels'
import {
  ordersOf,
  type StartedAttempt,
  ledgerOf,
  unresolvedLines,
  type LineOutcome,
} from '../attempt/payment-attempt'
import type { ProviderMethod } from '../published'

type MealWords = (line: MealLine) => string

export const orderedMail = (
  attempt: StartedAttempt,
  orders: readonly Pick<Order, 'id' | 'cancellableUntil'>[],
  zone: string,
  receipt: { number: string; url: string } | null,
): UserMessage | null => {
  const { attention } = verifyOutcome(attempt)
  if (attempt.status !== 'fulfilled' || attention.length > 0 || unresolvedLines(attempt).length > 0)
    return null
  const wordsOf = (mealOf: MealWords) =>
    [
      `${ledgerOf(attempt).received > 0 ? `${received(attempt)} ` : ''}${attempt.checkout.office ? 'The school office ordered these meals for you:' : 'These meals are ordered:'}`,
      ...ordersOf(attempt).map(({ index, orderId }) => {
        const line = attempt.checkout.lines[index]!
        const until = orders.find(({ id }) => id === orderId)?.cancellableUntil
        const cancel = until ? `, can be cancelled until ${timeText(new Date(until), zone)}` : ''
        return `- ${mealOf(line)}: K${decimalFromNgwee(line.price)}${cancel}`
      }),
      '',
      ...(receipt ? [`Receipt ${receipt.number}: ${receipt.url}`] : []),
      ...(attempt.checkout.companyRef === null ? [] : [paymentReference(attempt)]),
    ]
      .join('\n')
      .trimEnd()
  return {
    subject: attempt.hadProblem ? 'Your meals are ordered after all' : 'Your meals are ordered',
    text: wordsOf(fullMealText),
    bareText: wordsOf(bareMealText),
    short:
      `${receivedInShort(attempt)}${mealsInShort(datesOf(attempt))} ordered.` +
      (receipt ? ` Receipt ${receipt.number}.` : ''),
  }
}

const paymentNames: Record<ProviderMethod, string> = {
  card: 'card payment',
  airtel: 'payment by Airtel Money',
  mtn: 'payment by MTN Money',
}

/** Opens the cart with the meals of a plan's week. */
export const planCartLink = (publicUrl: string, week: SchoolDate): string =>
  `${publicUrl.replace(/\/$/, '')}/?tab=cart&plan=${week}`

/** A plan's family is told whatever the reason, as it may not look at its phone. */
export const failedMail = (attempt: StartedAttempt, publicUrl: string): UserMessage | null => {
  const { plan } = attempt.checkout
  const cartLink = plan ? planCartLink(publicUrl, plan) : null
  const isOver = attempt.status === 'cancelled' || attempt.status === 'abandoned'
  if (attempt.status !== 'declined' && attempt.status !== 'expired' && !(isOver && cartLink)) return null
  const way = paymentNames[attempt.method ?? 'card']
  const why =
    attempt.status === 'declined' ? `Your ${way} was declined` : `We have not received your ${way} in time`
  const wordsOf = (mealOf: MealWords) =>
    [
      `${why}, so these meals are not ordered:`,
      ...attempt.checkout.lines.map((line) => `- ${mealOf(line)}`),
      '',
      `Nothing was paid. You can order them again as long as their days are open${cartLink ? `: ${cartLink}` : '.'}`,
      paymentReference(attempt),
    ].join('\n')
  const dates = attempt.checkout.lines.map(({ mealDate }) => mealDate)
  return {
    subject: 'Your meals are not ordered: the payment did not arrive',
    text: wordsOf(mealText),
    bareText: wordsOf(bareMealText),
    short: `${why}: ${mealsInShort(dates)} not ordered. Nothing was paid.${cartLink ? ` Order: ${cartLink}` : ''}`,
  }
}

export const closedDayMail = (attempt: StartedAttempt, closureId: string): UserMessage | null => {
  const owed = attempt.checkout.lines.flatMap((line) => {
    const outcome = attempt.outcomes[line.index]
    return outcome?.kind === 'waived' && outcome.closure?.id === closureId ? [{ line, outcome }] : []
  })
  if (owed.length === 0) return null
  const wordsOf = (mealOf: MealWords) =>
    [
      `${received(attempt)} There is no lunch at school on these days:`,
      ...owed.map(
        ({ line, outcome }) =>
          `- ${mealOf(line)}: K${decimalFromNgwee(outcome.owed)} ${refundMethodText(outcome)}`,
      ),
      '',
      paymentReference(attempt),
    ].join('\n')
  return {
    subject: 'Your payment was received, but there is no lunch on these days',
    text: wordsOf(mealText),
    bareText: wordsOf(bareMealText),
    short: `${received(attempt)} No lunch at school: ${mealsInShort(owed.map(({ line }) => line.mealDate))}.`,
  }
}

const isSettled = (outcome: LineOutcome): boolean =>
  outcome.kind === 'ordered' || (outcome.kind === 'waived' && outcome.closure !== undefined)

/** Null without blocked meals other than closed days', which have their own mail. */
export const blockedMail = (attempt: StartedAttempt): UserMessage | null => {
  if (verifyOutcome(attempt).attention.length === 0 || attempt.outcomes.every(isSettled)) return null
  const wordsOf = (isBare: boolean) =>
    [
      `${received(attempt)} These meals could not be ordered:`,
      ...attentionOf(attempt, isBare).map((line) => `- ${line}`),
      '',
      'You do not have to pay again.',
      paymentReference(attempt),
    ].join('\n')
  return {
    subject: 'Your payment was received, but not every meal could be ordered',
    text: wordsOf(false),
    bareText: wordsOf(true),
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
