import { z } from 'zod'
import type { By } from '#platform/event-store/command-handler'
import { job, leaveToSweep } from '#platform/jobs/job'
import { asked, enqueueAsked } from '#platform/jobs/whenever'
import { changeAttempt, type AttemptRead } from '../attempt/change-attempt.commands'
import { isMoneyOurs, type StartedAttempt } from '../attempt/payment-attempt'
import { decidePayment, nextCheckAfter } from '../attempt/payment.decide'
import type { PaymentsNeeds } from '../ports'

export const settlePaymentJob = job({
  name: 'settle-payment',
  payload: z.object({ attemptId: z.uuid() }),
  attempts: 5,
  backoffMs: 2_000,
})

export const settlePaymentActor = `job:${settlePaymentJob.name}`

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

/** One job for one failure. */
export const enqueueSettling = (
  { queue, log }: PaymentsNeeds,
  { checkout: { attemptId }, failures }: StartedAttempt,
): Promise<void> => {
  const settling = asked(settlePaymentJob, { attemptId }, { id: `settle-${attemptId}-${failures}` })
  return leaveToSweep(enqueueAsked(queue, settling), 'making the orders of a payment', log)
}

/** The provider expects it within 30 minutes. Repeatable; nothing where there is nothing to acknowledge. Throws where the provider did not take it. */
export const acknowledge = async (
  needs: PaymentsNeeds,
  { attempt, loaded: known }: AttemptRead,
  by: By,
): Promise<void> => {
  if (!needs.provider || !isMoneyOurs(attempt) || !attempt.token || attempt.acknowledged) return
  const answer = await needs.provider.verify(attempt.token.token, { acknowledge: true })
  if (answer.kind !== 'says-paid' && answer.kind !== 'says-mismatch')
    throw new Error(`The card provider took no acknowledgement but answered ${answer.kind}`)
  await changeAttempt(needs, attempt.checkout.attemptId, by, acknowledged, { known })
}

const acknowledged = (paid: StartedAttempt, now: Date) =>
  decidePayment({ kind: 'record-acknowledgement', now }, paid)
