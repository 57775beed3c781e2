import type { Knex } from 'knex'
import { z } from 'zod'
import { column, type RowOf } from '#kernel/column'
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
import type { By } from '#platform/event-store/command-handler'
import { job } from '#platform/jobs/job'
import { asked, whenever } from '#platform/jobs/whenever'
import { takingTurns } from '#platform/pacing'
import { rowView } from '#platform/projections/row-view'
import type { OwedNeeds } from './ports'
import { refundPaidBack } from './refund'
import { settleRefundAsCredit } from './refund-as-credit.commands'
import { maxCommandMs, settleOrderCredit } from './settle-order-credit.commands'

const settleCreditJob = job({
  name: 'settle-credit',
  payload: z.union([z.object({ orderId }), z.object({ refundId: z.string() })]),
  attempts: 10,
  backoffMs: 1000,
})

/** Orders cancelled, reopened, paid or withdrawn; absences reported or taken back; refunds paid or turned into credit. */
export const settleCredit = (needs: OwedNeeds) => {
  const turns = takingTurns()
  const settle = (about: { orderId: string } | { refundId: string }, by: By) =>
    'orderId' in about
      ? settleOrderCredit(needs)(about.orderId, by)
      : settleRefundAsCredit(needs)(about.refundId, by)
  return whenever({
    queue: needs.queue,
    reactor: 'settle-credit-when-order-or-refund-changes',
    after: [
      orderCancelled,
      orderReopened,
      absenceMarked,
      absenceTakenBack,
      orderPaymentConfirmed,
      orderPaymentUndone,
      refundPaidBack,
    ],
    asks: ({ type, data }, eventId) => [
      ...(data.orderId === null
        ? []
        : [asked(settleCreditJob, { orderId: data.orderId }, { id: `credit-${eventId}` })]),
      ...(type === refundPaidBack.type && data.method === 'credit'
        ? [asked(settleCreditJob, { refundId: data.refundId }, { id: `credit-of-refund-${eventId}` })]
        : []),
    ],
    job: settleCreditJob,
    act: settle,
    sweep: {
      name: 'settle-credit',
      due: async () => [
        ...(await needs.refundsNotGiven()).map((refundId) => ({ refundId })),
        ...[...turns.due(await unsettledOrders(needs))].map((orderId) => ({ orderId })),
      ],
      id: (about) => ('orderId' in about ? about.orderId : about.refundId),
      act: async (about, by) => {
        await settle(about, by)
        if ('orderId' in about) turns.isSettled(about.orderId)
      },
    },
  })
}

const unsettledOrders = async (needs: OwedNeeds): Promise<string[]> => {
  const { ordering, credit } = needs
  const [checkouts, charged] = await Promise.all([credit.checkoutsThatSpent(), credit.ordersCharged()])
  const [owing, given, absent, givenAbsent, changed] = await Promise.all([
    Promise.all([
      ordering.orderIdsWhere({ state: 'ended-as-credit' }),
      ordering.orderIdsWhere({ state: 'ended', attemptIds: checkouts }),
      ordering.orderIdsWhere({ state: 'ended', ids: charged }),
    ]),
    credit.ordersGivenCredit('order'),
    ordering.orderIdsWhere({ state: 'paid-absent' }),
    credit.ordersGivenCredit('absence'),
    needs.ordersWithUnsettledChanges(new Date(needs.now().getTime() - maxCommandMs)),
  ])
  return [...new Set([...inOneOf(owing.flat(), given), ...inOneOf(absent, givenAbsent), ...changed])]
}

const inOneOf = (some: readonly string[], others: readonly string[]): string[] => {
  const [isSome, isOther] = [new Set(some), new Set(others)]
  return [...some.filter((id) => !isOther.has(id)), ...others.filter((id) => !isSome.has(id))]
}

export const ordersWithUnsettledChanges =
  (knex: Knex) =>
  (before: Date): Promise<string[]> =>
    knex('refunds.meal_changes')
      .whereRaw('settled <> changed')
      .where('at', '<', before)
      .distinct()
      .pluck('order_id')

export const refundsNotGiven = (knex: Knex) => (): Promise<string[]> =>
  knex('refunds.refunds_as_credit')
    .leftJoin('credit.given', 'id', knex.raw(`'refund/' || payout_id`))
    .whereNull('id')
    .distinct()
    .pluck('refund_id')

const refundAsCreditColumns = {
  payout_id: column<string>('uuid'),
  refund_id: column<string>('text'),
}
type RefundAsCreditRow = RowOf<typeof refundAsCreditColumns>

export const refundsAsCreditView = rowView({
  table: 'refunds.refunds_as_credit',
  columns: refundAsCreditColumns,
  primaryKey: 'payout_id',
  events: [refundPaidBack],
  key: ({ data }) => data.payoutId,
  evolve: (_row: RefundAsCreditRow | null, { data }): RefundAsCreditRow | null =>
    data.method === 'credit' ? { payout_id: data.payoutId, refund_id: data.refundId } : null,
})

const mealChangeColumns = {
  id: column<string>('text'),
  order_id: column<string>('text'),
  settled: column<boolean>('boolean'),
  changed: column<boolean>('boolean'),
  at: column<string>('timestamptz'),
}
type MealChangeRow = RowOf<typeof mealChangeColumns>

export const mealChangesView = rowView({
  table: 'refunds.meal_changes',
  columns: mealChangeColumns,
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
