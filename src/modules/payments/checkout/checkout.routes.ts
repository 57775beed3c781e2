import { placeOrders } from '#contracts/ordering'
import { onlyRoles, route, type Route } from '#platform/http/route'
import { placeFreeCheckout } from './free-checkout.commands'
import { claimReference } from '../alternative/references.rows'
import { paymentReply } from '../alternative/instructions'
import { readPaymentBypass } from '../alternative/settings.rows'
import type { PaymentsNeeds } from '../needs'

type Needs = Pick<PaymentsNeeds, 'database' | 'eventStore' | 'now' | 'ordering' | 'waitForViews'>

/** Handing in a cart that costs nothing or is paid for outside of the card provider. */
export const checkoutRoutes = (needs: Needs): Route[] => {
  const { knex } = needs.database

  /** While alternative payments are on, they are how a cart that costs something is paid for. */
  const termsOf = async (attemptId: string) =>
    (await readPaymentBypass(knex)).enabled
      ? { kind: 'alternative' as const, companyRef: await claimReference(knex, attemptId) }
      : { kind: 'free' as const, companyRef: null }
  const place = placeFreeCheckout({ ...needs, termsOf })

  return [
    route(
      placeOrders,
      onlyRoles('parent', 'teacher'),
      async (call) => {
        const { user, body, idempotencyKey, actor, correlationId } = call
        const { orders, checkout } = await place({
          userId: user.userId,
          lines: body,
          idempotencyKey,
          by: { actor, correlationId },
        })
        const { companyRef: reference, total: amount } = checkout
        const payment =
          reference === null ? null : paymentReply({ reference, amount }, await readPaymentBypass(knex))
        return { orders, payment }
      },
      { cart: true },
    ),
  ]
}
