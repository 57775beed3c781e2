import { placeOrders } from '#contracts/ordering'
import type { MealLine } from '#kernel/meal-line'
import { onlyRoles, route, type Route } from '#platform/http/route'
import { openAttempts } from '../attempt/attempts.rows'
import { toPayFor } from '../attempt/credit-lines'
import { placeFreeCheckout } from './free-checkout.commands'
import { claimReference } from '../alternative/references.rows'
import { paymentReply } from '../alternative/instructions'
import { readPaymentBypass } from '../alternative/settings.rows'
import type { PaymentsNeeds } from '../needs'
import { refuseTooManyUnpaid } from './unpaid-meals.commands'

type Needs = Pick<
  PaymentsNeeds,
  'credit' | 'database' | 'eventStore' | 'identity' | 'now' | 'ordering' | 'waitForViews'
>

/** Handing in a cart that costs nothing or is paid for outside of the card provider. */
export const checkoutRoutes = (needs: Needs): Route[] => {
  const { knex } = needs.database
  const unpaidNeeds = { ...needs, openAttempts: (userId: number) => openAttempts(knex, userId, needs.now()) }

  /** While alternative payments are on, they are how a cart that costs something is paid for. */
  const termsOf = async (attemptId: string, userId: number, lines: readonly MealLine[]) => {
    if (!(await readPaymentBypass(knex)).enabled) return { kind: 'free' as const, companyRef: null }
    await refuseTooManyUnpaid(unpaidNeeds, userId, lines)
    return { kind: 'alternative' as const, companyRef: await claimReference(knex, attemptId) }
  }
  const place = placeFreeCheckout({ ...needs, termsOf })

  return [
    route(
      placeOrders,
      onlyRoles('parent', 'teacher'),
      async (call) => {
        const { user, body, idempotencyKey, actor, correlationId } = call
        const { orders, checkout } = await place({
          userId: user.userId,
          lines: 'cartItems' in body ? body.cartItems : body,
          useCredit: 'cartItems' in body && body.useCredit === true,
          body,
          idempotencyKey,
          by: { actor, correlationId },
        })
        const { companyRef: reference, lines } = checkout
        const payment =
          reference === null
            ? null
            : paymentReply({ reference, amount: toPayFor(lines) }, await readPaymentBypass(knex))
        return { orders, payment }
      },
      { cart: true },
    ),
  ]
}
