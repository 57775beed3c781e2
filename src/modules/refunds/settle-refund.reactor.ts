import { z } from 'zod'
import { eventReader } from '#kernel/event'
import { orderId } from '#kernel/id'
import { ngwee } from '#kernel/money'
import { Refusal } from '#kernel/refusal'
import { creditGiven, creditTakenBack, isOwedForCancelled } from '#modules/credit/published'
import { orderCancelled, orderPaymentUndone, orderReopened } from '#modules/ordering/published'
import { mismatchAccepted, remainderWaived } from '#modules/payments/published'
import { commandHandler, type By } from '#platform/event-store/command-handler'
import { job, work } from '#platform/jobs/job'
import type { Reactor, Sweep } from '#platform/module'
import { takingTurns } from '#platform/pacing'
import type { RefundsNeeds } from './ports'
import { refundIdOfPart, refundPaidBack, type Refund } from './refund'
import { turnIntoCredit, payoutsOf } from './refund-as-credit.commands'
import { settleRefund } from './refund.commands'
import { refundDecider } from './refund.decide'

const eventId = z.uuid()

const settleRefundJob = job({
  name: 'settle-refund',
  payload: z.union([z.object({ orderId, eventId }), z.object({ attemptId: z.uuid(), eventId })]),
  attempts: 10,
  backoffMs: 1000,
})

const types = [
  orderCancelled,
  orderReopened,
  orderPaymentUndone,
  creditGiven,
  creditTakenBack,
  remainderWaived,
  mismatchAccepted,
] as const
const read = eventReader(...types)

/** Orders cancelled, reopened, unpaid again or with deductions; waived lines and surpluses of attempts. */
export const settleRefundWhenOwedMoneyChanges = (queue: RefundsNeeds['queue']): Reactor => ({
  name: 'settle-refund-when-owed-money-changes',
  types: types.map(({ type }) => type),
  react: async ({ id: eventId, ...stored }) => {
    const event = read(stored)
    const about = event && aboutOf(event)
    if (about) await queue.enqueue(settleRefundJob, { ...about, eventId }, { id: `settle-${eventId}` })
  },
})

const aboutOf = ({
  data,
}: NonNullable<ReturnType<typeof read>>): { orderId: string } | { attemptId: string } | null => {
  if (!('entryId' in data))
    return 'orderId' in data ? { orderId: data.orderId } : { attemptId: data.attemptId }
  const { about, entryId } = data
  return about.orderId === null || isOwedForCancelled(entryId) ? null : { orderId: about.orderId }
}

export const settleRefundWork = (needs: RefundsNeeds) => {
  const settleOrder = settleRefund(needs)
  const openAttempt = openAttemptRefunds(needs)
  return work(settleRefundJob, (payload) => {
    const by = { actor: 'job:settle-refund', correlationId: payload.eventId }
    return 'orderId' in payload ? settleOrder(payload.orderId, by) : openAttempt(payload.attemptId, by)
  })
}

type SweepNeeds = RefundsNeeds & {
  ordersOwed: () => Promise<readonly string[]>
}

type Unsettled = { id: string; seen: string; settle: (by: By) => Promise<void> }

/** Repairs lost jobs: cancelled orders without refund, active ones with one, later credit, lines that never became orders. */
export const settleRefundsSweep = (needs: SweepNeeds): Sweep => {
  const name = 'settle-refunds'
  const turns = takingTurns()
  return {
    name,
    run: async () => {
      const faults: unknown[] = []
      const listed = [...(await unsettledOrders(needs)), ...(await unsettledAttempts(needs))]
      const due = turns.due(listed.map(({ seen }) => seen))
      for (const { id, seen, settle } of listed.filter((one) => due.has(one.seen)))
        await settle({ actor: `job:${name}`, correlationId: id }).then(
          () => turns.isSettled(seen),
          (fault) => faults.push(fault),
        )
      if (faults.length > 0) throw new AggregateError(faults, `${faults.length} refunds could not be settled`)
    },
  }
}

const unsettledOrders = async (needs: SweepNeeds): Promise<Unsettled[]> => {
  const { ordering, ordersOwed, credit } = needs
  const [cancelled, owed] = await Promise.all([ordering.cancelledPaidOrders(), ordersOwed()])
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

const unsettledAttempts = async (needs: SweepNeeds): Promise<Unsettled[]> => {
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

const readPaidBack = eventReader(refundPaidBack)

/** Only money without an order: an order's own refund is handled with the order. */
export const recordRefundWhenPaidBack = ({ queue }: RefundsNeeds): Reactor => ({
  name: 'record-refund-when-paid-back',
  types: [refundPaidBack.type],
  react: async (event) => {
    const heard = readPaidBack(event)
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

type RecordNeeds = RefundsNeeds & {
  partsPaidBack: (attemptIds: readonly string[]) => Promise<readonly string[]>
}

/** Repairs lost jobs: tells attempts what went back. */
export const recordRefundsSweep = (needs: RecordNeeds): Sweep => {
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
