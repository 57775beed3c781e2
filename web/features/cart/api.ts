import { mutationOptions } from '@tanstack/react-query'
import { listMenu, validateItems } from '#contracts/catalogue'
import { mealMarks } from '#contracts/meal-marks'
import { getCredit } from '#contracts/credit'
import { listCycles } from '#contracts/cycles'
import { placeOrders } from '#contracts/ordering'
import { getPaymentBypass } from '#contracts/payments'
import { call, CallError } from '../../lib/call'
import { endpointQuery, refresh } from '../../lib/endpoint-query'
import { CheckoutFailure, CartUnavailable, isUnanswered } from './checkout/checkout-failure'
import { startCardPayment } from './checkout/card-payment'
import { type CartItem, totalOf } from './cart-items'
import type { Validation } from './cart-view'
import { isWay, type Order, type Placed, placingBody, waysBeside } from './checkout/checkout'
import { isUnansweredBody, sendAttempt } from './checkout/order-attempt'

const revalidateMs = 120_000
const idsOf = (items: readonly CartItem[]) =>
  [...new Set(items.map((item) => item.menuItemId))].toSorted((a, b) => a - b)

/**
 * Which meals of the cart can still be ordered; asked again every two minutes while the cart is on screen. Another cart
 * goes by the last answer until it has its own.
 */
export const validationQuery = (items: readonly CartItem[]) => ({
  ...endpointQuery('catalogue', validateItems, { body: { menuItemIds: idsOf(items) } }),
  enabled: items.length > 0,
  staleTime: 0,
  refetchInterval: revalidateMs,
  placeholderData: (before: Validation | undefined) => before,
})

/** The dates of the weeks that the meals are for. */
export const datesQuery = endpointQuery('cycles', listCycles, {})

// What is only asked to be sure does not keep an order waiting for long on a bad line.
const quickCheckMs = 6000

/** The same question once, right before ordering; without an answer the cart counts as valid. */
const stillOrderable = async (items: readonly CartItem[]) =>
  call(validateItems, { body: { menuItemIds: idsOf(items) }, timeoutMs: quickCheckMs }).then(
    (answer) => answer.valid,
    () => true,
  )

const paymentSettings = async () => call(getPaymentBypass, { timeoutMs: quickCheckMs }).catch(() => null)

/** The ways to pay outside of the card provider. */
export const bypassQuery = { ...endpointQuery('payments', getPaymentBypass, {}), staleTime: 30_000 }

/** The menu as it is now; asked when the server said that a price in the cart is an old one. */
export const freshMenuQuery = { ...endpointQuery('catalogue', listMenu, {}), staleTime: 0 }

/** What is in the meals of the cart. */
export const knownMenuQuery = { ...freshMenuQuery, staleTime: 30_000 }

/** What the family may spend. */
export const creditQuery = { ...endpointQuery('ordering', getCredit, {}), staleTime: 30_000 }

/** `paying`: nothing is ordered yet, the browser goes to the payment page. `alternative`: paid in another way later. */
export type Sent = { kind: 'placed' | 'alternative'; placed: Placed } | { kind: 'paying'; paymentUrl: string }

/**
 * Sends the cart: a free one, one that credit covers, one to be paid for in a chosen way, and any while alternative
 * payments are on, is placed at once; for the others a card payment is started (parent-and-teacher.md section 4, days-and-changes.md section 5).
 */
export const sendCart = mutationOptions({
  mutationFn: async (order: Order): Promise<Sent> => {
    const { items } = order
    if (items.length === 0) throw new CheckoutFailure('Cannot proceed with payment: No items in cart')
    const costs = totalOf(items) > 0
    const [orderable, settings] = await Promise.all([stillOrderable(items), costs ? paymentSettings() : null])
    if (!orderable) throw new CartUnavailable('Some items in your cart are no longer available')
    if (settings && order.payBy === null && waysBeside(settings).length > 0)
      throw new CheckoutFailure('Please choose how you want to pay')
    const byCard = costs && !settings?.enabled && !isWay(order.payBy)
    const paymentUrl = byCard ? await cardPayment(order) : null
    if (paymentUrl !== null) return { kind: 'paying', paymentUrl }
    const placed = await placedOrders(settings?.enabled ? { ...order, payBy: null } : order)
    return { kind: placed.payment ? 'alternative' : 'placed', placed }
  },
  onSuccess: (sent, _order, _before, { client }) =>
    sent.kind === 'paying' ? undefined : refresh(client, 'ordering', 'cycles', 'payments'),
  // A cart that nobody answered for stays as it is, so that it can be sent again as the same attempt.
  onError: (error, _order, _before, { client }) =>
    isUnanswered(error) ? undefined : refresh(client, 'ordering', 'cycles', 'catalogue', 'payments'),
})

/**
 * Where to pay for the cart; null where there is nothing to pay, because credit covers all of it. What was placed without
 * a payment and not answered is placed again, as the same attempt.
 */
const cardPayment = async (order: Order): Promise<string | null> => {
  if (isUnansweredBody(order.customer.id, placingBody(order))) return null
  try {
    return await startCardPayment(order)
  } catch (error) {
    if (error instanceof CallError && error.code === 'credit_covers') return null
    throw error
  }
}

const placedOrders = async (order: Order): Promise<Placed> => {
  const body = placingBody(order)
  const send = () =>
    sendAttempt(order.customer.id, body, (idempotencyKey) => call(placeOrders, { body, idempotencyKey }))
  const placed = await send()
  // The answer to a try of long ago, whose orders were cancelled since, is no answer to this one.
  return placed.orders.every(({ status }) => status === 'pending' || status === 'completed') ? placed : send()
}

/** What the children of this family must not eat, as of not long ago. */
export const mealMarksQuery = { ...endpointQuery('identity', mealMarks, {}), staleTime: 30_000 }
