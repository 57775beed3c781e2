import { Refusal } from '#kernel/refusal'

type RefundRefusal = 'refund_not_found' | 'refund_withdrawn' | 'refund_exceeds_due' | 'idempotency_key_reused'

export const refundStatuses = {
  refund_not_found: 404,
  refund_withdrawn: 409,
  refund_exceeds_due: 422,
  idempotency_key_reused: 409,
} satisfies Record<RefundRefusal, number>

const messages: Record<RefundRefusal, string> = {
  refund_not_found: 'Refund not found',
  refund_withdrawn: 'Nothing is owed for this order any more',
  refund_exceeds_due: 'This is more than is owed',
  idempotency_key_reused: 'This request key was already used for another refund',
}

export const refusal = (code: RefundRefusal): Refusal<RefundRefusal> => new Refusal(code, messages[code])
