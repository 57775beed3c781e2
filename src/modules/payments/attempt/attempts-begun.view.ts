import { rowView } from '#platform/projections/row-view'
import { checkoutStarted } from './events'
import type { Checkout } from './events'

/** How many payment attempts of one kind there are. */
type BegunRow = { kind: Checkout['kind']; begun: number }

/** Counts the attempts as they begin, so that Live Orders knows its pages without counting ten years of them. */
export const attemptsBegunView = rowView<BegunRow>({
  name: 'payments-attempts-begun',
  table: 'payments.attempts_begun',
  key: 'kind',
  columns: { kind: 'text', begun: 'integer' },
})

attemptsBegunView.on(
  checkoutStarted,
  ({ data }) => data.kind,
  (row, { data: { kind } }) => ({ kind, begun: (row?.begun ?? 0) + 1 }),
)
