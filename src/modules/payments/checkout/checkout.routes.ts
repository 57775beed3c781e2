import type { Pool } from 'pg'
import { placeOrders } from '#contracts/ordering'
import { onlyRoles, route } from '#platform/http/route'
import type { Route } from '#platform/http/route'
import { placeFreeCheckout } from './free-checkout.commands'
import type { FreeCheckoutNeeds } from './free-checkout.commands'
import { paymentOfCheckout } from '../alternative/checkout.commands'

/** Handing in a cart that costs nothing or is paid for outside of the card provider. */
export const paymentRoutes = (needs: FreeCheckoutNeeds & { database: { pool: Pool } }): Route[] => [
  route(placeOrders, onlyRoles('parent', 'teacher'), async (call) => {
    const { user, body, idempotencyKey, actor, correlationId } = call
    const { orders, checkout } = await placeFreeCheckout(needs)({
      userId: user.userId,
      lines: body,
      idempotencyKey,
      by: { actor, correlationId },
    })
    return { orders, payment: await paymentOfCheckout(needs)(checkout) }
  }),
]
