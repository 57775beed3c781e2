import { Refusal } from '#kernel/refusal'

export type PaymentsRefusal =
  | 'payment_required'
  | 'idempotency_key_reused'
  | 'attempt_closed'
  | 'nothing_to_pay'
  | 'amount_mismatch'
  | 'email_required'
  | 'payment_bypass'
  | 'card_payments_off'
  | 'payment_in_progress'
  | 'payment_failed'
  | 'payments_unavailable'
  | 'attempt_not_found'
  | 'attempt_paid'
  | 'not_processing'
  | 'recovery_in_progress'
  | 'nothing_to_recover'
  | 'line_not_amendable'
  | 'price_above_paid'
  | 'orders_found'
  | 'nothing_to_accept'
  | 'nothing_to_waive'
  | 'nothing_owed'
  | 'refund_too_high'
  | 'items_unavailable'
  | 'unknown_status'

export const paymentsStatuses = {
  payment_required: 402,
  idempotency_key_reused: 409,
  attempt_closed: 409,
  nothing_to_pay: 422,
  amount_mismatch: 422,
  email_required: 422,
  payment_bypass: 409,
  card_payments_off: 503,
  payment_in_progress: 409,
  payment_failed: 502,
  payments_unavailable: 503,
  attempt_not_found: 404,
  attempt_paid: 409,
  not_processing: 409,
  recovery_in_progress: 409,
  nothing_to_recover: 409,
  line_not_amendable: 422,
  price_above_paid: 422,
  orders_found: 409,
  nothing_to_accept: 409,
  nothing_to_waive: 409,
  nothing_owed: 409,
  refund_too_high: 422,
  items_unavailable: 400,
  unknown_status: 400,
} satisfies Record<PaymentsRefusal, number>

const messages: Record<PaymentsRefusal, string> = {
  payment_required: 'This order has to be paid for',
  idempotency_key_reused: 'This request key was already used for another order',
  attempt_closed: 'This checkout has already ended',
  nothing_to_pay: 'This order costs nothing',
  amount_mismatch: 'Payment amount does not match cart total',
  email_required:
    'Please add an email address to your profile before placing orders. Contact the school office for assistance.',
  payment_bypass: 'Alternative payment methods are available. Please check your email for instructions.',
  card_payments_off: 'Card payments are switched off',
  payment_in_progress: 'A payment for these meals is in progress',
  payment_failed: 'Payment initialization failed',
  payments_unavailable: 'Payment initialization failed',
  attempt_not_found: 'Payment not found',
  attempt_paid: 'This payment has been received and its orders are being made',
  not_processing: 'Only a payment that is being processed can be abandoned',
  recovery_in_progress: 'Recovery in progress',
  nothing_to_recover: 'There is nothing to retry for this payment',
  line_not_amendable: 'This meal can no longer be changed',
  price_above_paid: 'This meal costs more than was paid',
  orders_found: 'Some of these meals are ordered after all: retry first',
  nothing_to_accept: 'There is no mismatch to accept for this payment',
  nothing_to_waive: 'There is nothing to give back for this payment',
  nothing_owed: 'Nothing is owed back for this',
  refund_too_high: 'More than is owed cannot be paid back',
  items_unavailable: 'Some items in your cart are no longer available',
  unknown_status: 'This status cannot be set',
}

export const refusal = (
  code: PaymentsRefusal,
  more?: ConstructorParameters<typeof Refusal>[2],
): Refusal<PaymentsRefusal> => new Refusal(code, messages[code], more)
