/** What siblings may hear: the life of a meal slot and its orders. */
export {
  lunchOrdered,
  lunchReserved,
  orderCancelled,
  orderCompleted,
  orderPaymentConfirmed,
  orderRefunded,
  orderReopened,
  orderWithdrawn,
  reservationReleased,
} from './slot/meal-slot'
