export { refundDue, refundPaidBack, refundWithdrawn } from './refund'
export {
  cardRefundAnswered,
  cardRefundFoundFailed,
  cardRefundNotBegun,
  cardRefundRequested,
  cardRefundToBeChecked,
} from './card-refund'
export { cardRefundClaimed } from './card-refund'
export { payoutApproved, payoutAsked, payoutAskWithdrawn } from './approval'
