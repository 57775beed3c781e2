import { entriesView } from '#modules/audit/history/entries.view'
import {
  ledgerCreditAccountsView,
  ledgerCreditGivenView,
  ledgerCreditSpentView,
} from '#modules/audit/ledger/credit-ledger.view'
import { ledgerViews } from '#modules/audit/ledger/audit-run.commands'
import { ledgerAttemptsView, ledgerOrdersView } from '#modules/audit/ledger/ledger.view'
import { ledgerRefundsView } from '#modules/audit/ledger/refund-ledger.view'
import { ledgerTransfersView } from '#modules/audit/ledger/transfer-ledger.view'
import { lunchOrdered } from '#modules/ordering/published'
import { checkoutStarted } from '#modules/payments/published'
import { refundDue } from '#modules/refunds/published'
import type { DomainEvent } from '#kernel/event'
import type { RowView } from '#platform/projections/row-view'
import { recorded } from '../support/recorded-events'
import { viewSpec } from '../support/view-spec'
import { changed } from './auditing'
import { attemptId, orderId, sample, samples } from './sample-events'
import { transferId } from './sample-transfers'

const id = '0199a000-0000-7000-8000-0000000000ee'
const entry = (event: DomainEvent) => ({
  event_id: id,
  position: '00000000000000000001',
  at: '2026-09-15T06:00:01.000Z',
  actor: 'user:5',
  who: null,
  attempt_id: attemptId,
  order_id: null,
  slot: null,
  transfer_id: null,
  takes_order_price: false,
  ...event,
})
const happened = (event: DomainEvent, actor = 'user:5') =>
  recorded(event, { id, at: '2026-09-15T06:00:01.000Z', actor })

test.each(samples.map(([event, what]) => [event.type, what] as const))(
  'the history has one entry of %s, however often it is delivered',
  (type, what) => {
    const rows = viewSpec(entriesView).given(happened(sample(type)))
    rows.thenRow(id, expect.objectContaining({ event_id: id, what }))
  },
)

describe('an entry knows what it belongs to', () => {
  test.each<[string, DomainEvent, object]>([
    ['an attempt', sample('payments.lines-released.v1'), {}],
    ['a day that is kept', sample('ordering.lunch-reserved.v1'), { slot: '118.2026-09-22' }],
    ['an order and its attempt', sample('ordering.lunch-ordered.v1'), { order_id: orderId }],
    [
      'an order, whose price it takes',
      sample('ordering.order-cancelled.v1'),
      { attempt_id: null, order_id: orderId, takes_order_price: true },
    ],
    ['a transfer', sample('payments.transfer-undone.v1'), { attempt_id: null, transfer_id: transferId }],
    [
      'an order and the transfer that paid for it',
      sample('ordering.order-payment-undone.v1'),
      { attempt_id: null, order_id: orderId, takes_order_price: true, transfer_id: transferId },
    ],
    ['the order of a refund', sample('refunds.refund-withdrawn.v1'), { attempt_id: null, order_id: orderId }],
    [
      'the attempt of a refund',
      changed(sample('refunds.refund-withdrawn.v1'), { refundId: `${attemptId}.surplus` }),
      {},
    ],
    [
      'nothing, where a refund is named strangely',
      changed(sample('refunds.refund-withdrawn.v1'), { refundId: 'strange' }),
      { attempt_id: null },
    ],
  ])('%s', (_what, event, belonging) => {
    const { type: _type, data: _data, ...expected } = { ...entry(event), ...belonging }
    viewSpec(entriesView).given(happened(event)).thenRow(id, expect.objectContaining(expected))
  })
})

test('an entry of something that happened by itself says so in words', () => {
  viewSpec(entriesView)
    .given(happened(sample('payments.lines-released.v1'), 'job:finish-free-checkouts'))
    .thenRow(id, expect.objectContaining({ who: 'Tuckshop (finish free checkouts)' }))
})

test('a meal that lapsed says why it was cancelled', () => {
  const lapsed = changed(sample('ordering.order-cancelled.v1'), { by: 'system' })
  viewSpec(entriesView)
    .given(happened(lapsed, 'job:lapse-unpaid-meals'))
    .thenRow(
      id,
      expect.objectContaining({
        who: 'Tuckshop (lapse unpaid meals)',
        what: 'Order cancelled, as nobody had paid for it at the cutoff of its day',
      }),
    )
})

const started = sample(checkoutStarted.type)
const ordered = sample(lunchOrdered.type)
const due = sample(refundDue.type)
const first: Record<string, [DomainEvent, string]> = {
  [ledgerAttemptsView.table]: [started, attemptId],
  [ledgerOrdersView.table]: [ordered, orderId],
  [ledgerRefundsView.table]: [due, orderId],
  [ledgerTransfersView.table]: [sample('payments.transfer-confirmed.v1'), transferId],
  [ledgerCreditAccountsView.table]: [sample('credit.credit-given.v1'), '21'],
  [ledgerCreditGivenView.table]: [sample('credit.credit-given.v1'), 'cancelled/1'],
  [ledgerCreditSpentView.table]: [sample('credit.credit-held.v1'), attemptId],
}

const creditLine = (status: string) => ({
  attempt_id: attemptId,
  lines: [{ index: 0, amount: 4500, status }],
})

/** What each event changes in its row, after the first event of that row. */
const changes: [RowView, string, object][] = [
  [
    ledgerAttemptsView,
    'payments.checkout-started.v1',
    { kind: 'card', total: 4500, money: 'none', received: 0 },
  ],
  [ledgerAttemptsView, 'payments.payment-verified.v1', { money: 'ours', received: 4500, fee: 50 }],
  [ledgerAttemptsView, 'payments.payment-mismatched.v1', { money: 'undecided', received: 4000, fee: 0 }],
  [ledgerAttemptsView, 'payments.mismatch-accepted.v1', { money: 'ours', received: 4000, shortfall: 500 }],
  [
    ledgerAttemptsView,
    'payments.orders-created.v1',
    { money: 'claimed', lines: [{ index: 0, price: 4500, credit: 0, orderId, waived: null }] },
  ],
  [ledgerAttemptsView, 'payments.lines-blocked.v1', { money: 'claimed' }],
  [
    ledgerAttemptsView,
    'payments.lines-amended.v1',
    { lines: [{ index: 0, price: 4500, credit: 0, orderId: null, waived: null }] },
  ],
  [
    ledgerAttemptsView,
    'payments.remainder-waived.v1',
    {
      money: 'ours',
      surplus: 100,
      lines: [{ index: 0, price: 4500, credit: 0, orderId: null, waived: 4500 }],
    },
  ],
  [
    ledgerOrdersView,
    'ordering.lunch-ordered.v1',
    {
      attempt_id: attemptId,
      line: 0,
      cycle_id: 7,
      slot: '118.2026-09-22',
      price: 4500,
      paid: 'at-once',
      status: 'pending',
    },
  ],
  [ledgerOrdersView, 'ordering.order-completed.v1', { status: 'completed' }],
  [ledgerOrdersView, 'ordering.order-reopened.v1', { status: 'pending' }],
  [ledgerOrdersView, 'ordering.order-cancelled.v1', { status: 'cancelled' }],
  [ledgerOrdersView, 'ordering.order-withdrawn.v1', { status: 'withdrawn' }],
  [ledgerOrdersView, 'ordering.order-refunded.v1', { status: 'refunded' }],
  [ledgerOrdersView, 'ordering.order-refund-still-owed.v1', { status: 'cancelled' }],
  [ledgerOrdersView, 'ordering.order-payment-confirmed.v1', { paid: 'later', money: 4500 }],
  [ledgerOrdersView, 'ordering.order-payment-undone.v1', { paid: 'not-yet', money: 0 }],
  [ledgerOrdersView, 'ordering.order-changed.v1', { price: 3000, placed_price: 4500, money: 4500 }],
  [ledgerTransfersView, 'payments.transfer-confirmed.v1', { amount: 5000, stands: true }],
  [ledgerTransfersView, 'payments.transfer-undone.v1', { stands: false }],
  [
    ledgerRefundsView,
    'refunds.refund-due.v1',
    { attempt_id: attemptId, part: '0', owed: 4500, status: 'due' },
  ],
  [ledgerRefundsView, 'refunds.refund-withdrawn.v1', { owed: 0, status: 'withdrawn' }],
  [ledgerRefundsView, 'refunds.card-refund-requested.v1', { card: 'under_way' }],
  [ledgerRefundsView, 'refunds.card-refund-answered.v1', { card: 'failed' }],
  [ledgerRefundsView, 'refunds.card-refund-to-be-checked.v1', { card: 'unclear' }],
  [ledgerRefundsView, 'refunds.card-refund-found-failed.v1', { card: 'failed' }],
  [ledgerRefundsView, 'refunds.refund-paid-back.v1', { owed: 1500, paid_back: 3000, status: 'due' }],
  [ledgerCreditAccountsView, 'credit.credit-given.v1', { given: 4500, balance: 4500 }],
  [ledgerCreditAccountsView, 'credit.credit-held.v1', { held: 4500, balance: 0 }],
  [ledgerCreditAccountsView, 'credit.credit-spent.v1', { held: -4500, spent: 4500 }],
  [ledgerCreditAccountsView, 'credit.credit-released.v1', { held: -4500, balance: 4500 }],
  [ledgerCreditAccountsView, 'credit.credit-charged.v1', { spent: 4500, balance: 0 }],
  [ledgerCreditAccountsView, 'credit.credit-taken-back.v1', { taken_back: 4500, balance: 0 }],
  [ledgerCreditAccountsView, 'credit.credit-paid-out.v1', { paid_out: 4500, balance: 0 }],
  [
    ledgerCreditGivenView,
    'credit.credit-given.v1',
    { attempt_id: attemptId, order_id: orderId, kind: 'cancelled', amount: 4500, stands: true },
  ],
  [ledgerCreditGivenView, 'credit.credit-taken-back.v1', { stands: false }],
  [ledgerCreditSpentView, 'credit.credit-held.v1', creditLine('held')],
  [ledgerCreditSpentView, 'credit.credit-spent.v1', creditLine('spent')],
  [ledgerCreditSpentView, 'credit.credit-released.v1', creditLine('released')],
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

test('a dearer meal is spent by an entry of its own', () =>
  viewSpec(ledgerCreditSpentView)
    .given(sample('credit.credit-charged.v1'))
    .thenRow('changed/1', { id: 'changed/1', order_id: orderId, ...creditLine('spent') }))

test('every event that the ledger hears is told above', () => {
  const heard = ledgerViews.flatMap((view) => view.events.map(({ type }) => `${view.table} ${type}`))
  const told = [
    ...changes.map(([view, type]) => `${view.table} ${type}`),
    `${ledgerCreditSpentView.table} credit.credit-charged.v1`,
  ]
  expect(told.toSorted()).toEqual(heard.toSorted())
})

test('what happens to an attempt, order or refund that nobody began makes no row', () => {
  // Whatever happens to a family's credit begins its account, and whatever a checkout does with it begins its lines.
  const begun: RowView[] = [ledgerCreditAccountsView, ledgerCreditSpentView]
  for (const [view, type] of changes)
    if (!begun.includes(view) && first[view.table]![0].type !== type)
      viewSpec(view).given(sample(type)).thenRows([])
})
