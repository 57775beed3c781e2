export {
  refundDue,
  refundPaidBack,
  refundWithdrawn,
  payoutApproved,
  payoutAsked,
  payoutAskWithdrawn,
} from './refund'
export {
  cardRefundAnswered,
  cardRefundFoundFailed,
  cardRefundNotBegun,
  cardRefundRequested,
  cardRefundToBeChecked,
} from './card-refund'
export { cardRefundClaimed } from './card-refund'
