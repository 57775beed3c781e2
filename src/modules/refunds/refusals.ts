import { approvalRefused } from '#contracts/refunds'
import { Refusal, refusalTable } from '#kernel/refusal'

export const { refusal, statuses: refundStatuses } = refusalTable({
  refund_not_found: [404, 'Refund not found'],
  refund_withdrawn: [409, 'Nothing is owed for this order any more'],
  refund_paid_back: [409, 'This has been paid back already'],
  refund_exceeds_due: [422, 'This is more than is owed'],
  too_many_payouts: [409, 'This was paid back in 50 parts. Pay back all that is still owed.'],
  refund_pending: [409, 'The card provider is paying this back, or another refund of the same payment'],
  card_refunds_off: [409, 'Refunds to the card are switched off'],
  not_paid_by_card: [409, 'This was not paid by card'],
  whole_only: [409, 'Mobile money goes back only as a whole. Give credit, or pay it back by hand.'],
  refund_exceeds_received: [409, 'This is more than is left of the card payment'],
  card_provider_silent: [503, 'The card provider does not answer. Nothing was sent to it'],
  refund_not_to_be_checked: [409, 'This card refund needs no answer from you'],
  approval: [409, 'This waits for the approval of another administrator'],
  approval_own: [403, approvalRefused.own],
  approval_changed: [409, 'The request has changed since you opened it. Look at it again'],
  approval_asker_gone: [
    409,
    'The person who asked for this may no longer pay refunds. Withdraw it and ask again',
  ],
  approval_withdrawn: [409, 'This request was withdrawn. Ask for it again'],
  no_approval: [409, 'Nothing waits for approval here'],
  idempotency_key_reused: [409, 'This request key was already used for another refund'],
})

/** `approval_own` when one person may own both accounts. */
export const approvalTied = () => new Refusal('approval_own', approvalRefused.tied)
