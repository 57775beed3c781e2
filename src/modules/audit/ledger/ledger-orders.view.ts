import {
  lunchOrdered,
  orderCancelled,
  orderCompleted,
  orderPaymentConfirmed,
  orderRefunded,
  orderReopened,
  orderWithdrawn,
} from '#modules/ordering/published'
import type { EventOf } from '#kernel/event'
import { slotId } from '#kernel/id'
import { rowView } from '#platform/projections/row-view'
import type { LedgerOrder } from './ledger'

/** The money of each order, withdrawn ones too. */
export const ledgerOrdersView = rowView({
  table: 'audit.ledger_orders',
  columns: {
    id: 'text',
    attempt_id: 'uuid',
    line: 'integer',
    cycle_id: 'integer',
    slot: 'text',
    price: 'bigint',
    paid: 'text',
    status: 'text',
    changed_at: 'timestamptz',
  },
  primaryKey: 'id',
  events: [
    lunchOrdered,
    orderCompleted,
    orderReopened,
    orderCancelled,
    orderWithdrawn,
    orderRefunded,
    orderPaymentConfirmed,
  ],
  key: ({ data }) => data.orderId,
  evolve: (row: LedgerOrder | null, { type, data }): LedgerOrder | null => {
    if (type === lunchOrdered.type) return placed(data)
    if (row === null) return null
    switch (type) {
      case orderCompleted.type:
        return { ...row, status: 'completed', changed_at: data.at }
      case orderReopened.type:
        return { ...row, status: 'pending', changed_at: data.at }
      case orderCancelled.type:
        return { ...row, status: 'cancelled', changed_at: data.at }
      case orderWithdrawn.type:
        return { ...row, status: 'withdrawn', changed_at: data.at }
      case orderRefunded.type:
        return { ...row, status: 'refunded', changed_at: data.at }
      case orderPaymentConfirmed.type:
        return { ...row, paid: 'later' }
    }
  },
})

const placed = (order: EventOf<typeof lunchOrdered>['data']): LedgerOrder => ({
  id: order.orderId,
  attempt_id: order.attemptId,
  line: order.index,
  cycle_id: order.slot.cycleId,
  slot: slotId(order.slot),
  price: order.price,
  paid: order.paymentStatus === 'confirmed' ? 'at-once' : 'not-yet',
  status: 'pending',
  changed_at: order.at,
})
