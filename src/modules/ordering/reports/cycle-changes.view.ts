import { parseOrderId } from '#kernel/id'
import { rowView } from '#platform/projections/row-view'
import { orderEventTypes } from '../orders/order'

/** `position` is that of the last event about an order of the cycle: while it is the same, so are the orders. */
type CycleChange = { cycle_id: number; position: string }

const cycleOf = (orderId: string): number => parseOrderId(orderId)!.slot.cycleId

/**
 * One row per cycle that was ever ordered in. It hears what `ordering.orders` is made of, and both are written in one
 * transaction, so what is made of a cycle's orders can be kept together with this position. Whether it still holds is
 * asked by "the same?", never by "later?": each event store spells its positions in its own way.
 */
export const cycleChangesView = rowView({
  table: 'ordering.cycle_changes',
  columns: { cycle_id: 'integer', position: 'text' },
  primaryKey: 'cycle_id',
  events: orderEventTypes,
  key: ({ data }) => String(cycleOf(data.orderId)),
  evolve: (_row: CycleChange | null, { data, position }): CycleChange => ({
    cycle_id: cycleOf(data.orderId),
    position,
  }),
})
