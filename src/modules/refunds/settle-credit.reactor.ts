import type { Knex } from 'knex'
import { z } from 'zod'
import { eventReader } from '#kernel/event'
import { orderId } from '#kernel/id'
import { changeOf, creditCharged, creditGiven, creditTakenBack } from '#modules/credit/published'
import {
  absenceMarked,
  absenceTakenBack,
  orderCancelled,
  orderPaymentConfirmed,
  orderPaymentUndone,
  orderReopened,
  orderChanged,
} from '#modules/ordering/published'
import { job, work } from '#platform/jobs/job'
import type { Reactor, Sweep } from '#platform/module'
import { takingTurns } from '#platform/pacing'
import { rowView } from '#platform/projections/row-view'
import type { RefundsNeeds } from './ports'
import { refundPaidBack } from './refund'
import { settleRefundAsCredit } from './refund-as-credit.commands'
import { maxCommandMs, settleOrderCredit } from './settle-order-credit.commands'

const eventId = z.uuid()

const settleCreditJob = job({
  name: 'settle-credit',
  payload: z.union([z.object({ orderId, eventId }), z.object({ refundId: z.string(), eventId })]),
  attempts: 10,
  backoffMs: 1000,
})

const types = [
  orderCancelled,
  orderReopened,
  absenceMarked,
  absenceTakenBack,
  orderPaymentConfirmed,
  orderPaymentUndone,
  refundPaidBack,
] as const
const read = eventReader(...types)

/** Orders cancelled, reopened, paid or withdrawn; absences reported or taken back; refunds paid or turned into credit. */
export const settleCreditWhenOrderOrRefundChanges = ({ queue }: RefundsNeeds): Reactor => ({
  name: 'settle-credit-when-order-or-refund-changes',
  types: types.map(({ type }) => type),
  react: async ({ id, ...stored }) => {
    const event = read(stored)
    if (!event) return
    if (event.data.orderId !== null)
      await queue.enqueue(
        settleCreditJob,
        { orderId: event.data.orderId, eventId: id },
        { id: `credit-${id}` },
      )
    if (event.type === refundPaidBack.type && event.data.method === 'credit')
      await queue.enqueue(
        settleCreditJob,
        { refundId: event.data.refundId, eventId: id },
        { id: `credit-of-refund-${id}` },
      )
  },
})

export const settleCreditWork = (needs: RefundsNeeds) => {
  const settleOrder = settleOrderCredit(needs)
  const settleRefund = settleRefundAsCredit(needs)
  return work(settleCreditJob, (payload) => {
    const by = { actor: 'job:settle-credit', correlationId: payload.eventId }
    return 'orderId' in payload ? settleOrder(payload.orderId, by) : settleRefund(payload.refundId, by)
  })
}

type SweepNeeds = RefundsNeeds & {
  ordersWithUnsettledChanges: (before: Date) => Promise<readonly string[]>
  refundsNotGiven: () => Promise<readonly string[]>
}

/** Repairs lost jobs, for orders and for refunds turned into credit. */
export const settleCreditSweep = (needs: SweepNeeds): Sweep => {
  const name = 'settle-credit'
  const byOf = (id: string) => ({ actor: `job:${name}`, correlationId: id })
  const settleOrder = settleOrderCredit(needs)
  const settleRefund = settleRefundAsCredit(needs)
  const turns = takingTurns()
  return {
    name,
    run: async () => {
      const faults: unknown[] = []
      const attempt = (settling: Promise<unknown>) => settling.catch((fault: unknown) => faults.push(fault))
      for (const id of await needs.refundsNotGiven()) await attempt(settleRefund(id, byOf(id)))
      for (const id of turns.due(await unsettledOrders(needs)))
        await attempt(settleOrder(id, byOf(id)).then(() => turns.isSettled(id)))
      if (faults.length > 0)
        throw new AggregateError(faults, `Credit of ${faults.length} orders or refunds could not be settled`)
    },
  }
}

const unsettledOrders = async (needs: SweepNeeds): Promise<string[]> => {
  const { ordering, credit } = needs
  const [checkouts, charged] = await Promise.all([credit.checkoutsThatSpent(), credit.ordersCharged()])
  const [owing, given, absent, givenAbsent, changed] = await Promise.all([
    ordering.cancelledOwingCredit(checkouts, charged),
    credit.ordersGivenCredit('order'),
    ordering.absentOwingCredit(),
    credit.ordersGivenCredit('absence'),
    needs.ordersWithUnsettledChanges(new Date(needs.now().getTime() - maxCommandMs)),
  ])
  return [...new Set([...inOneOf(owing, given), ...inOneOf(absent, givenAbsent), ...changed])]
}

const inOneOf = (some: readonly string[], others: readonly string[]): string[] => {
  const [isSome, isOther] = [new Set(some), new Set(others)]
  return [...some.filter((id) => !isOther.has(id)), ...others.filter((id) => !isSome.has(id))]
}

export const ordersWithUnsettledChanges =
  (knex: Knex) =>
  (before: Date): Promise<string[]> =>
    knex('credit.meal_changes')
      .whereRaw('settled <> changed')
      .where('at', '<', before)
      .distinct()
      .pluck('order_id')

export const refundsNotGiven = (knex: Knex) => (): Promise<string[]> =>
  knex('credit.refunds_as_credit')
    .leftJoin('credit.given', 'id', knex.raw(`'refund/' || payout_id`))
    .whereNull('id')
    .distinct()
    .pluck('refund_id')

type RefundAsCreditRow = { payout_id: string; refund_id: string }

export const refundsAsCreditView = rowView({
  table: 'credit.refunds_as_credit',
  columns: { payout_id: 'uuid', refund_id: 'text' },
  primaryKey: 'payout_id',
  events: [refundPaidBack],
  key: ({ data }) => data.payoutId,
  evolve: (_row: RefundAsCreditRow | null, { data }): RefundAsCreditRow | null =>
    data.method === 'credit' ? { payout_id: data.payoutId, refund_id: data.refundId } : null,
})

type MealChangeRow = {
  id: string
  order_id: string
  settled: boolean
  changed: boolean
  at: string
}

export const mealChangesView = rowView({
  table: 'credit.meal_changes',
  columns: { id: 'text', order_id: 'text', settled: 'boolean', changed: 'boolean', at: 'timestamptz' },
  primaryKey: 'id',
  events: [creditGiven, creditTakenBack, creditCharged, orderChanged],
  key: ({ type, data }) =>
    type === orderChanged.type ? data.changeId : (changeOf(data.entryId)?.changeId ?? data.entryId),
  evolve: (row: MealChangeRow | null, { type, data }): MealChangeRow | null => {
    const { at } = data
    // No row: the change made no price difference.
    if (type === orderChanged.type) return row && { ...row, changed: true, at }
    const { entryId, about } = data
    const change = changeOf(entryId)
    if (!change || about.orderId === null) return null
    const settled = (type === creditTakenBack.type) === change.isReturn
    return { id: change.changeId, order_id: about.orderId, settled, changed: row?.changed ?? false, at }
  },
})
