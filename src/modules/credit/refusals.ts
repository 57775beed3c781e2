import { refusalTable } from '#kernel/refusal'

export const { refusal, statuses: creditStatuses } = refusalTable({
  parent_not_found: [404, 'Parent not found'],
  credit_spent: [409, 'The credit that was given for it has been spent'],
  credit_short: [402, 'There is not enough credit'],
  payout_exceeds_balance: [422, 'This is more than the balance'],
  idempotency_key_reused: [409, 'This request key was already used for another change of credit'],
})
