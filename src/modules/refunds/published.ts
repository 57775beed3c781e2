/** The events that other contexts may read: what is owed back, and what went back. */
export { refundDue, refundPaidBack, refundWithdrawn } from './refund'
export {
  cardRefundAnswered,
  cardRefundFoundFailed,
  cardRefundNotBegun,
  cardRefundRequested,
  cardRefundToBeChecked,
} from './card-refund'
export { cardRefundClaimed } from './card-claim'
/** What waits for the approval of another administrator. */
export { payoutApproved, payoutAsked, payoutAskWithdrawn } from './approval'
