import type { Order } from '#contracts/ordering'
import { eventReader } from '#kernel/event'
import type { MealLine } from '#kernel/meal-line'
import { decimalFromNgwee } from '#kernel/money'
import { timeText } from '#kernel/school-time'
import { mealsInShort, type UserMessage } from '#kernel/user-message'
import { job, work } from '#platform/jobs/job'
import { lettersOf } from '#platform/letters'
import type { Reactor } from '#platform/module'
import { writeInstructions } from '../alternative/write-instructions.commands'
import { loadAttempt } from '../attempt/change-attempt.commands'
import {
  ordersOf,
  type StartedAttempt,
  ledgerOf,
  unresolvedLines,
  type LineOutcome,
} from '../attempt/payment-attempt'
import { anonymousMealText, mealText, verifyOutcome, refundMethodText, fullMealText } from '../console/labels'
import type { PaymentsNeeds } from '../needs'
import { letterEvents, letterOf, type LetterRow } from './letters.view'
import { z } from 'zod'

const writeLetterJob = job({
  name: 'write-payment-letter',
  payload: z.object({
    position: z.string(),
    letter: z.object({
      id: z.uuid(),
      attempt_id: z.uuid(),
      about: z.enum(['ordered', 'failed', 'blocked']),
      closure_id: z.uuid().nullable(),
      at: z.string(),
    }),
  }),
  attempts: 10,
  backoffMs: 1_000,
})

const read = eventReader(...letterEvents)

export const writeLetterWhenPaymentChanges = (queue: PaymentsNeeds['queue']): Reactor => ({
  name: 'write-letter-when-payment-changes',
  types: letterEvents.map(({ type }) => type),
  react: async (event) => {
    const heard = read(event)
    if (!heard) return
    const letter = letterOf(event.id, heard)
    const payload = { letter: { ...letter, at: heard.data.at }, position: event.position }
    await queue.enqueue(writeLetterJob, payload, { id: `letter-${event.id}` })
  },
})

const maxDueAtOnce = 500

export const paymentLetters = (needs: PaymentsNeeds) => {
  const { database, now, waitForViews } = needs
  const letters = lettersOf<LetterRow>({
    database,
    now,
    name: 'write-payment-letters',
    notes: 'payments.letters_written',
    due: ({ from, until }, isUndone) =>
      database
        .knex('payments.letters as letter')
        .whereBetween('at', [from, until])
        .whereRaw(isUndone)
        .orderBy(['at', 'id'])
        .limit(maxDueAtOnce),
    write: write(needs),
  })
  const job = work(writeLetterJob, async ({ letter, position }) => {
    // By then the views have the receipt and orders.
    await waitForViews(position)
    await letters.writeOnce(letter)
  })
  return { ...letters, job }
}

/** After this time the letter goes without a receipt. */
const receiptPatienceMs = 2 * 60_000

const write =
  (needs: PaymentsNeeds) =>
  async (letter: LetterRow): Promise<boolean> => {
    const { attempt } = await loadAttempt(needs, letter.attempt_id)
    if (letter.about === 'ordered') return writeOrdered(needs, letter, attempt)
    const { userId, attemptId } = attempt.checkout
    const message =
      letter.about === 'failed'
        ? failedMail(attempt)
        : letter.closure_id === null
          ? blockedMail(attempt)
          : closedDayMail(attempt, letter.closure_id)
    const cause = letter.about === 'failed' ? `payment-failed-${attemptId}` : `payment-${letter.id}`
    if (message) await needs.messaging.messageUser(userId, message, cause)
    return true
  }

const writeOrdered = async (
  needs: PaymentsNeeds,
  letter: LetterRow,
  attempt: StartedAttempt,
): Promise<boolean> => {
  const { ordering, messaging, receiptOfCheckout, now, zone } = needs
  const { attemptId, userId, kind } = attempt.checkout
  if (kind === 'alternative') {
    await writeInstructions(needs, attempt)
    return true
  }
  const receipt = kind === 'card' ? await receiptOfCheckout(attemptId) : null
  const isYoung = now().getTime() - new Date(letter.at).getTime() < receiptPatienceMs
  if (kind === 'card' && receipt === null && isYoung) return false
  const orderIds = ordersOf(attempt).map(({ orderId }) => orderId)
  const message = orderedMail(attempt, await ordering.orderReplies(orderIds, now()), zone, receipt)
  if (message) await messaging.messageUser(userId, message, `payment-ordered-${attemptId}`)
  return true
}

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

const closedDayMail = (attempt: StartedAttempt, closureId: string): UserMessage | null => {
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
