import { placeOrders } from '#contracts/ordering'
import { onlyRoles, route, type Route } from '#platform/http/route'
import { paymentReply } from '../alternative/instructions'
import { toPayFor } from '../attempt/payment-attempt'
import type { SettlingNeeds } from '../settlement/settle.commands'
import { placeFreeCheckout, type FreeCheckout } from './place-order.commands'
import { checkoutTerms } from './terms.commands'

/** Places a cart of a family or, for one, of the office: one way for both. */
export const placeCheckout = (needs: SettlingNeeds) => {
  const place = placeFreeCheckout(needs, checkoutTerms(needs))
  return async (asked: FreeCheckout) => {
    const { orders, checkout } = await place(asked)
    const { companyRef: reference, lines, payBy, office } = checkout
    if (reference === null) return { orders, payment: null }
    const paid = { reference, amount: toPayFor(lines), payBy, atOffice: office !== undefined }
    return { orders, payment: paymentReply(paid, await needs.settings()) }
  }
}

export const checkoutRoutes = (place: ReturnType<typeof placeCheckout>): Route[] => [
  route(
    placeOrders,
    onlyRoles('parent', 'teacher'),
    ({ user, body, idempotencyKey, by }) =>
      place({
        userId: user.userId,
        lines: 'cartItems' in body ? body.cartItems : body,
        useCredit: 'cartItems' in body && body.useCredit === true,
        payBy: ('cartItems' in body && body.payBy) || null,
        body,
        idempotencyKey,
        by,
      }),
    { cart: true },
  ),
]
