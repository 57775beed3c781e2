import { rowView } from '#platform/projections/row-view'
import { checkoutStarted, type Checkout } from './events'

/** How many payment attempts of one kind there are. */
type BegunRow = { kind: Checkout['kind']; begun: number }

/** Counts the attempts as they begin, so that Live Orders knows its pages without counting ten years of them. */
export const attemptsBegunView = rowView({
  table: 'payments.attempts_begun',
  columns: { kind: 'text', begun: 'integer' },
  primaryKey: 'kind',
  events: [checkoutStarted],
  key: ({ data }) => data.kind,
  evolve: (row: BegunRow | null, { data }): BegunRow => ({ kind: data.kind, begun: (row?.begun ?? 0) + 1 }),
})
