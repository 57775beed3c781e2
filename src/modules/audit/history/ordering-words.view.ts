import * as ordering from '#modules/ordering/published'
import { dayOf, kwacha, words } from './entry-words'

/** The life of a meal slot and its orders, in words. */
export const orderingWords = [
  words(ordering.lunchReserved, 'checkout', ({ slot, mealDate, until }) => ({
    what: `Kept ${mealDate} (${dayOf(slot)}) for student ${slot.studentId} while the checkout is being paid`,
    details: { Until: until },
  })),
  words(ordering.reservationReleased, 'checkout', ({ slot, mealDate }) => ({
    what: `No longer kept ${mealDate} (${dayOf(slot)}) for student ${slot.studentId}`,
  })),
  words(ordering.lunchOrdered, 'order', (order) => ({
    what: `Ordered ${order.item.name} for ${order.student.name} on ${order.mealDate} (${dayOf(order.slot)})`,
    amount: order.price,
    details: {
      Grade: order.student.grade,
      Protein: order.category,
      'Side dish': order.sideDish,
      Comments: order.comments === '' ? null : order.comments,
      'Full price': order.price === order.originalPrice ? null : kwacha(order.originalPrice),
      Discount: order.discountPercentage > 0 ? `${order.discountPercentage}%` : null,
      Payment: order.paymentStatus === 'pending' ? 'still to be confirmed' : 'confirmed',
    },
  })),
  words(ordering.orderCompleted, 'order', () => ({ what: 'Order marked as complete' })),
  words(ordering.orderReopened, 'order', () => ({ what: 'Order set back to pending' })),
  words(ordering.orderCancelled, 'order', ({ by, afterCutoff }) => ({
    what: `Order cancelled by ${by === 'parent' ? 'the parent' : 'an administrator'}${afterCutoff ? ", after the day's orders had closed" : ''}`,
    amount: 'order-price',
  })),
  words(ordering.orderWithdrawn, 'order', () => ({
    what: 'Order taken back as if never placed: its checkout could not be completed',
    amount: 'order-price',
  })),
  words(ordering.orderPaymentConfirmed, 'payment', () => ({
    what: 'Payment for the order confirmed',
    amount: 'order-price',
  })),
  words(ordering.orderRefunded, 'refund', () => ({
    what: 'Order marked as refunded',
    amount: 'order-price',
  })),
]
