import { entriesView, namedViews } from '#modules/audit/history/entries.view'
import type { DomainEvent } from '#kernel/event'
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

const [attempts, orders] = namedViews

test('an attempt is found by its reference, however often it is told', () =>
  viewSpec(attempts!)
    .given(sample('payments.checkout-started.v1'), sample('payments.checkout-started.v1'))
    .thenRows([{ id: attemptId, reference: 'LP-7K3QW9ZD2M' }]))

test('an order is found with its attempt and day, and has the price of the meal that it became', () => {
  const placed = { id: orderId, attempt_id: attemptId, slot: '118.2026-09-22' }
  const ordered = sample('ordering.lunch-ordered.v1')
  viewSpec(orders!)
    .given(ordered)
    .thenRows([{ ...placed, price: 4500 }])
  viewSpec(orders!)
    .given(ordered, sample('ordering.order-changed.v1'))
    .thenRows([{ ...placed, price: 3000 }])
  viewSpec(orders!).given(sample('ordering.order-changed.v1')).thenRows([])
})
