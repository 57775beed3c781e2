import type { DomainEvent } from '#kernel/event'
import { unpaidMealsCounted } from '#modules/payments/published'
import { transferConfirmed, transferUndone } from '#modules/transfers/published'

export const transferId = '0199a000-0000-7000-8000-000000000020'
const confirmationId = '0199a000-0000-7000-8000-000000000021'
const at = '2026-09-15T06:00:00.000Z'
const families = [{ userId: 5, orders: [{ orderId: '118.2026-09-22.1', amount: 4500 }], surplus: 500 }]

/** What happens to a payment outside of the card provider. */
export const transferSamples: readonly [event: DomainEvent, sentence: string][] = [
  [
    unpaidMealsCounted({ userId: 5, attemptId: '0199a000-0000-7000-8000-000000000001', at }),
    'The unpaid meals of the account were counted',
  ],
  [
    transferConfirmed({
      transferId,
      confirmationId,
      rowId: transferId,
      method: 'airtel',
      transactionId: 'PP260915.0600.C12345',
      paidAt: '2026-09-15T05:30:00.000Z',
      amount: 5000,
      payer: 'Mary Banda 0977 123 456',
      phone: '260977123456',
      note: null,
      by: 1,
      families,
      at,
    }),
    'K50.00 by Airtel Money confirmed: it pays 1 meal of {user:5}, and K5.00 to their credit',
  ],
  [
    transferUndone({ transferId, confirmationId, by: 1, families, method: 'airtel', at }),
    'The confirmation of K50.00 by Airtel Money undone: it no longer pays 1 meal of {user:5}, and K5.00 to their credit',
  ],
]
