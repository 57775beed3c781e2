/** What siblings may hear: the life of an order. */
export {
  lunchOrdered,
  orderCancelled,
  orderCompleted,
  orderPaymentConfirmed,
  orderRefunded,
  orderReopened,
} from './meal-slot'
