import type { DomainEvent } from '#kernel/event'
import * as refunds from '#modules/refunds/published'

const attemptId = '0199a000-0000-7000-8000-00000000000a'
const refundId = '118.2026-09-22.1'
const requestId = '0199a000-0000-7000-8000-0000000000ca'
const about = { refundId, requestId, at: '2026-09-14T05:00:00.000Z' }

/** One of each event of a refund to the card, with what the history says of it. */
export const cardRefundSamples: [DomainEvent, string][] = [
  [
    refunds.cardRefundClaimed({ ...about, attemptId }),
    'No other refund of this card payment is asked for until this one is answered',
  ],
  [
    refunds.cardRefundRequested({ ...about, attemptId, amount: 4500, before: null, by: 5 }),
    'K45.00 asked back to the card',
  ],
  [
    refunds.cardRefundAnswered({ ...about, answer: 'refused', code: '999', explanation: 'Refund failed' }),
    'The card provider refused the refund to the card: nothing went back',
  ],
  [
    refunds.cardRefundToBeChecked(about),
    'The card provider left the refund to the card unclear: somebody has to find out whether it was paid',
  ],
  [
    refunds.cardRefundFoundFailed({ ...about, by: 5, note: 'Not in the portal' }),
    'Found out: nothing went back to the card',
  ],
  [refunds.cardRefundNotBegun(about), 'The refund to the card was not asked for: the program ended before'],
]
