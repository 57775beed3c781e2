import { placeOrders, type PayWay } from '#contracts/ordering'
import { numberToPayTo } from '#contracts/payments'
import { type MealLine } from '#kernel/meal-line'
import { Refusal } from '#kernel/refusal'
import { weekdayName, type SchoolDate } from '#kernel/school-time'
import { onlyRoles, route, type Route } from '#platform/http/route'
import { paymentReply, sendsPrompts } from '../alternative/instructions'
import { openAttempts } from '../attempt/attempts.view'
import { toPayFor } from '../attempt/payment-attempt'
import { storedBypass } from '../attempt/payment-bypass.rows'
import { claimReference } from '../attempt/references.rows'
import { tooLateForTransfer } from '../attempt/unpaid.decide'
import type { PaymentsNeeds } from '../ports'
import { refusal } from '../refusals'
import type { VerifyAndSettle } from '../settlement/settle.commands'
import { placeFreeCheckout, type FreeCheckout } from './place-order.commands'
import { refuseTooManyUnpaid, countUnpaidOfAccount } from './unpaid-meals.commands'

/** Places a cart of a family or, for one, of the office: one way for both. */
export const placeCheckout = (needs: PaymentsNeeds, settle: VerifyAndSettle) => {
  const { knex } = needs.database
  const attemptNeeds = {
    ...needs,
    settle,
    openAttempts: (userId: number) => openAttempts(knex, userId, needs.now()),
  }

  /** While alternative payments are on they pay the cart; beside the card only if chosen. The office does not ask. */
  const termsOf = async (
    attemptId: string,
    asked: FreeCheckout & { at: Date },
    lines: readonly MealLine[],
  ) => {
    const { userId, payBy, office, at } = asked
    if (office && asked.useCredit) throw refusal('credit_short')
    if (office) {
      const companyRef = await claimReference(knex, attemptId)
      return { kind: 'alternative' as const, companyRef, ...(payBy && { payBy }) }
    }
    const { enabled, unpaidUntil } = await storedBypass.read(knex)
    if (payBy === null && !enabled) return { kind: 'free' as const, companyRef: null }
    const missed = unpaidUntil === 'cutoff' ? tooLateForTransfer(lines, at) : null
    if (missed !== null) throw tooLateFor(missed, enabled)
    await refuseTooManyUnpaid(attemptNeeds, userId, lines)
    const counted = await countUnpaidOfAccount(attemptNeeds, { userId, attemptId, at }, lines)
    const companyRef = await claimReference(knex, attemptId)
    return { kind: 'alternative' as const, companyRef, counted, ...(payBy && { payBy }) }
  }
  /** Throws `way_not_offered`, `paid_at_once`. */
  const refuseOtherWay = async (way: PayWay): Promise<void> => {
    const settings = await storedBypass.read(knex)
    if (way !== 'bank' && sendsPrompts(settings, needs.provider !== null)) throw refusal('paid_at_once')
    const isOffered = settings.enabled || settings.beside
    if (!isOffered || numberToPayTo(settings, way) === '') throw refusal('way_not_offered')
  }
  const place = placeFreeCheckout({ ...attemptNeeds, refuseOtherWay, termsOf })

  return async (asked: FreeCheckout) => {
    const { orders, checkout } = await place(asked)
    const { companyRef: reference, lines, payBy, office } = checkout
    const payment =
      reference === null
        ? null
        : paymentReply(
            { reference, amount: toPayFor(lines), payBy, atOffice: office !== undefined },
            await storedBypass.read(knex),
          )
    return { orders, payment }
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

/** With the card replaced there is no other way than the office. */
const tooLateFor = (date: SchoolDate, isCardReplaced: boolean) => {
  const insteadDo = isCardReplaced ? 'Ask the office.' : 'Pay by card or on your phone.'
  return new Refusal(
    'too_late_for_transfer',
    `A transfer would come too late for ${weekdayName(date)}. ${insteadDo}`,
  )
}
