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

export const alternativePaymentsView = rowView<AlternativePaymentRow>({
  name: 'payments-alternative-payments',
  table: 'payments.alternative_payments',
  key: 'attempt_id',
  columns: {
    attempt_id: 'uuid',
    reference: 'text',
    user_id: 'integer',
    total: 'integer',
    started_at: 'timestamptz',
  },
}).on(
  checkoutStarted,
  ({ data }) => data.attemptId,
  (_row, { data }) =>
    data.kind === 'alternative' && data.companyRef !== null
      ? {
          attempt_id: data.attemptId,
          reference: data.companyRef,
          user_id: data.userId,
          total: data.total,
          started_at: data.at,
        }
      : null,
)
