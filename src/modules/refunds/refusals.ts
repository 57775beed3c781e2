import { refusalTable } from '#kernel/refusal'

export const { refusal, statuses: refundStatuses } = refusalTable({
  refund_not_found: [404, 'Refund not found'],
  refund_withdrawn: [409, 'Nothing is owed for this order any more'],
  refund_paid_back: [409, 'This has been paid back already'],
  refund_exceeds_due: [422, 'This is more than is owed'],
  idempotency_key_reused: [409, 'This request key was already used for another refund'],
})
