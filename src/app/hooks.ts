import type { Books } from '#modules/books/index'
import type { CatalogueNeeds } from '#modules/catalogue/index'
import type { CyclesNeeds } from '#modules/cycles/index'
import type { Ordering, OrderingNeeds } from '#modules/ordering/index'
import type { Payments, PaymentsNeeds } from '#modules/payments/index'
import type { RefundsNeeds } from '#modules/refunds/index'

/** What answers the hooks. */
type Above = { ordering: Ordering; payments: Payments; books: Books }

type Hooks = {
  /** An item that was ordered or is being paid for keeps its name; the catalogue knows neither orders nor payments. */
  itemsInUse: CatalogueNeeds['itemsInUse']
  /** A new cycle warns of orders of other cycles on its dates. */
  ordersOnDates: CyclesNeeds['ordersOnDates']
  /** Orders and letters name the receipt, which the books number when the money is booked. */
  receipts: Pick<OrderingNeeds, 'receiptNumbers'> &
    Pick<PaymentsNeeds, 'receiptOfCheckout'> &
    Pick<RefundsNeeds, 'creditNotes'>
  /** Whether money goes back to cards, and from what amount on two administrators let it go, is set with the books. */
  refundRules: Pick<RefundsNeeds, 'cardRefundsOn' | 'refundApprovalAbove'>
}

/** All that lower modules ask of higher ones, `above` being there once every module is made. */
export const hooks = (above: () => Above): Hooks => ({
  itemsInUse: async (ids) => {
    const { ordering, payments } = above()
    return new Set([...(await ordering.itemsWithOrders(ids)), ...(await payments.itemsInPayment(ids))])
  },
  ordersOnDates: (...asked) => above().ordering.ordersOnDates(...asked),
  receipts: {
    receiptNumbers: (orders) => above().books.receiptNumbers(orders),
    receiptOfCheckout: (attemptId) => above().books.receiptOfCheckout(attemptId),
    creditNotes: (refundIds) => above().books.creditNotes(refundIds),
  },
  refundRules: {
    cardRefundsOn: async () => (await above().books.settings()).cardRefunds,
    refundApprovalAbove: async () => {
      const { refundApprovalAbove: kwacha } = await above().books.settings()
      return kwacha === null ? null : Math.round(kwacha * 100)
    },
  },
})
