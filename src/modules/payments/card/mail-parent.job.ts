import { z } from 'zod'
import type { EventStore } from '#platform/event-store/event-store'
import { job, work } from '#platform/jobs/job'
import { mealInWords, verifyOutcome } from '../console/labels'
import { loadAttempt } from '../attempt/attempts.commands'
import { unresolvedLines } from '../attempt/payment-attempt'
import type { Standing } from '../attempt/payment-attempt'

export const mailParentJob = job({
  name: 'mail-parent-about-payment',
  payload: z.object({ attemptId: z.uuid(), about: z.enum(['ordered', 'attention']), eventId: z.uuid() }),
  attempts: 5,
  backoffMs: 5_000,
})

export type MailParentNeeds = {
  eventStore: Pick<EventStore, 'read'>
  /** Mails a user; the same `id` is one mail. */
  mailUser: (userId: number, message: { subject: string; text: string }, id: string) => Promise<unknown>
}

export const mailParentWork = ({ eventStore, mailUser }: MailParentNeeds) =>
  work(mailParentJob, async ({ attemptId, about, eventId }) => {
    const { attempt } = await loadAttempt(eventStore, attemptId)
    if (attempt.status === 'none') return
    const message = messageAbout(attempt, about)
    if (message) await mailUser(attempt.checkout.userId, message, `payment-${eventId}`)
  })

/** What a parent is told of a card payment; null where there is nothing to tell, or the other mail tells it. */
export const messageAbout = (
  attempt: Standing,
  about: 'ordered' | 'attention',
): { subject: string; text: string } | null => {
  const { checkout } = attempt
  if (checkout.kind !== 'card') return null
  const { attention } = verifyOutcome(attempt)
  const reference = `Payment reference: ${checkout.companyRef}`
  if ((about === 'attention') !== attention.length > 0) return null
  if (about === 'attention')
    return {
      subject: 'Your payment was received, but not every meal could be ordered',
      text: [
        'We received your payment. These meals could not be ordered:',
        ...attention.map((line) => `- ${line}`),
        '',
        'You do not have to pay again.',
        reference,
      ].join('\n'),
    }
  if (attempt.status !== 'fulfilled' || unresolvedLines(attempt).length > 0) return null
  const meals = checkout.lines.filter(({ index }) => attempt.fates[index]?.kind === 'ordered')
  return {
    subject: attempt.detour ? 'Your meals are ordered after all' : 'Your meals are ordered',
    text: [
      'We received your payment. These meals are ordered:',
      ...meals.map((line) => `- ${mealInWords(line)}`),
      '',
      reference,
    ].join('\n'),
  }
}
