import type { DomainEvent } from '#kernel/event'
import { changeRecorded } from '#modules/audit/changes/append-changes.commands'
import * as ordering from '#modules/ordering/published'
import * as payments from '#modules/payments/published'
import * as refunds from '#modules/refunds/published'
import { approvalSamples } from './sample-approvals'
import { cardRefundSamples } from './sample-card-refunds'
import { creditSamples } from './sample-credit-events'
import { orderChangeSamples } from './sample-order-changes'
import { orderRefundSamples } from './sample-order-refunds'
import { planSamples } from './sample-plans'
import { transferId, transferSamples } from './sample-transfers'

export const attemptId = '0199a000-0000-7000-8000-000000000001'
const newerAttemptId = '0199a000-0000-7000-8000-000000000002'
export const orderId = '118.2026-09-22.1'
const slot = { cycleId: 7, studentId: 118, week: 2, day: 2 }
const at = '2026-09-15T06:00:00.000Z'
const until = '2026-09-15T06:45:00.000Z'
const about = { orderId, at }
const report = {
  explanation: 'Transaction Paid for 4e4c8b3a-0000-4000-8000-00000000abcd',
  method: 'VISA',
  cardLast4: '1234',
  approval: 'A77',
  fraud: null,
}

/** A stew on Tuesday of week 2 for K45.00. */
export const line = {
  index: 0,
  slot,
  student: { name: 'Chipo Banda', grade: '9' },
  item: { id: 3, name: 'Beef Stew', type: 'secondary' as const },
  category: 'beef',
  sideDish: null,
  comments: '',
  originalPrice: 5000,
  price: 4500,
  discountPercentage: 10,
  mealDate: '2026-09-22',
  cutoffAt: '2026-09-22T06:00:00.000Z',
}

const checkout = {
  attemptId,
  kind: 'card' as const,
  userId: 5,
  lines: [line],
  total: 4500,
  companyRef: 'LP-7K3QW9ZD2M',
  bodyHash: 'x',
  at,
}

const answered = { attemptId, code: '900', explanation: 'Transaction not paid yet', at }
const due = {
  refundId: orderId,
  orderId,
  attemptId,
  part: 0,
  userId: 5,
  amount: 4500,
  reason: 'order_cancelled' as const,
  student: line.student,
  item: { name: line.item.name },
  orderedAt: at,
  at,
}
const payout = {
  refundId: orderId,
  orderId,
  attemptId,
  part: 0,
  payoutId: '0199a000-0000-7000-8000-00000000000f',
  amount: 3000,
  stillOwed: 1500,
  method: 'mobile_money' as const,
  reference: 'MM-77',
  note: 'Sent to 0977 123 456',
  by: 1,
  at,
}
const { lunchOrdered, lunchReserved, orderCancelled, orderCompleted, orderPaymentConfirmed } = ordering
const { orderPaymentUndone } = ordering
const { orderReopened, orderWithdrawn, reservationReleased } = ordering
const { portionOrdered, portionReleased, portionReserved } = ordering
const portion = { menuItemId: 3, date: line.mealDate, studentId: 118, attemptId, at }

/** One event of every type of every module, with the sentence that the history tells of it. */
export const samples: readonly [event: DomainEvent, sentence: string][] = [
  [
    lunchReserved({ slot, mealDate: line.mealDate, attemptId, until, at }),
    'Kept 2026-09-22 (week 2, Tuesday) for {student:118} while the checkout is being paid',
  ],
  [
    reservationReleased({ slot, mealDate: line.mealDate, attemptId, at }),
    'No longer kept 2026-09-22 (week 2, Tuesday) for {student:118}',
  ],
  [
    portionReserved({ ...portion, until }),
    'Kept a portion of {item:3} on 2026-09-22 for {student:118} while the checkout is being paid',
  ],
  [portionOrdered(portion), 'Took a portion of {item:3} on 2026-09-22 for {student:118}'],
  [portionReleased(portion), 'Gave back a portion of {item:3} on 2026-09-22 for {student:118}'],
  [
    lunchOrdered({ ...line, orderId, attemptId, userId: 5, paymentStatus: 'confirmed', at }),
    'Ordered Beef Stew for Chipo Banda on 2026-09-22 (week 2, Tuesday)',
  ],
  [orderCompleted(about), 'Order marked as complete'],
  [orderReopened(about), 'Order set back to pending'],
  [
    orderCancelled({ orderId, by: 'parent', afterCutoff: true, at }),
    "Order cancelled by the parent, after the day's orders had closed",
  ],
  [orderWithdrawn(about), 'Order taken back as if never placed: its checkout could not be completed'],
  [orderPaymentConfirmed(about), 'Payment for the order confirmed'],
  [ordering.orderPaymentProven({ ...about, transferId }), 'The payment is on a statement now'],
  [orderPaymentUndone({ ...about, transferId }), 'Payment for the order undone: it is not paid for'],
  ...transferSamples,
  ...approvalSamples,
  ...orderRefundSamples,
  ...orderChangeSamples,
  [payments.checkoutStarted(checkout), 'Checkout of 1 meal for K45.00 begun, to be paid by card'],
  [
    payments.checkoutRefused({ attemptId, lines: [{ index: 0, code: 'already_ordered' }], at }),
    'Checkout refused: none of its meals will be ordered (meal 1: already ordered)',
  ],
  [payments.linesReleased({ attemptId, at }), 'Nothing of the refused checkout holds a day any more'],
  [
    payments.attemptSuperseded({ attemptId, by: newerAttemptId, at }),
    'Replaced by a newer checkout of the same parent, unpaid',
  ],
  [
    payments.attemptAbandoned({ attemptId, tokenCancelled: true, at }),
    'Payment abandoned, and cancelled at the provider',
  ],
  [
    payments.providerTokenIssued({
      attemptId,
      token: '4e4c8b3a-0000-4000-8000-00000000abcd',
      ref: 'R4971',
      limitAt: until,
      holdUntil: until,
      at,
    }),
    'The card provider opened the payment page',
  ],
  [
    payments.promptAsked({ attemptId, requestId: transferId, network: 'airtel', phone: '+260977123456', at }),
    'A prompt to pay was asked for (Airtel Money)',
  ],
  [payments.promptSent({ attemptId, instructions: 'Enter your PIN', at }), 'The provider sent the prompt'],
  [
    payments.promptRefused({ attemptId, requestId: transferId, network: 'airtel', why: '999', at }),
    'No prompt could be sent (Airtel Money)',
  ],
  [
    payments.paymentReopened({ attemptId, holdUntil: at, at }),
    'The family pays after all: its days are kept again',
  ],
  [payments.cardPageChosen({ attemptId, at }), "The family pays on the provider's page instead"],
  [
    payments.providerTokenRefused({ attemptId, why: 'limit', detail: '905', at }),
    'The card provider opened no payment page (limit)',
  ],
  [
    payments.customerSignalled({ attemptId, source: 'advice', claim: 'verified', at }),
    'The browser said how it went',
  ],
  [payments.paymentStillPending({ ...answered, unusual: false }), 'The provider says: not paid yet'],
  [
    payments.paymentDeclined({ ...answered, code: '901', explanation: 'Declined' }),
    'The provider says: payment declined',
  ],
  [
    payments.paymentCancelled({ ...answered, code: '904', explanation: 'Cancelled' }),
    'The provider says: payment cancelled',
  ],
  [payments.paymentExpired({ ...answered, cause: 'limit' }), 'Not paid in time'],
  [
    payments.providerAnswerNoted({ ...answered, kind: 'unreachable' }),
    "The provider's answer changed nothing (unreachable)",
  ],
  [payments.paymentAcknowledged({ attemptId, at }), 'The provider was told that we know of the payment'],
  [
    payments.acknowledgementGivenUp({ attemptId, at }),
    'The provider could not be told within a day that we know of the payment; compare with its statement',
  ],
  [
    payments.paymentVerified({ attemptId, code: '000', amount: 4500, fee: 50, late: true, report, at }),
    'K45.00 paid by card, confirmed by the provider, after the payment had been given up',
  ],
  [
    payments.paymentMismatched({
      attemptId,
      code: '002',
      received: 4000,
      differences: [{ what: 'amount', expected: '45.00', reported: '40.00' }],
      report,
      at,
    }),
    'Paid, but not as asked for: K40.00 received',
  ],
  [
    payments.mismatchAccepted({
      attemptId,
      amount: 4000,
      surplus: 0,
      shortfall: 500,
      reason: 'Rest in cash',
      at,
    }),
    'Payment accepted as K40.00',
  ],
  [
    payments.ordersCreated({ attemptId, orders: [{ index: 0, orderId }], at }),
    '1 order made from the checkout',
  ],
  [
    payments.linesBlocked({ attemptId, lines: [{ index: 0, reason: 'day_blocked' }], at }),
    '1 paid meal could not be ordered (meal 1: day blocked)',
  ],
  [
    payments.fulfilmentFailed({ attemptId, attempt: 2, error: 'DatabaseError', at }),
    'Making the orders failed, try 2 (DatabaseError)',
  ],
  [
    payments.recoveryStarted({ attemptId, prior: 'blocked', leaseUntil: until, at }),
    'Another try to make the orders begun',
  ],
  [payments.linesAmended({ attemptId, lines: [line], at }), '1 meal changed before the next try'],
  [
    payments.recoveryEnded({ attemptId, why: 'not-paid', at }),
    'The try ended without orders: it is not paid',
  ],
  [
    payments.remainderWaived({
      attemptId,
      lines: [{ index: 0, amount: 4500 }],
      surplus: 100,
      reason: 'No school that day',
      at,
    }),
    'Gave up on 1 meal: K46.00 to be paid back',
  ],
  [
    payments.refundRecorded({ attemptId, payoutId: payout.payoutId, part: 'surplus', amount: 100, at }),
    'K1.00 has gone back for what was paid too much',
  ],
  [refunds.refundDue(due), 'K45.00 owed back for Beef Stew (Chipo Banda): the order was cancelled'],
  [
    refunds.refundWithdrawn({ refundId: orderId, at }),
    'No longer owed back: the order is active again, or another amount is owed',
  ],
  ...cardRefundSamples,
  [
    changeRecorded({
      kind: 'catalogue',
      what: 'Menu item "Beef Stew" changed',
      old: { price: '45.00' },
      new: { price: '50.00' },
    }),
    'Menu item "Beef Stew" changed',
  ],
  ...creditSamples,
  ...planSamples,
  [refunds.refundPaidBack(payout), 'K30.00 paid back (mobile money), K15.00 still owed'],
]

/** The sample of that type. */
export const sample = (type: string): DomainEvent => {
  const found = samples.find(([event]) => event.type === type)
  if (!found) throw new Error(`No sample of ${type}`)
  return found[0]
}
