import { z } from 'zod'
import { ngwee } from '#kernel/money'
import { commandHandler } from '#platform/event-store/command-handler'
import { job, work } from '#platform/jobs/job'
import { paymentAttempt } from '../attempt/fold'
import { decideSettlement } from '../attempt/settlement.decide'
import { type PaymentsNeeds } from '../needs'

export const recordRefundJob = job({
  name: 'record-refund',
  payload: z.object({
    attemptId: z.uuid(),
    part: z.union([z.int().nonnegative(), z.literal('surplus')]),
    payoutId: z.uuid(),
    amount: ngwee,
  }),
  attempts: 10,
  backoffMs: 1000,
})

/** E21: the attempt knows what went back of its money; one act of paying back is recorded once. */
export const recordRefundWork = ({ eventStore, now }: Pick<PaymentsNeeds, 'eventStore' | 'now'>) => {
  const handle = commandHandler(paymentAttempt, { eventStore, now })
  return work(recordRefundJob, async ({ attemptId, ...refund }) => {
    const by = { actor: 'job:record-refund', correlationId: refund.payoutId }
    const record = { kind: 'record-refund', ...refund } as const
    const idSeed = `${refund.payoutId}/recorded`
    await handle(attemptId, by, (attempt, at) => decideSettlement({ ...record, now: at }, attempt), idSeed)
  })
}
