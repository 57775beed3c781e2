import type { DomainEvent } from '#kernel/event'
import * as ordering from '#modules/ordering/published'

const about = { orderId: '118.2026-09-22.1', at: '2026-09-15T06:00:00.000Z' }

/** What becomes of an order while its money goes back. */
export const orderRefundSamples: readonly [event: DomainEvent, sentence: string][] = [
  [ordering.orderRefundBegun(about), 'Money for the order goes back: it cannot be placed again'],
  [
    ordering.orderRefundFailed(about),
    'No money for the order has gone back: it is cancelled, and what it cost is owed',
  ],
  [
    ordering.orderRefundStillOwed(about),
    'Order no longer marked as refunded: part of its money is still owed',
  ],
  [ordering.orderRefunded(about), 'Order marked as refunded'],
]
