import type { Pool } from 'pg'
import { placeOrders } from '#contracts/ordering'
import { getPaymentBypass } from '#contracts/payments'
import { onlyRoles, route, signedIn } from '#platform/http/route'
import type { Route } from '#platform/http/route'
import { placeFreeCheckout } from './free-checkout.commands'
import type { FreeCheckoutNeeds } from './free-checkout.commands'
import { readPaymentBypass } from './settings.rows'

/** Handing in a cart that costs nothing, and how else to pay. */
export const paymentRoutes = (needs: FreeCheckoutNeeds & { database: { pool: Pool } }): Route[] => [
  route(placeOrders, onlyRoles('parent', 'teacher'), async (call) => {
    const { user, body, idempotencyKey, actor, correlationId } = call
    const orders = await placeFreeCheckout(needs)({
      userId: user.userId,
      lines: body,
      idempotencyKey,
      by: { actor, correlationId },
    })
    return { orders, payment: null }
  }),

  route(getPaymentBypass, signedIn, () => readPaymentBypass(needs.database.pool)),
]
