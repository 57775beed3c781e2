import { z } from 'zod'
import { ngwee } from '#kernel/money'
import type { Now } from '#platform/clock'
import type { EventStore } from '#platform/event-store/event-store'
import { retryOnConflict } from '#platform/event-store/retry-on-conflict'
import { job, work } from '#platform/jobs/job'
import { attemptAppend, loadAttempt } from '../attempt/attempts.commands'
import { paymentAttempt } from '../attempt/payment-attempt.decide'

const payload = z.object({
  attemptId: z.uuid(),
  part: z.union([z.int().nonnegative(), z.literal('surplus')]),
  payoutId: z.uuid(),
  amount: ngwee,
})

export const recordRefundJob = job({ name: 'record-refund', payload, attempts: 10, backoffMs: 1000 })

type RecordNeeds = { eventStore: Pick<EventStore, 'read' | 'append'>; now: Now }

/** E21: the attempt knows what went back of its money; one act of paying back is recorded once. */
const recordRefund =
  ({ eventStore, now }: RecordNeeds) =>
  ({ attemptId, ...refund }: z.infer<typeof payload>): Promise<void> =>
    retryOnConflict(async () => {
      const loaded = await loadAttempt(eventStore, attemptId)
      const at = now()
      const events = paymentAttempt.decide({ kind: 'record-refund', ...refund, now: at }, loaded.attempt)
      const author = { actor: 'job:record-refund', correlationId: refund.payoutId, at }
      const appends = attemptAppend(loaded, events, { ...author, idSeed: `${refund.payoutId}/recorded` })
      if (appends.length > 0) await eventStore.append(appends)
    })

export const recordRefundWork = (needs: RecordNeeds) => work(recordRefundJob, recordRefund(needs))
