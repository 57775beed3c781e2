import { rowView } from '#platform/projections/row-view'
import { checkoutStarted } from '../attempt/events'

/** The reference that a parent pays with outside of the card provider; `total` in ngwee. */
export type AlternativePaymentRow = {
  attempt_id: string
  reference: string
  user_id: number
  total: number
  started_at: string | Date
}

export const alternativePaymentsView = rowView({
  table: 'payments.alternative_payments',
  columns: {
    attempt_id: 'uuid',
    reference: 'text',
    user_id: 'integer',
    total: 'integer',
    started_at: 'timestamptz',
  },
  primaryKey: 'attempt_id',
  events: [checkoutStarted],
  key: ({ data }) => data.attemptId,
  evolve: (_row: AlternativePaymentRow | null, { data }): AlternativePaymentRow | null => {
    const { kind, attemptId, companyRef, userId, total, at } = data
    if (kind !== 'alternative' || companyRef === null) return null
    return { attempt_id: attemptId, reference: companyRef, user_id: userId, total, started_at: at }
  },
})
