import type { EventType } from '#kernel/event'
import { parseOrderId } from '#kernel/id'
import { rowView } from '#platform/projections/row-view'
import { ordersView } from '../orders/orders.view'

/** `position` is that of the last event about an order of the cycle: while it is the same, so are the orders. */
type CycleChange = { cycle_id: number; position: string }

/**
 * One row per cycle that was ever ordered in. It hears what `ordering.orders` is made of, and both are written in one
 * transaction, so what is made of a cycle's orders can be kept together with this position. Whether it still holds is
 * asked by "the same?", never by "later?": each event store spells its positions in its own way.
 */
export const cycleChangesView = rowView<CycleChange>({
  name: 'ordering-cycle-changes',
  table: 'ordering.cycle_changes',
  key: 'cycle_id',
  columns: { cycle_id: 'integer', position: 'text' },
})

const cycleOf = (orderId: string): number => parseOrderId(orderId)!.slot.cycleId

for (const { type } of ordersView.steps)
  cycleChangesView.anew(
    type as EventType<string, { orderId: string }>,
    ({ data }) => String(cycleOf(data.orderId)),
    ({ data, position }) => ({ cycle_id: cycleOf(data.orderId), position }),
  )
