import { z } from 'zod'
import { type UserMessage } from '#kernel/user-message'
import { type By } from '#platform/event-store/command-handler'
import { job, work, type JobWork } from '#platform/jobs/job'
import { type Reactor } from '#platform/module'
import { changeAttempt, knownAttempt } from '../attempt/change-attempt.commands'
import {
  linesBlocked,
  mismatchAccepted,
  paymentVerified,
  recoveryStarted,
  remainderWaived,
} from '../attempt/events'
import { decidePayment } from '../attempt/payment.decide'
import { isMoneyOurs, ordersOf, type StartedAttempt, readAttemptEvent } from '../attempt/payment-attempt'
import { type PaymentsNeeds } from '../needs'
import { blockedMail, closedDayMail, orderedMail } from './mails'
import { fulfilAttempt, type FulfilNeeds } from './settle.commands'

const settlePaymentJob = job({
  name: 'settle-payment',
  payload: z.object({ attemptId: z.uuid() }),
  attempts: 5,
  backoffMs: 2_000,
})

const mailBlockedJob = job({
  name: 'mail-parent-about-blocked-meals',
  payload: z.object({ attemptId: z.uuid(), eventId: z.uuid(), closureId: z.uuid().optional() }),
  attempts: 5,
  backoffMs: 5_000,
})

/**
 * What is paid for is brought to its end, and a parent hears of meals that could not be ordered. Whoever verified a
 * payment makes its orders at once: the job is for when they could not, and the sweep is the net below it.
 */
export const settleWhenPaid = (queue: PaymentsNeeds['queue']): Reactor => ({
  name: 'settle-payment-when-paid',
  types: [
    paymentVerified.type,
    mismatchAccepted.type,
    recoveryStarted.type,
    linesBlocked.type,
    remainderWaived.type,
  ],
  react: async (event) => {
    const read = readAttemptEvent(event)
    if (!read) return
    const { attemptId } = read.data
    if (read.type === linesBlocked.type || read.type === remainderWaived.type) {
      const closureId = read.type === remainderWaived.type ? read.data.closure?.id : undefined
      const payload = { attemptId, eventId: event.id, ...(closureId && { closureId }) }
      await queue.enqueue(mailBlockedJob, payload, { id: `blocked-${event.id}` })
    }
    // Of the recoveries only one whose money is there; the others are followed by a payment that is verified.
    else if (read.type !== recoveryStarted.type || read.data.prior === 'blocked')
      await queue.enqueue(settlePaymentJob, { attemptId }, { id: `settle-${event.id}` })
  },
})

type SettleNeeds = FulfilNeeds & Pick<PaymentsNeeds, 'books' | 'identity' | 'provider' | 'zone'>

export const settlePaymentWorks = (needs: SettleNeeds): JobWork[] => [
  work(settlePaymentJob, ({ attemptId }, { jobId, attempt }) => {
    const by = { actor: `job:${settlePaymentJob.name}`, correlationId: jobId }
    return settlePayment(needs)(attemptId, by, attempt >= settlePaymentJob.attempts)
  }),
  work(mailBlockedJob, async ({ attemptId, eventId, closureId }) => {
    const { attempt } = await knownAttempt(needs, attemptId)
    const message = closureId ? closedDayMail(attempt, closureId) : blockedMail(attempt)
    await mail(needs, attempt, message, `payment-${eventId}`)
  }),
]

/**
 * The orders of what is paid (E14 to E16), the mail to its parent, the acknowledgement; safe to repeat. The mail names
 * the receipt, so it waits until that is counted; on the `lastTry` it goes without rather than never.
 */
export const settlePayment =
  (needs: SettleNeeds) =>
  async (attemptId: string, by: By, lastTry = false): Promise<void> => {
    const { attempt } = await fulfilAttempt(needs)(attemptId, by)
    const orderIds = ordersOf(attempt).map(({ orderId }) => orderId)
    const orders = await needs.ordering.orderReplies(orderIds, needs.now())
    const receipt = await needs.books.receiptOfCheckout(attemptId)
    const message = orderedMail(attempt, orders, needs.zone, receipt)
    const mayMail = receipt !== null || lastTry
    if (mayMail) await mail(needs, attempt, message, `payment-ordered-${attemptId}`)
    await acknowledge(needs, attempt, by)
    if (message && !mayMail) throw new Error('The receipt is not counted yet')
  }

export type AcknowledgeNeeds = Pick<PaymentsNeeds, 'credit' | 'eventStore' | 'now' | 'ordering' | 'provider'>

/**
 * Tells the provider that we have taken note of a payment, as it wants to hear within 30 minutes. Safe to repeat. Throws
 * when the provider does not answer, so that the job tries again.
 */
export const acknowledgePayment =
  (needs: AcknowledgeNeeds) =>
  async (attemptId: string, by: By): Promise<void> =>
    acknowledge(needs, (await knownAttempt(needs, attemptId)).attempt, by)

/** The provider is not told any more; an administrator sees it in the history. */
export const giveUpAcknowledgement =
  (needs: AcknowledgeNeeds) =>
  async (attemptId: string, by: By): Promise<void> => {
    await changeAttempt(needs, attemptId, by, (paid, now) =>
      decidePayment({ kind: 'give-up-acknowledgement', now }, paid),
    )
  }

const acknowledge = async (needs: AcknowledgeNeeds, attempt: StartedAttempt, by: By): Promise<void> => {
  if (!needs.provider || !isMoneyOurs(attempt) || !attempt.token || attempt.acknowledged) return
  const answer = await needs.provider.verify(attempt.token.token, { acknowledge: true })
  if (answer.kind !== 'says-paid' && answer.kind !== 'says-mismatch')
    throw new Error(`The card provider took no acknowledgement but answered ${answer.kind}`)
  await changeAttempt(needs, attempt.checkout.attemptId, by, (paid, now) =>
    decidePayment({ kind: 'record-acknowledgement', now }, paid),
  )
}

const mail = async (
  { identity }: Pick<PaymentsNeeds, 'identity'>,
  { checkout }: StartedAttempt,
  message: UserMessage | null,
  id: string,
): Promise<void> => {
  if (message && checkout.kind === 'card') await identity.messageUser(checkout.userId, message, id)
}
