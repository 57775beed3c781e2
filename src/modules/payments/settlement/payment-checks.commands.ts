import { z } from 'zod'
import { job, leaveToSweep } from '#platform/jobs/job'
import { asked, enqueueAsked } from '#platform/jobs/whenever'
import type { StartedAttempt } from '../attempt/payment-attempt'
import { nextCheckAfter } from '../attempt/payment.decide'
import type { PaymentsNeeds } from '../ports'

/** Asks the provider once; the schedule of payments.md section 5 asks again, not the queue. */
export const verifyPaymentJob = job({
  name: 'verify-payment',
  payload: z.object({ attemptId: z.uuid() }),
  attempts: 3,
  backoffMs: 2_000,
})

/** Carries an administrator's recovery to its end when the request could not. */
export const recoverPaymentJob = job({
  name: 'recover-payment',
  payload: z.object({ attemptId: z.uuid() }),
  attempts: 5,
  backoffMs: 2_000,
})

const statesToCheck = new Set<StartedAttempt['status']>([
  'initiated',
  'processing',
  'declined',
  'cancelled',
  'expired',
  'abandoned',
  'review',
])

/** Null: the provider's answer is final, or its time is over. */
export const nextCheckOf = ({ status, token }: StartedAttempt, now: Date): Date | null =>
  token && statesToCheck.has(status)
    ? nextCheckAfter(now, { issuedAt: new Date(token.issuedAt), limitAt: new Date(token.limitAt) })
    : null

/** One job for one time of the schedule, whoever asks for it. */
export const checkAt = ({ now }: PaymentsNeeds, attemptId: string, at: Date) =>
  asked(
    verifyPaymentJob,
    { attemptId },
    { id: `${attemptId}-${at.getTime()}`, delayMs: Math.max(0, at.getTime() - now().getTime()) },
  )

export const enqueueNextCheck = async (needs: PaymentsNeeds, attempt: StartedAttempt): Promise<void> => {
  const next = nextCheckOf(attempt, needs.now())
  if (!next) return
  const check = checkAt(needs, attempt.checkout.attemptId, next)
  await leaveToSweep(enqueueAsked(needs.queue, check), 'the next check', needs.log)
}
