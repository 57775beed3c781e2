import { z } from 'zod'
import { eventReader } from '#kernel/event'
import { decimalFromNgwee } from '#kernel/money'
import type { UserMessage } from '#kernel/user-message'
import { loadStream } from '#platform/event-store/command-handler'
import { job, work, type JobWork } from '#platform/jobs/job'
import type { Reactor } from '#platform/module'
import type { RefundsNeeds } from './needs'
import { refundPaidBack, type Due, type Payout } from './refund'
import { leavesTheAccount, refundDecider } from './refund.decide'

const tellRefundPaidJob = job({
  name: 'tell-family-of-refund-paid',
  payload: z.object({ refundId: z.string(), payoutId: z.uuid() }),
  attempts: 10,
  backoffMs: 1_000,
})

const read = eventReader(refundPaidBack)

/** A family hears of money that went back to it; credit and what a deleted family gave up is none. */
export const tellFamilyWhenRefundPaid = (queue: RefundsNeeds['queue']): Reactor => ({
  name: 'tell-family-when-refund-paid',
  types: [refundPaidBack.type],
  react: async (event) => {
    const data = read(event)?.data
    if (!data || !leavesTheAccount(data.method)) return
    const { refundId, payoutId } = data
    await queue.enqueue(tellRefundPaidJob, { refundId, payoutId }, { id: `refund-paid-${event.id}` })
  },
})

/** Safe to repeat: one payout is one message. */
export const tellRefundPaidWork = ({
  eventStore,
  identity,
}: Pick<RefundsNeeds, 'eventStore' | 'identity'>): JobWork =>
  work(tellRefundPaidJob, async ({ refundId, payoutId }) => {
    const { state } = await loadStream(eventStore, refundDecider, refundId)
    const payout = 'payouts' in state && state.payouts.find((one) => one.payoutId === payoutId)
    if (!payout) return
    await identity.messageUser(
      state.due.userId,
      refundPaidLetter(state.due, payout),
      `refund-paid-${payoutId}`,
    )
  })

const ways: Partial<Record<Payout['method'], string>> = {
  cash: ' in cash',
  mobile_money: ' by mobile money',
  bank: ' by bank transfer',
  card: ' to your card',
}

/** Tells of one payout: how much, for which meal, and what is still to come. */
export const refundPaidLetter = (
  { item, student }: Pick<Due, 'item' | 'student'>,
  { amount, stillOwed, method }: Pick<Payout, 'amount' | 'stillOwed' | 'method'>,
): UserMessage => {
  const paid = `The school has paid back K${decimalFromNgwee(amount)}${ways[method] ?? ''}`
  const rest = stillOwed > 0 ? ` K${decimalFromNgwee(stillOwed)} of it is still to be paid back.` : ''
  return {
    subject: 'Money was paid back to you',
    text: `${paid} for ${item.name} of ${student.name}.${rest}`,
    bareText: `${paid}.${rest}`,
    short: `${paid}.${rest}`,
  }
}
