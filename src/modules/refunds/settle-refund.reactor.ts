import { z } from 'zod'
import type { EventOf } from '#kernel/event'
import { orderId } from '#kernel/id'
import { ngwee } from '#kernel/money'
import { Refusal } from '#kernel/refusal'
import { creditGiven, creditTakenBack, isOwedForCancelled } from '#modules/credit/published'
import { orderCancelled, orderPaymentUndone, orderReopened } from '#modules/ordering/published'
import { mismatchAccepted, remainderWaived } from '#modules/payments/published'
import { commandHandler, type By } from '#platform/event-store/command-handler'
import { job } from '#platform/jobs/job'
import { asked, whenever } from '#platform/jobs/whenever'
import { takingTurns } from '#platform/pacing'
import type { OwedNeeds, RefundsNeeds } from './ports'
import { refundIdOfPart, refundPaidBack, type Refund } from './refund'
import { turnIntoCredit, payoutsOf } from './refund-as-credit.commands'
import { settleRefund } from './refund.commands'
import { refundDecider } from './refund.decide'

const settleRefundJob = job({
  name: 'settle-refund',
  payload: z.union([z.object({ orderId }), z.object({ attemptId: z.uuid() })]),
  attempts: 10,
  backoffMs: 1000,
})

const owedMoneyChanges = [
  orderCancelled,
  orderReopened,
  orderPaymentUndone,
  creditGiven,
  creditTakenBack,
  remainderWaived,
  mismatchAccepted,
] as const

type OwedMoneyChange = EventOf<(typeof owedMoneyChanges)[number]>
/** Orders cancelled, reopened, unpaid again or with deductions; waived lines and surpluses of attempts. */
export const settleRefunds = (needs: OwedNeeds) => {
  const turns = takingTurns()
  return whenever({
    queue: needs.queue,
    reactor: 'settle-refund-when-owed-money-changes',
    after: owedMoneyChanges,
    asks: (event, eventId) =>
      aboutOf(event).map((about) => asked(settleRefundJob, about, { id: `settle-${eventId}` })),
    job: settleRefundJob,
    act: (about, by) =>
      'orderId' in about
        ? settleRefund(needs)(about.orderId, by)
        : openAttemptRefunds(needs)(about.attemptId, by),
    sweep: {
      name: 'settle-refunds',
      due: async () => {
        const listed = [...(await unsettledOrders(needs)), ...(await unsettledAttempts(needs))]
        const due = turns.due(listed.map(({ seen }) => seen))
        return listed.filter(({ seen }) => due.has(seen))
      },
      id: ({ id }) => id,
      act: async ({ seen, settle }, by) => {
        await settle(by)
        turns.isSettled(seen)
      },
    },
  })
}

const aboutOf = ({ data }: OwedMoneyChange): ({ orderId: string } | { attemptId: string })[] => {
  if (!('entryId' in data))
    return ['orderId' in data ? { orderId: data.orderId } : { attemptId: data.attemptId }]
  const { about, entryId } = data
  return about.orderId === null || isOwedForCancelled(entryId) ? [] : [{ orderId: about.orderId }]
}

type Unsettled = { id: string; seen: string; settle: (by: By) => Promise<void> }

/** Cancelled orders without refund, active ones with one, later credit. */
const unsettledOrders = async (needs: OwedNeeds): Promise<Unsettled[]> => {
  const { ordering, ordersOwed, credit } = needs
  const [cancelled, owed] = await Promise.all([
    ordering.orderIdsWhere({ state: 'cancelled-paid' }),
    ordersOwed(),
  ])
  const isCancelled = new Set(cancelled)
  const isOwed = new Set(owed)
  const owedAsCancelled = cancelled.filter((id) => isOwed.has(id))
  const entries = owedAsCancelled.length === 0 ? [] : await credit.entriesOfOrders(owedAsCancelled)
  const settleOrder = settleRefund(needs)
  const unsettled = (id: string, seen = id): Unsettled => ({
    id,
    seen,
    settle: (by) => settleOrder(id, by),
  })
  return [
    ...cancelled.filter((id) => !isOwed.has(id)).map((id) => unsettled(id)),
    ...owed.filter((id) => !isCancelled.has(id)).map((id) => unsettled(id)),
    // Given credit lowers what is owed.
    ...[...entries].map(([id, count]) => unsettled(id, `${id}, ${count} entries of credit`)),
  ]
}

/** Lines that never became orders. */
const unsettledAttempts = async (needs: RefundsNeeds): Promise<Unsettled[]> => {
  const open = openAttemptRefunds(needs)
  return (await needs.payments.owingAttempts()).map(({ attemptId, parts }) => ({
    id: attemptId,
    seen: `${attemptId}, ${parts.join()}`,
    settle: (by) => open(attemptId, by),
  }))
}

/** Opens all refunds of an attempt; credit of a closed day is given at once. Repeatable. */
export const openAttemptRefunds = (needs: RefundsNeeds) => {
  const { payments } = needs
  const handle = commandHandler(refundDecider, needs)
  return async (attemptId: string, by: By): Promise<void> => {
    for (const { closure, ...owed } of await payments.owedByAttempt(attemptId)) {
      const refundId = refundIdOfPart(attemptId, owed.part)
      const reason = owed.part === 'surplus' ? ('overpaid' as const) : ('line_waived' as const)
      const due = { ...owed, refundId, orderId: null, attemptId, reason }
      const open = (refund: Refund, at: Date) => refundDecider.decide({ kind: 'open', due, now: at }, refund)
      const { state } = await handle(refundId, by, open, `${refundId}/due`)
      if (closure?.remedy !== 'credit' || state.status !== 'due') continue
      const idempotencyKey = `closure ${closure.id}`
      await turnIntoCredit(needs)({ refundId, idempotencyKey, administrator: closure.by, by })
    }
  }
}

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

/** Tells attempts what went back. Only money without an order: an order's own refund is handled with the order. */
export const recordRefunds = (needs: OwedNeeds) => {
  const { payments } = needs
  return whenever({
    queue: needs.queue,
    reactor: 'record-refund-when-paid-back',
    after: [refundPaidBack],
    asks: ({ data: { orderId, attemptId, part, payoutId, amount } }, eventId) =>
      orderId === null
        ? [asked(recordRefundJob, { attemptId, part, payoutId, amount }, { id: `record-${eventId}` })]
        : [],
    job: recordRefundJob,
    act: (payout, by) => payments.recordRefund(payout, by),
    sweep: {
      name: 'record-refunds',
      due: async () => {
        const owing = await payments.owingAttempts()
        if (owing.length === 0) return []
        const known = new Set(owing.flatMap(({ payouts }) => payouts))
        const parts = await needs.partsPaidBack(owing.map(({ attemptId }) => attemptId))
        return (await payoutsOf(needs)(parts)).filter(({ payoutId }) => !known.has(payoutId))
      },
      id: ({ payoutId }) => payoutId,
      act: (payout, by) =>
        payments.recordRefund(payout, by).catch((fault: unknown) => {
          if (!(fault instanceof Refusal)) throw fault
        }),
    },
  })
}
