import { mutationOptions, useQuery } from '@tanstack/react-query'
import { validateItems } from '#contracts/catalogue'
import { placeOrders, type PayWay } from '#contracts/ordering'
import { getPaymentBypass } from '#contracts/payments'
import { call, CallError } from '../../lib/call'
import { endpointQuery, refresh } from '../../lib/endpoint-query'
import { menuQuery } from '../../queries/catalogue'
import {
  CheckoutFailure,
  CartUnavailable,
  isUnanswered,
  isWay,
  type Order,
  type Placed,
  placingBody,
  waysBeside,
  isUnansweredBody,
  sendAttempt,
} from './checkout/checkout'
import { startCardPayment } from './checkout/card-payment'
import { type CartItem, totalOf, type Validation } from './cart'
import { useState } from 'react'
import { waysToPayQuery } from '../../queries/payments'
import { readDevice, writeDevice } from '../../lib/device-storage'
import { markOf, type MealMark } from '#contracts/health'
import { mealMarksQuery } from '../../queries/identity'

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

// What is only asked to be sure does not keep an order waiting for long on a bad line.
const quickCheckMs = 6000

/** The same question once, right before ordering; without an answer the cart counts as valid. */
const stillOrderable = async (items: readonly CartItem[]) =>
  call(validateItems, { body: { menuItemIds: idsOf(items) }, timeoutMs: quickCheckMs }).then(
    (answer) => answer.valid,
    () => true,
  )

const paymentSettings = async () => call(getPaymentBypass, { timeoutMs: quickCheckMs }).catch(() => null)

/** The menu as it is now; asked when the server said that a price in the cart is an old one. */
export const freshMenuQuery = { ...menuQuery, staleTime: 0 }

/** What is in the meals of the cart. */
const knownMenuQuery = { ...freshMenuQuery, staleTime: 30_000 }

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

export type Choice = 'card' | PayWay

// The choice is the device's: a shared phone pays from one wallet.
const rememberedKey = 'tuckshop-pay-by'

/** The next cart on this device is asked for in this way. */
export const rememberPayBy = (choice: Choice): void => writeDevice(rememberedKey, choice)

/** How the cart is to be paid for: what may be chosen, none where nothing is asked, and what is chosen. */
export const usePayBy = (toPay: number) => {
  const { data } = useQuery({ ...waysToPayQuery, enabled: toPay > 0 })
  const ways = data && toPay > 0 ? waysBeside(data) : []
  const choices: Choice[] = ways.length > 0 ? ['card', ...ways] : []
  const [picked, setPicked] = useState(() => readDevice(rememberedKey))
  const choose = (choice: Choice) => {
    rememberPayBy(choice)
    setPicked(choice)
  }
  // What credit covers is asked for by card, which finds that there is nothing to pay.
  const chosen = choices.find((choice) => choice === picked) ?? (toPay === 0 ? 'card' : null)
  return { choices, chosen, choose }
}

/** How a meal in the cart is marked, and whether it is in the way of the order. */
export type CartMark = MealMark & { stops: boolean }

/**
 * Marks meals by what their children must not have now, whatever was known when they were chosen. A meal that the menu no
 * longer has is not marked: the server judges it.
 */
export const useCartMarks = (): ((item: CartItem) => CartMark) => {
  const marks = useQuery(mealMarksQuery).data
  const menu = useQuery(knownMenuQuery).data
  return (item) => {
    const known = menu?.find(({ id }) => id === item.menuItemId)
    const mark = markOf(known && marks, item.student, known ?? emptyMeal, item.category)
    return { ...mark, stops: mark.rule === 'block' || (mark.rule === 'warn' && !item.acknowledged) }
  }
}

const emptyMeal = { name: '', allergens: [], categories: [] }
