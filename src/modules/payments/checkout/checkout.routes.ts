import { placeOrders, type PayWay } from '#contracts/ordering'
import type { MealLine } from '#kernel/meal-line'
import { onlyRoles, route, type Route } from '#platform/http/route'
import { openAttempts } from '../attempt/attempts.rows'
import { toPayFor } from '../attempt/payment-attempt'
import { placeFreeCheckout } from './free-checkout.commands'
import { claimReference } from '../alternative/references.rows'
import { paymentReply, payableWays } from '../alternative/instructions'
import { readPaymentBypass } from '../alternative/alternative.routes'
import type { PaymentsNeeds } from '../needs'
import type { VerifyAndSettle } from '../settlement/settle.commands'
import { countUnpaidOfAccount, refuseTooManyUnpaid } from './unpaid-meals.commands'

export const checkoutRoutes = (needs: PaymentsNeeds, settle: VerifyAndSettle): Route[] => {
  const { knex } = needs.database
  const attemptNeeds = {
    ...needs,
    settle,
    openAttempts: (userId: number) => openAttempts(knex, userId, needs.now()),
  }

  /** While alternative payments are on they pay the cart; beside the card only if chosen. */
  const termsOf = async (
    attemptId: string,
    asked: { userId: number; payBy: PayWay | null; at: Date },
    lines: readonly MealLine[],
  ) => {
    const { userId, payBy } = asked
    if (payBy === null && !(await readPaymentBypass(knex)).enabled)
      return { kind: 'free' as const, companyRef: null }
    await refuseTooManyUnpaid(attemptNeeds, userId, lines)
    const counted = await countUnpaidOfAccount(attemptNeeds, { ...asked, attemptId }, lines)
    const companyRef = await claimReference(knex, attemptId)
    return { kind: 'alternative' as const, companyRef, counted, ...(payBy && { payBy }) }
  }
  const waysOffered = async () => payableWays(await readPaymentBypass(knex))
  const place = placeFreeCheckout({ ...attemptNeeds, waysOffered, termsOf })

  return [
    route(
      placeOrders,
      onlyRoles('parent', 'teacher'),
      async (call) => {
        const { user, body, idempotencyKey, by } = call
        const { orders, checkout } = await place({
          userId: user.userId,
          lines: 'cartItems' in body ? body.cartItems : body,
          useCredit: 'cartItems' in body && body.useCredit === true,
          payBy: ('cartItems' in body && body.payBy) || null,
          body,
          idempotencyKey,
          by,
        })
        const { companyRef: reference, lines, payBy } = checkout
        const payment =
          reference === null
            ? null
            : paymentReply({ reference, amount: toPayFor(lines), payBy }, await readPaymentBypass(knex))
        return { orders, payment }
      },
      { cart: true },
    ),
  ]
}
