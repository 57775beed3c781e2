import { ngweeFromKwacha } from '#kernel/money'
import type { Books } from '#modules/books/index'
import type { CatalogueNeeds } from '#modules/catalogue/index'
import type { CreditNeeds } from '#modules/credit/index'
import type { CyclesNeeds } from '#modules/cycles/index'
import type { Enrolment } from '#modules/enrolment/index'
import type { Identity, IdentityNeeds } from '#modules/identity/index'
import type { MessagingNeeds } from '#modules/messaging/index'
import type { Ordering, OrderingNeeds } from '#modules/ordering/index'
import type { Payments, PaymentsNeeds } from '#modules/payments/index'
import type { RefundsNeeds } from '#modules/refunds/index'
import type { Transfers } from '#modules/transfers/index'

type Above = {
  identity: Identity
  ordering: Ordering
  payments: Payments
  transfers: Transfers
  books: Books
  enrolment: Enrolment
}

type Hooks = {
  /** Identity sends codes and letters, so it stands on messaging, which asks whose a mailbox is when a mail goes out. */
  addressees: MessagingNeeds['addressees']
  /** Who registers with a claim code has the children of it from the first moment. */
  claims: IdentityNeeds['claims']
  /** An item that was ordered or is in payment keeps its name; the catalogue knows neither. */
  itemsInUse: CatalogueNeeds['itemsInUse']
  /** A new cycle warns of orders of other cycles on its dates. */
  ordersOnDates: CyclesNeeds['ordersOnDates']
  /** The books number a receipt when they book its money, transfers know the phone that it came from; orders, lists and letters name them. */
  receipts: Pick<OrderingNeeds, 'receiptNumbers'> &
    Pick<PaymentsNeeds, 'receiptsOfCheckouts' | 'phonesOfOrders'> &
    Pick<RefundsNeeds, 'creditNotes'>
  /** The books hold the card refund setting and the approval limit; transfers know which of them stand on a statement. */
  refundRules: Pick<RefundsNeeds, 'cardRefundsOn' | 'refundApprovalAbove'> &
    Pick<CreditNeeds, 'provenTransfers'>
}

export const hooks = (above: () => Above): Hooks => ({
  addressees: {
    byIds: (...asked) => above().identity.addressees.byIds(...asked),
    superadmins: (...asked) => above().identity.addressees.superadmins(...asked),
    confirmLink: (...asked) => above().identity.addressees.confirmLink(...asked),
  },
  claims: {
    trying: (...asked) => above().enrolment.claims.trying(...asked),
    within: (...asked) => above().enrolment.claims.within(...asked),
  },
  itemsInUse: async (ids) => {
    const { ordering, payments } = above()
    return new Set([...(await ordering.itemsWithOrders(ids)), ...(await payments.itemsInPayment(ids))])
  },
  ordersOnDates: async (from, to, exceptCycleId) => {
    const filter = { state: 'active', from, to, exceptCycleId } as const
    const totals = await above().ordering.totals(filter, 'date')
    return [...totals].map(([date, { orders }]) => ({ date, orders }))
  },
  receipts: {
    receiptNumbers: (orders) => above().books.receiptNumbers(orders),
    phonesOfOrders: (orderIds) => above().transfers.phonesOfOrders(orderIds),
    receiptsOfCheckouts: (attemptIds) => above().books.receiptsOfCheckouts(attemptIds),
    creditNotes: (refundIds) => above().books.creditNotes(refundIds),
  },
  refundRules: {
    cardRefundsOn: async () => (await above().books.settings()).cardRefunds,
    refundApprovalAbove: async () => {
      const { refundApprovalAbove: kwacha } = await above().books.settings()
      return kwacha === null ? null : ngweeFromKwacha(kwacha)
    },
    provenTransfers: (ids) => above().transfers.provenAmong(ids),
  },
})
