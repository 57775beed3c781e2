import { z } from 'zod'
import type { Order } from '#contracts/ordering'
import { eventReader } from '#kernel/event'
import { mealMessage, type UserMessage } from '#kernel/meal-line'
import { decimalFromNgwee } from '#kernel/money'
import { deadlinesText } from '#kernel/school-time'
import { job, work } from '#platform/jobs/job'
import { lettersOf } from '#platform/letters'
import type { BatchReactor } from '#platform/module'
import { instructionsCause, instructionsOf } from '../alternative/instructions.commands'
import { loadAttempts } from '../attempt/change-attempt.commands'
import { refundMethodText, unorderedMeals, verifyOutcome, withChoices } from '../attempt/labels'
import {
  ordersOf,
  type StartedAttempt,
  ledgerOf,
  unresolvedLines,
  type LineOutcome,
} from '../attempt/payment-attempt'
import type { PaymentsNeeds } from '../ports'
import { letterEvents, letterOf, type LetterRow } from './letters.view'
import { failedMail, paymentReference } from './payment-letters'

const writeLettersJob = job({
  name: 'write-payment-letter',
  payload: z.object({
    position: z.string(),
    letters: z.array(
      z.object({
        id: z.uuid(),
        attempt_id: z.uuid(),
        about: z.enum(['ordered', 'failed', 'blocked']),
        closure_id: z.uuid().nullable(),
        at: z.string(),
      }),
    ),
  }),
  attempts: 10,
  backoffMs: 1_000,
})

const read = eventReader(...letterEvents)

export const writeLetterWhenPaymentChanges = (queue: PaymentsNeeds['queue']): BatchReactor => ({
  name: 'write-letter-when-payment-changes',
  types: letterEvents.map(({ type }) => type),
  reactToAll: async (events) => {
    const letters = events.flatMap((event) => {
      const heard = read(event)
      return heard ? [{ ...letterOf(event.id, heard), at: heard.data.at }] : []
    })
    const last = letters.at(-1)
    if (!last) return
    const { position } = events.at(-1)!
    // The last names the job: after a crash the same events come again with more behind them.
    await queue.enqueue(writeLettersJob, { letters, position }, { id: `letter-${last.id}` })
  },
})

const maxDueAtOnce = 500

export const paymentLetters = (needs: PaymentsNeeds) => {
  const { database, now, viewsInclude } = needs
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
  const job = work(writeLettersJob, async ({ letters: due, position }) => {
    // By then the views have the receipt and orders.
    await viewsInclude(position)
    await letters.writeOnce(due)
  })
  return { ...letters, job }
}

/** After this time the letter goes without a receipt. */
const receiptPatienceMs = 2 * 60_000

const write =
  (needs: PaymentsNeeds) =>
  async (letters: readonly LetterRow[]): Promise<readonly LetterRow[]> => {
    const attempts = await loadAttempts(
      needs,
      letters.map(({ attempt_id: id }) => id),
    )
    const about = letters.map((letter, index) => ({ letter, attempt: attempts[index]!.attempt }))
    const facts = await factsOfOrdered(needs, about)
    const due = about.filter((one) => !isTooEarly(one, facts, needs.now()))
    const messages: { userId: number; message: UserMessage; cause: string }[] = []
    for (const { letter, attempt } of due) {
      const { userId } = attempt.checkout
      const message = await messageOf(needs, letter, attempt, facts)
      if (message) messages.push({ userId, message, cause: causeOf(letter, attempt) })
    }
    await needs.messaging.messageUsers(messages)
    return due.map(({ letter }) => letter)
  }

type About = { letter: LetterRow; attempt: StartedAttempt }

/** Receipts of card payments by attempt, and the orders as the families see them. */
type OrderedFacts = {
  receipts: ReadonlyMap<string, { number: string; url: string }>
  orders: readonly Order[]
}

const factsOfOrdered = async (
  { ordering, receiptsOfCheckouts, now }: PaymentsNeeds,
  about: readonly About[],
): Promise<OrderedFacts> => {
  const ordered = about.flatMap(({ letter, attempt }) =>
    letter.about === 'ordered' && attempt.checkout.kind !== 'alternative' ? [attempt] : [],
  )
  const byCard = ordered.flatMap(({ checkout }) => (checkout.kind === 'card' ? [checkout.attemptId] : []))
  const orderIds = ordered.flatMap((attempt) => ordersOf(attempt).map(({ orderId }) => orderId))
  const [receipts, orders] = await Promise.all([
    byCard.length === 0 ? new Map() : receiptsOfCheckouts(byCard),
    orderIds.length === 0 ? [] : ordering.orderReplies({ ids: orderIds }, now()),
  ])
  return { receipts, orders }
}

const isTooEarly = (
  { letter, attempt: { checkout } }: About,
  { receipts }: OrderedFacts,
  now: Date,
): boolean =>
  letter.about === 'ordered' &&
  checkout.kind === 'card' &&
  !receipts.has(checkout.attemptId) &&
  now.getTime() - new Date(letter.at).getTime() < receiptPatienceMs

const causeOf = ({ id, about }: LetterRow, { checkout: { attemptId, kind } }: StartedAttempt): string => {
  if (about === 'ordered')
    return kind === 'alternative' ? instructionsCause(attemptId) : `payment-ordered-${attemptId}`
  return about === 'failed' ? `payment-failed-${attemptId}` : `payment-${id}`
}

const messageOf = async (
  needs: PaymentsNeeds,
  { about, closure_id }: LetterRow,
  attempt: StartedAttempt,
  { receipts, orders }: OrderedFacts,
): Promise<UserMessage | null> => {
  const { attemptId, kind } = attempt.checkout
  if (about === 'failed') return failedMail(attempt, needs.publicUrl)
  if (about === 'blocked')
    return closure_id === null ? blockedMail(attempt) : closedDayMail(attempt, closure_id)
  if (kind === 'alternative') return instructionsOf(needs, attempt)
  return orderedMail(attempt, orders, needs.zone, receipts.get(attemptId) ?? null)
}

export const orderedMail = (
  attempt: StartedAttempt,
  orders: readonly Pick<Order, 'id' | 'cancellableUntil'>[],
  zone: string,
  receipt: { number: string; url: string } | null,
): UserMessage | null => {
  const { attention } = verifyOutcome(attempt)
  if (attempt.status !== 'fulfilled' || attention.length > 0 || unresolvedLines(attempt).length > 0)
    return null
  const { lines } = attempt.checkout
  const cancellable = ordersOf(attempt).flatMap(({ index, orderId }) => {
    const until = orders.find(({ id }) => id === orderId)?.cancellableUntil
    return until ? [{ mealDate: lines[index]!.mealDate, until: new Date(until) }] : []
  })
  const ends = [
    ...(receipt ? [`Receipt ${receipt.number}: ${receipt.url}`] : []),
    ...(attempt.checkout.companyRef === null ? [] : [paymentReference(attempt)]),
  ]
  return mealMessage({
    what: attempt.hadProblem ? 'Ordered after all' : 'Ordered',
    meals: ordersOf(attempt).map(({ index }) => withChoices(lines[index]!)),
    start: `${ledgerOf(attempt).received > 0 ? `${received(attempt)} ` : ''}${attempt.checkout.office ? 'The school office ordered these meals for you:' : 'These meals are ordered:'}`,
    more: ({ price }) => `, K${decimalFromNgwee(price)}`,
    end: [
      ...(cancellable.length > 0 ? [`They can be cancelled ${deadlinesText(cancellable, zone)}.`] : []),
      ...(ends.length > 0 ? [ends.join('\n')] : []),
    ],
    short: (inShort) =>
      `${receivedInShort(attempt)}${inShort} ordered.${receipt ? ` Receipt ${receipt.number}.` : ''}`,
  })
}

export const closedDayMail = (attempt: StartedAttempt, closureId: string): UserMessage | null => {
  const owed = attempt.checkout.lines.flatMap((line) => {
    const outcome = attempt.outcomes[line.index]
    return outcome?.kind === 'waived' && outcome.closure?.id === closureId ? [{ line, outcome }] : []
  })
  if (owed.length === 0) return null
  return mealMessage({
    what: 'Paid, but no lunch',
    meals: owed.map(({ line, outcome }) => ({ ...line, outcome })),
    start: `${received(attempt)} There is no lunch at school on these days:`,
    more: ({ outcome }) => `, K${decimalFromNgwee(outcome.owed)} ${refundMethodText(outcome)}`,
    end: [paymentReference(attempt)],
    short: (meals) => `${received(attempt)} No lunch at school: ${meals}.`,
  })
}

const isSettled = (outcome: LineOutcome): boolean =>
  outcome.kind === 'ordered' || (outcome.kind === 'waived' && outcome.closure !== undefined)

/** Null without blocked meals other than closed days', which have their own mail. */
export const blockedMail = (attempt: StartedAttempt): UserMessage | null => {
  if (verifyOutcome(attempt).attention.length === 0 || attempt.outcomes.every(isSettled)) return null
  const unordered = unorderedMeals(attempt)
  return mealMessage({
    what: 'Paid, but not ordered',
    meals: unordered.map(({ line, why }) => ({ ...line, why })),
    start: `${received(attempt)} These meals could not be ordered:`,
    more: ({ why }, isBare) => `: ${why(isBare)}`,
    end: [`You do not have to pay again.\n${paymentReference(attempt)}`],
    short: () => `${received(attempt)} Not every meal could be ordered. You do not have to pay again.`,
  })
}

const receivedInShort = (attempt: StartedAttempt) => {
  const paid = ledgerOf(attempt).received
  return paid > 0 ? `K${decimalFromNgwee(paid)} received. ` : ''
}

const received = (attempt: StartedAttempt) =>
  `We received your payment of K${decimalFromNgwee(ledgerOf(attempt).received)}.`
