import { rowView } from '#platform/projections/row-view'
import { afterPayout, cardRefundEventTypes, evolveCard, type CardRefund } from './card-refund'
import { refundDue, refundPaidBack } from './refund'

export type CardRefundRow = { refund_id: string; state: CardRefund['state']; card: CardRefund }

export const cardRefundsView = rowView({
  table: 'refunds.card_refunds',
  columns: { refund_id: 'text', state: 'text', card: 'jsonb' },
  primaryKey: 'refund_id',
  events: [refundDue, refundPaidBack, ...cardRefundEventTypes],
  key: ({ data }) => data.refundId,
  evolve: (row: CardRefundRow | null, event): CardRefundRow | null => {
    if (event.type === refundDue.type) return null
    const card =
      event.type === refundPaidBack.type
        ? afterPayout(row?.card ?? null, event.data)
        : evolveCard(row?.card ?? null, event)
    return card && { refund_id: event.data.refundId, state: card.state, card }
  },
})
