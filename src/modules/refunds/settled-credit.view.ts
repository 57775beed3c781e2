import { changeOf, creditCharged, creditGiven, creditTakenBack } from '#modules/credit/published'
import { orderChanged } from '#modules/ordering/published'
import { rowView } from '#platform/projections/row-view'
import { refundPaidBack } from './refund'

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
