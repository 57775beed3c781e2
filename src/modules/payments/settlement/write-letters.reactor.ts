import { z } from 'zod'
import { eventReader } from '#kernel/event'
import { job, work } from '#platform/jobs/job'
import { lettersOf } from '#platform/letters'
import type { Reactor } from '#platform/module'
import { writeInstructions } from '../alternative/write-instructions.commands'
import { loadAttempt } from '../attempt/change-attempt.commands'
import { ordersOf, type StartedAttempt } from '../attempt/payment-attempt'
import type { PaymentsNeeds } from '../needs'
import { letterEvents, letterOf, type LetterRow } from './letters.view'
import { blockedMail, closedDayMail, failedMail, orderedMail } from './mails'

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

/** Then the letter goes without a receipt. */
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
