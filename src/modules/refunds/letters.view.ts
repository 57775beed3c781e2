import { rowView } from '#platform/projections/row-view'
import { refundPaidBack } from './refund'
import { isCashOut } from './refund.decide'

export type LetterRow = { id: string; refund_id: string; at: string | Date }

/** Only money: no credit, no waivers. */
export const lettersView = rowView({
  table: 'refunds.letters',
  columns: { id: 'uuid', refund_id: 'text', at: 'timestamptz' },
  primaryKey: 'id',
  events: [refundPaidBack],
  key: ({ data }) => data.payoutId,
  evolve: (_row: LetterRow | null, { data }): LetterRow | null =>
    isCashOut(data.method) ? { id: data.payoutId, refund_id: data.refundId, at: data.at } : null,
})
