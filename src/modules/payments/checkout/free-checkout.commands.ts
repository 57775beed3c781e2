import type { CartLine, LineRefusal, Order } from '#contracts/ordering'
import { type MealLine } from '#kernel/meal-line'
import type { Ngwee } from '#kernel/money'
import type { Refusal } from '#kernel/refusal'
import type { Position } from '#platform/event-store/event-store'
import { retryOnConflict } from '#platform/event-store/retry-on-conflict'
import type { Terms } from '../alternative/checkout.commands'
import { advanced, attemptAppend, loadAttempt } from '../attempt/attempts.commands'
import type { LoadedAttempt } from '../attempt/attempts.commands'
import { attemptIdFor, bodyHashOf } from './checkout-key.commands'
import { completeCheckout, fulfilling } from './complete-checkout.commands'
import type { AttemptNow, Author, CheckoutMeals, CompleteNeeds } from './complete-checkout.commands'
import type { Checkout } from '../attempt/events'
import { ordersOf } from '../attempt/payment-attempt'
import { paymentAttempt, refuseOtherBody } from '../attempt/payment-attempt.decide'

export type FreeCheckoutNeeds = CompleteNeeds & {
  /** Checks and prices a cart; throws `lines_refused`. Days held by this very attempt count as free. */
  checkCart: (
    buyer: { userId: number; attemptId: string },
    lines: readonly CartLine[],
    at: Date,
  ) => Promise<{ lines: MealLine[]; meals: CheckoutMeals }>
  /** How the cart is to be paid for, if at all. */
  termsOf: (attemptId: string, total: Ngwee) => Promise<Terms>
  linesRefused: (lines: readonly { index: number; code: LineRefusal }[]) => Refusal
  /** These orders as their owner sees them, in the order asked for. */
  orderReplies: (orderIds: readonly string[], at: Date) => Promise<Order[]>
  waitForViews: (position: Position) => Promise<void>
}

export type FreeCheckout = {
  userId: number
  lines: readonly CartLine[]
  idempotencyKey: string | null
  by: Omit<Author, 'at'>
}

/** The orders as their owner sees them, and the checkout that placed them. */
export type Placed = { orders: Order[]; checkout: Checkout }

/**
 * Places a cart without a card, one that is free or is paid for otherwise; all lines or none. Throws `lines_refused`,
 * `payment_required` for one that has to be paid for by card, and `idempotency_key_reused` for the key of another cart. The same key and cart again
 * answer what they did the first time.
 */
export const placeFreeCheckout =
  (needs: FreeCheckoutNeeds) =>
  async ({ userId, lines, idempotencyKey, by }: FreeCheckout): Promise<Placed> => {
    const attemptId = attemptIdFor(userId, idempotencyKey)
    const bodyHash = bodyHashOf(lines)
    const ended = await retryOnConflict(async () => {
      const loaded = await loadAttempt(needs.eventStore, attemptId)
      refuseOtherBody(loaded.attempt, bodyHash)
      return loaded.attempt.status === 'none'
        ? begin(needs, loaded, { userId, lines, bodyHash, by })
        : completeCheckout(needs)(attemptId, by)
    })
    return placed(needs, ended)
  }

/** The whole checkout in one append, the attempt before its orders, so that a crash between can be made good. */
const begin = async (
  needs: FreeCheckoutNeeds,
  loaded: LoadedAttempt,
  { userId, lines, bodyHash, by }: Pick<FreeCheckout, 'userId' | 'lines' | 'by'> & { bodyHash: string },
): Promise<AttemptNow> => {
  const at = needs.now()
  const attemptId = loaded.id
  const cart = await needs.checkCart({ userId, attemptId }, lines, at)
  const total = cart.lines.reduce((sum, { price }) => sum + price, 0)
  const terms = await needs.termsOf(attemptId, total)
  const checkout = { attemptId, ...terms, userId, lines: cart.lines, bodyHash }
  const started = paymentAttempt.decide({ kind: 'start', checkout, now: at }, loaded.attempt)
  const { appends, attempt } = fulfilling(advanced(loaded, started), cart.meals, { ...by, at })
  const idSeed = `${attemptId}/started/${bodyHash}`
  const begun = attemptAppend(loaded, started, { ...by, at, idSeed })
  return { attempt, position: await needs.eventStore.append([...begun, ...appends]) }
}

const placed = async (needs: FreeCheckoutNeeds, { attempt, position }: AttemptNow): Promise<Placed> => {
  if (attempt.status === 'refused') throw needs.linesRefused(attempt.refused)
  if (attempt.status !== 'fulfilled') throw new Error(`A checkout ended ${attempt.status}`)
  if (position !== null) await needs.waitForViews(position)
  const orders = await needs.orderReplies(
    ordersOf(attempt).map(({ orderId }) => orderId),
    needs.now(),
  )
  return { orders, checkout: attempt.checkout }
}
