import { mutationOptions } from '@tanstack/react-query'
import { listMenu, validateItems } from '#contracts/catalogue'
import type { ReplyOf } from '#contracts/endpoint'
import { placeOrders } from '#contracts/ordering'
import { getPaymentBypass } from '#contracts/payments'
import { call, CallError } from '../../lib/call'
import { endpointQuery, refresh } from '../../lib/endpoint-query'
import { attemptAnswered, attemptFor } from './order-attempt'
import { totalOf } from './cart-items'
import type { CartItem } from './cart-items'
import { orderLines } from './checkout'
import type { Customer } from './checkout'

const revalidateMs = 120_000
const idsOf = (items: readonly CartItem[]) =>
  [...new Set(items.map((item) => item.menuItemId))].toSorted((a, b) => a - b)

export type Validation = ReplyOf<typeof validateItems>

/** Which meals of the cart can still be ordered; asked again every two minutes while the cart is on screen. */
export const validationQuery = (items: readonly CartItem[]) => ({
  ...endpointQuery('catalogue', validateItems, { body: { menuItemIds: idsOf(items) } }),
  enabled: items.length > 0,
  staleTime: 0,
  refetchInterval: revalidateMs,
})

/** The same question once, right before ordering; without an answer the cart counts as valid. */
const stillOrderable = async (items: readonly CartItem[]) =>
  call(validateItems, { body: { menuItemIds: idsOf(items) } }).then(
    (answer) => answer.valid,
    () => true,
  )

const alternativesOn = async () =>
  call(getPaymentBypass, {}).then(
    (settings) => settings.enabled,
    () => false,
  )

/** The menu as it is now; asked when the server said that a price in the cart is an old one. */
export const freshMenuQuery = { ...endpointQuery('catalogue', listMenu, {}), staleTime: 0 }

/** The items were no longer orderable when the cart was about to be sent. */
export class CartUnavailable extends Error {}

type Order = { items: readonly CartItem[]; customer: Customer }

/**
 * Places the orders of the cart. A free cart is placed at once. Above zero the server places it when alternative
 * payments are on, and answers 402 otherwise. `alternative` tells which message to show.
 */
export const placeCart = mutationOptions({
  mutationFn: async ({ items, customer }: Order) => {
    if (!(await stillOrderable(items)))
      throw new CartUnavailable('Some items in your cart are no longer available')
    const alternative = totalOf(items) > 0 && (await alternativesOn())
    const body = orderLines(items, customer)
    try {
      const placed = await call(placeOrders, { body, idempotencyKey: attemptFor(customer.id, body) })
      attemptAnswered(customer.id)
      return { ...placed, alternative }
    } catch (error) {
      if (error instanceof CallError && error.status < 500) attemptAnswered(customer.id)
      throw error
    }
  },
  onSuccess: (_placed, _order, _before, { client }) => refresh(client, 'ordering', 'cycles'),
  onError: (_error, _order, _before, { client }) => refresh(client, 'ordering', 'cycles', 'catalogue'),
})
