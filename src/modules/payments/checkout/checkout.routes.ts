import { placeOrders } from '#contracts/ordering'
import { onlyRoles, route, type Route } from '#platform/http/route'
import { paymentReply } from '../alternative/instructions'
import { openAttempts } from '../attempt/attempts.view'
import { toPayFor } from '../attempt/payment-attempt'
import { storedBypass } from '../attempt/payment-bypass.rows'
import type { PaymentsNeeds } from '../ports'
import type { VerifyAndSettle } from '../settlement/settle.commands'
import { placeFreeCheckout, type FreeCheckout } from './place-order.commands'
import { checkoutTerms } from './terms.commands'

/** Places a cart of a family or, for one, of the office: one way for both. */
export const placeCheckout = (needs: PaymentsNeeds, settle: VerifyAndSettle) => {
  const { knex, reads } = needs.database
  const superseding = {
    ...needs,
    settle,
    openAttempts: (userId: number) => openAttempts(reads, userId, needs.now()),
  }
  const place = placeFreeCheckout({ ...superseding, ...checkoutTerms(superseding) })
  return async (asked: FreeCheckout) => {
    const { orders, checkout } = await place(asked)
    const { companyRef: reference, lines, payBy, office } = checkout
    if (reference === null) return { orders, payment: null }
    const paid = { reference, amount: toPayFor(lines), payBy, atOffice: office !== undefined }
    return { orders, payment: paymentReply(paid, await storedBypass.read(knex)) }
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
