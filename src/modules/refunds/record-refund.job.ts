import { z } from 'zod'
import { eventReader } from '#kernel/event'
import { ngwee } from '#kernel/money'
import { Refusal } from '#kernel/refusal'
import { job, work } from '#platform/jobs/job'
import type { Reactor, Sweep } from '#platform/module'
import type { RefundsNeeds } from './ports'
import { refundPaidBack } from './refund'
import { payoutsOf } from './refund-as-credit.commands'

const recordRefundJob = job({
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

const read = eventReader(refundPaidBack)

/** Only money without an order: an order's own refund is handled with the order. */
export const recordRefundWhenPaidBack = ({ queue }: RefundsNeeds): Reactor => ({
  name: 'record-refund-when-paid-back',
  types: [refundPaidBack.type],
  react: async (event) => {
    const heard = read(event)
    if (!heard || heard.data.orderId !== null) return
    const { attemptId, part, payoutId, amount } = heard.data
    const payload = { attemptId, part, payoutId, amount }
    await queue.enqueue(recordRefundJob, payload, { id: `record-${event.id}` })
  },
})

export const recordRefundWork = ({ payments }: RefundsNeeds) =>
  work(recordRefundJob, (payout) =>
    payments.recordRefund(payout, { actor: 'job:record-refund', correlationId: payout.payoutId }),
  )

type SweepNeeds = RefundsNeeds & {
  partsPaidBack: (attemptIds: readonly string[]) => Promise<readonly string[]>
}

/** Repairs lost jobs: tells attempts what went back. */
export const recordRefundsSweep = (needs: SweepNeeds): Sweep => {
  const name = 'record-refunds'
  const { payments } = needs
  return {
    name,
    run: async () => {
      const owing = await payments.owingAttempts()
      if (owing.length === 0) return
      const known = new Set(owing.flatMap(({ payouts }) => payouts))
      const ids = owing.map(({ attemptId }) => attemptId)
      const paid = await payoutsOf(needs)(await needs.partsPaidBack(ids))
      const faults: unknown[] = []
      for (const payout of paid.filter(({ payoutId }) => !known.has(payoutId)))
        await payments
          .recordRefund(payout, { actor: `job:${name}`, correlationId: payout.payoutId })
          .catch((fault: unknown) => {
            if (!(fault instanceof Refusal)) faults.push(fault)
          })
      if (faults.length > 0)
        throw new AggregateError(faults, `${faults.length} refunds could not be recorded`)
    },
  }
}
