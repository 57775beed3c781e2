import { Refusal } from '#kernel/refusal'

export type PaymentsRefusal = 'payment_required' | 'idempotency_key_reused' | 'attempt_closed'

export const paymentsStatuses = {
  payment_required: 402,
  idempotency_key_reused: 409,
  attempt_closed: 409,
} satisfies Record<PaymentsRefusal, number>

const messages: Record<PaymentsRefusal, string> = {
  payment_required: 'This order has to be paid for',
  idempotency_key_reused: 'This request key was already used for another order',
  attempt_closed: 'This checkout has already ended',
}

export const refusal = (code: PaymentsRefusal): Refusal<PaymentsRefusal> => new Refusal(code, messages[code])
