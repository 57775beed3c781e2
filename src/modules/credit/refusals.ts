import { approvalRefused } from '#contracts/refunds'
import { Refusal, refusalTable } from '#kernel/refusal'

export const { refusal, statuses: creditStatuses } = refusalTable({
  parent_not_found: [404, 'Parent not found'],
  credit_spent: [409, 'The credit that was given for it has been spent'],
  credit_short: [402, 'There is not enough credit'],
  payout_exceeds_balance: [422, 'This is more than the balance'],
  no_credit: [409, 'There is no free credit'],
  approval: [409, 'This waits for the approval of another administrator'],
  payout_not_found: [404, 'This payout request does not exist'],
  approval_own: [403, approvalRefused.own],
  approval_asker_gone: [
    409,
    'The person who asked for this may no longer pay out credit. Withdraw it and ask again',
  ],
  approval_withdrawn: [409, 'This request was withdrawn. Ask for it again'],
  no_approval: [409, 'Nothing waits for approval here'],
  idempotency_key_reused: [409, 'This request key was already used for another change of credit'],
})

/** `approval_own` when one person may own both accounts. */
export const approvalTied = () => new Refusal('approval_own', approvalRefused.tied)
