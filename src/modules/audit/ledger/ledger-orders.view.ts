import {
  lunchOrdered,
  orderCancelled,
  orderCompleted,
  orderPaymentConfirmed,
  orderRefunded,
  orderReopened,
  orderWithdrawn,
} from '#modules/ordering/published'
import { slotId } from '#kernel/id'
import { rowView } from '#platform/projections/row-view'
import type { LedgerOrder } from './ledger'

/** The money of each order, withdrawn ones too. */
export const ledgerOrdersView = rowView<LedgerOrder>({
  name: 'audit-ledger-orders',
  table: 'audit.ledger_orders',
  key: 'id',
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
})

const orderOf = ({ data }: { data: { orderId: string } }) => data.orderId

const now =
  (status: LedgerOrder['status']) =>
  (row: LedgerOrder | null, { data }: { data: { at: string } }) =>
    row && { ...row, status, changed_at: data.at }

ledgerOrdersView
  .anew(lunchOrdered, orderOf, ({ data }) => ({
    id: data.orderId,
    attempt_id: data.attemptId,
    line: data.index,
    cycle_id: data.slot.cycleId,
    slot: slotId(data.slot),
    price: data.price,
    paid: data.paymentStatus === 'confirmed' ? 'at-once' : 'not-yet',
    status: 'pending',
    changed_at: data.at,
  }))
  .on(orderCompleted, orderOf, now('completed'))
  .on(orderReopened, orderOf, now('pending'))
  .on(orderCancelled, orderOf, now('cancelled'))
  .on(orderWithdrawn, orderOf, now('withdrawn'))
  .on(orderRefunded, orderOf, now('refunded'))
  .on(orderPaymentConfirmed, orderOf, (row) => row && { ...row, paid: 'later' })
