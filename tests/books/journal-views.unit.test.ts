import { bookingViews } from '#modules/books/journal/bookings.view'
import type { DomainEvent } from '#kernel/event'
import type { RowView } from '#platform/projections/row-view'
import { viewSpec } from '../support/view-spec'
import { attemptId, orderId, sample } from '../audit/sample-events'
import { transferId } from '../audit/sample-transfers'

const [, attempts, orders, refunds, transfers] = bookingViews('Africa/Lusaka') as [
  RowView,
  RowView,
  RowView,
  RowView,
  RowView,
]

const first: Record<string, [DomainEvent, string]> = {
  [attempts.table]: [sample('payments.checkout-started.v1'), attemptId],
  [orders.table]: [sample('ordering.lunch-ordered.v1'), orderId],
  [refunds.table]: [sample('refunds.refund-due.v1'), orderId],
  [transfers.table]: [sample('payments.transfer-confirmed.v1'), transferId],
}

const line = { index: 0, mealDate: '2026-09-22', price: 4500, credit: 0, orderId: null, waived: null }

/** What each event changes in its row, after the first event of that row. */
const changes: [RowView, string, object][] = [
  [
    attempts,
    'payments.checkout-started.v1',
    { kind: 'card', method: 'card', total: 4500, money: 'none', received: 0 },
  ],
  [attempts, 'payments.payment-verified.v1', { money: 'ours', received: 4500, fee: 50 }],
  [attempts, 'payments.payment-mismatched.v1', { money: 'undecided', received: 4000, fee: 0 }],
  [attempts, 'payments.mismatch-accepted.v1', { money: 'ours', received: 4000, shortfall: 500 }],
  [attempts, 'payments.orders-created.v1', { money: 'claimed', lines: [{ ...line, orderId }] }],
  [attempts, 'payments.lines-blocked.v1', { money: 'claimed' }],
  [attempts, 'payments.lines-amended.v1', { lines: [line] }],
  [
    attempts,
    'payments.remainder-waived.v1',
    { money: 'ours', surplus: 100, lines: [{ ...line, waived: 4500 }] },
  ],
  [attempts, 'credit.credit-spent.v1', { money: 'none', lines: [line] }],
  [
    orders,
    'ordering.lunch-ordered.v1',
    { attempt_id: attemptId, line: 0, cycle_id: 7, price: 4500, paid: 'at-once', status: 'pending' },
  ],
  [orders, 'ordering.order-completed.v1', { status: 'completed' }],
  [orders, 'ordering.order-reopened.v1', { status: 'pending' }],
  [orders, 'ordering.order-cancelled.v1', { status: 'cancelled' }],
  [orders, 'ordering.order-withdrawn.v1', { status: 'withdrawn' }],
  [orders, 'ordering.order-refunded.v1', { status: 'refunded' }],
  [orders, 'ordering.order-refund-still-owed.v1', { status: 'cancelled' }],
  [orders, 'ordering.order-payment-confirmed.v1', { paid: 'later', money: 4500 }],
  [orders, 'ordering.order-payment-undone.v1', { paid: 'not-yet', money: 0 }],
  [orders, 'ordering.order-changed.v1', { price: 3000, placed_price: 4500, money: 4500 }],
  [orders, 'credit.credit-given.v1', { deducted: [] }],
  [orders, 'credit.credit-taken-back.v1', { deducted: [] }],
  [orders, 'credit.credit-charged.v1', { charged: 4500 }],
  [refunds, 'refunds.refund-due.v1', { attempt_id: attemptId, part: '0', owed: 4500, status: 'due' }],
  [refunds, 'refunds.refund-withdrawn.v1', { owed: 0, status: 'withdrawn' }],
  [refunds, 'refunds.card-refund-requested.v1', { card: 'under_way' }],
  [refunds, 'refunds.card-refund-answered.v1', { card: 'failed' }],
  [refunds, 'refunds.card-refund-to-be-checked.v1', { card: 'unclear' }],
  [refunds, 'refunds.card-refund-found-failed.v1', { card: 'failed' }],
  [refunds, 'refunds.refund-paid-back.v1', { owed: 1500, paid_back: 3000, status: 'due' }],
  [transfers, 'payments.transfer-confirmed.v1', { id: transferId }],
  [transfers, 'payments.transfer-undone.v1', { id: transferId }],
]

test.each(changes.map(([view, type, row]) => [view.table, type, row, view] as const))(
  '%s counts %s once',
  (table, type, row, view) => {
    const [begin, key] = first[table]!
    const events = begin.type === type ? [begin] : [begin, sample(type)]
    viewSpec(view)
      .given(...events)
      .thenRow(key, expect.objectContaining(row))
  },
)

test('every event that these views hear is told above', () => {
  const heard = [attempts, orders, refunds, transfers].flatMap((view) =>
    view.events.map(({ type }) => `${view.table} ${type}`),
  )
  expect(changes.map(([view, type]) => `${view.table} ${type}`).toSorted()).toEqual(heard.toSorted())
})

test('what happens to an attempt, order or refund that nobody began makes no row', () => {
  for (const [view, type] of changes)
    if (view !== transfers && first[view.table]![0].type !== type)
      viewSpec(view).given(sample(type)).thenRows([])
})
