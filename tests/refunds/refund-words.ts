import { refundDue, refundPaidBack, refundWithdrawn, type Due, type Payout } from '#modules/refunds/refund'
import { after, attempt, mary, monday7 } from '../ordering/lunches'

/** What is owed for Chanda's Nshima of Tuesday, K45.50, cancelled ten minutes after it was ordered. */
export const orderRefund = '118.2026-09-15.1'
export const bursar = 5
export const cancelledAt = after(monday7, 10)

export const owedForNshima: Omit<Due, 'at'> = {
  refundId: orderRefund,
  orderId: orderRefund,
  attemptId: attempt,
  part: 0,
  userId: mary,
  amount: 4550,
  reason: 'order_cancelled',
  student: { name: 'Chanda', grade: '4' },
  item: { name: 'Nshima with relish' },
  orderedAt: monday7.toISOString(),
}
export const due = refundDue({ ...owedForNshima, at: cancelledAt.toISOString() })
export const withdrawn = refundWithdrawn({ refundId: orderRefund, at: after(monday7, 20).toISOString() })

/** The nth time that some of it went back. */
export const payoutId = (number: number): string => `0199c0de-0000-7000-8000-000000000${100 + number}`

export const paidBack = (number: number, amount: number, stillOwed: number, more: Partial<Payout> = {}) =>
  refundPaidBack({
    refundId: orderRefund,
    orderId: orderRefund,
    attemptId: attempt,
    part: 0,
    payoutId: payoutId(number),
    amount,
    stillOwed,
    method: 'cash',
    reference: null,
    note: null,
    by: bursar,
    at: after(monday7, 30).toISOString(),
    ...more,
  })
