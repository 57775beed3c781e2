import type { RefundsNeeds } from './needs'
import type { Ngwee } from '#kernel/money'
import { Refusal } from '#kernel/refusal'
import { limitConcurrency } from '#platform/limit-concurrency'
import type { By } from '#platform/event-store/command-handler'
import { isAskedAs } from './refund'
import { payBackRefund, payoutIdFor } from './refund.commands'
import type { PayoutRequest } from './refund.decide'
import { refusal } from './refusals'

type PayBackMany = {
  refundIds: readonly string[]
  payout: Omit<PayoutRequest, 'payoutId' | 'amount'>
  idempotencyKey: string | null
  by: By
}

type Skipped = { id: string; code: string; message: string }

const atOnce = 8

/** Records full payment of many refunds; others are skipped with a reason. Idempotent by key and refunds. */
export const payBackMany =
  (needs: RefundsNeeds) =>
  async ({ refundIds, payout, idempotencyKey, by }: PayBackMany) => {
    const ids = [...new Set(refundIds)]
    const inTurn = limitConcurrency(atOnce)
    const payBack = async (refundId: string): Promise<Ngwee | Skipped> => {
      const payoutId = payoutIdFor(refundId, idempotencyKey)
      try {
        const asked = { refundId, payoutId, payout: { ...payout, amount: null }, by }
        const refund = await payBackRefund(needs)(asked)
        if (isAskedAs(refund, payoutId)) throw refusal('approval')
        const done = 'payouts' in refund ? refund.payouts.find((one) => one.payoutId === payoutId) : undefined
        if (!done) throw refusal('refund_paid_back')
        return done.amount
      } catch (error) {
        if (!(error instanceof Refusal) || error.code === 'idempotency_key_reused') throw error
        return { id: refundId, code: error.code, message: error.message }
      }
    }
    const settled = await Promise.allSettled(ids.map((id) => inTurn(() => payBack(id))))
    const answers = settled.map((one) => {
      if (one.status === 'rejected') throw one.reason
      return one.value
    })
    const amounts = answers.filter((answer): answer is Ngwee => typeof answer === 'number')
    return {
      completed: amounts.length,
      amount: amounts.reduce((sum, amount) => sum + amount, 0),
      skipped: answers.filter((answer): answer is Skipped => typeof answer !== 'number'),
    }
  }
