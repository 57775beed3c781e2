import { mutationOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { unknownDiets, validateItems } from '#contracts/catalogue'
import { markOf, type MealMark } from '#contracts/health'
import { placeOrders, type PayWay } from '#contracts/ordering'
import { getPaymentBypass, isMobile, type PaymentBypass } from '#contracts/payments'
import { call, CallError } from '../../lib/call'
import { readDevice, writeDevice } from '../../lib/device-storage'
import { endpointQuery, refresh } from '../../lib/endpoint-query'
import { weekdayOf } from '../../lib/format'
import { schoolNow } from '../../lib/school-moment'
import { useNow } from '../../lib/use-time'
import { menuQuery } from '../../queries/catalogue'
import { mealMarksQuery } from '../../queries/identity'
import { waysToPayQuery } from '../../queries/payments'
import { type CartItem, type firstCutoff, totalOf, type Validation } from './cart'
import { startCardPayment } from './checkout/card-payment'
import {
  CheckoutFailure,
  CartUnavailable,
  isUnanswered,
  isAlternativePayment,
  type Order,
  type Placed,
  placingBody,
  alternativeWays,
  promptWays,
  isUnansweredBody,
  sendAttempt,
} from './checkout/checkout'

const revalidateMs = 120_000
const idsOf = (items: readonly CartItem[]) =>
  [...new Set(items.map((item) => item.menuItemId))].toSorted((a, b) => a - b)

/** Rechecked every two minutes while shown. A changed cart uses the last answer until its own. */
export const validationQuery = (items: readonly CartItem[]) => ({
  ...endpointQuery('catalogue', validateItems, { body: { menuItemIds: idsOf(items) } }),
  enabled: items.length > 0,
  staleTime: 0,
  refetchInterval: revalidateMs,
  placeholderData: (before: Validation | undefined) => before,
})

// An optional check must not delay an order for long.
const quickCheckMs = 6000

const stillOrderable = async (items: readonly CartItem[]) =>
  call(validateItems, { body: { menuItemIds: idsOf(items) }, timeoutMs: quickCheckMs }).then(
    (answer) => answer.valid,
    () => true,
  )

const paymentSettings = async () => call(getPaymentBypass, { timeoutMs: quickCheckMs }).catch(() => null)

/** After the server refused a price. */
export const freshMenuQuery = { ...menuQuery, staleTime: 0 }

const knownMenuQuery = { ...freshMenuQuery, staleTime: 30_000 }

/** `paying`: the browser goes to the payment page. `alternative`: paid another way later. */
export type Sent = { kind: 'placed' | 'alternative'; placed: Placed } | { kind: 'paying'; paymentUrl: string }

/**
 * Free, covered by credit, or paid another way: placed at once; otherwise starts a card payment (parent-and-teacher.md section 4,
 * days-and-changes.md section 5).
 */
export const sendCart = mutationOptions({
  mutationFn: async (order: Order): Promise<Sent> => {
    const { items } = order
    if (items.length === 0) throw new CheckoutFailure('Cannot proceed with payment: No items in cart')
    const costs = totalOf(items) > 0
    const [orderable, settings] = await Promise.all([stillOrderable(items), costs ? paymentSettings() : null])
    if (!orderable) throw new CartUnavailable('Some items in your cart are no longer available')
    if (settings && asksHow(settings) && order.payBy === null)
      throw new CheckoutFailure('Please choose how you want to pay')
    const byCard = costs && !settings?.enabled && !isAlternativePayment(order)
    const paymentUrl = byCard ? await cardPayment(order) : null
    if (paymentUrl !== null) return { kind: 'paying', paymentUrl }
    const placed = await placedOrders(settings?.enabled ? { ...order, payBy: null, phone: null } : order)
    return { kind: placed.payment ? 'alternative' : 'placed', placed }
  },
  onSuccess: (sent, _order, _before, { client }) =>
    sent.kind === 'paying' ? undefined : refresh(client, 'ordering', 'cycles', 'payments'),
  // An unanswered cart stays, to be resent as the same attempt.
  onError: (error, _order, _before, { client }) =>
    isUnanswered(error) ? undefined : refresh(client, 'ordering', 'cycles', 'catalogue', 'payments'),
})

/** Payment address; null when credit covers all. An unanswered placement is resent as the same attempt. */
const cardPayment = async (order: Order): Promise<string | null> => {
  if (isUnansweredBody(order.customer.id, placingBody(order))) return null
  try {
    return await startCardPayment(order)
  } catch (error) {
    // Without an address only a cart that credit covers is sent.
    if (error instanceof CallError && /^(credit_covers|email_required)$/.test(error.code ?? '')) return null
    throw error
  }
}

const placedOrders = async (order: Order): Promise<Placed> => {
  const body = placingBody(order)
  const send = () =>
    sendAttempt(order.customer.id, body, (idempotencyKey) => call(placeOrders, { body, idempotencyKey }))
  const placed = await send()
  // An old answer whose orders were cancelled since does not count.
  return placed.orders.every(({ status }) => status === 'pending' || status === 'completed') ? placed : send()
}

export type Choice = 'card' | PayWay

// Per device: a shared phone pays from one wallet.
const rememberedKey = 'tuckshop-pay-by'

/** The default of the next cart on this device. */
export const rememberPayBy = (choice: Choice): void => writeDevice(rememberedKey, choice)

const rememberedPhone = 'tuckshop-pay-from'

/** The number that was paid from last on this device. */
export const phoneToPayFrom = (): string | null => readDevice(rememberedPhone)

type FirstCutoff = ReturnType<typeof firstCutoff>

type Payer = { phone: string | null; lacksContact: boolean }

/**
 * Offered ways (none when not asked) and the chosen one. `phone` is the number to pay from; null for ways without a prompt. `tooLate` says
 * why none that lapses is offered any more. `emailFor` says what needs an address: the cart, where no way is asked for; else card and bank.
 */
export const usePayBy = (toPay: number, payer: Payer, first: FirstCutoff) => {
  const { data, error } = useQuery({ ...waysToPayQuery, enabled: toPay > 0 || payer.lacksContact })
  const isTooLate = useTooLateForTransfer(first)
  const prompted: readonly Choice[] = data && toPay > 0 ? promptWays(data) : []
  const later = data && toPay > 0 ? alternativeWays(data) : []
  const lapses = toPay > 0 && data?.unpaidUntil === 'cutoff' && (data.enabled || later.length > 0)
  const tooLate = first && isTooLate && lapses ? tooLateText(first.date, data.enabled) : null
  const isAsked = prompted.length + later.length > 0
  const choices: Choice[] = isAsked ? ['card', ...prompted, ...(tooLate === null ? later : [])] : []
  const [typed, setTyped] = useState(() => phoneToPayFrom() ?? payer.phone ?? '')
  const setPhone = (phone: string) => {
    setTyped(phone)
    if (isMobile(phone)) writeDevice(rememberedPhone, phone)
  }
  const [picked, setPicked] = useState(() => readDevice(rememberedKey))
  const choose = (choice: Choice) => {
    rememberPayBy(choice)
    setPicked(choice)
  }
  // For a cart covered by credit the card call finds nothing to pay.
  const isOnlyCard = toPay === 0 || choices.length === 1
  const chosen = choices.find((choice) => choice === picked) ?? (isOnlyCard ? 'card' : null)
  const phone = chosen !== null && prompted.includes(chosen) ? typed : null
  const isKnown = (toPay === 0 && !payer.lacksContact) || data !== undefined || error !== null
  const emailFor =
    !data || !asksHow(data) ? 'cart' : choices.length > 0 && mailedWays.has(chosen) ? 'way' : null
  return { choices, chosen, choose, phone, setPhone, tooLate, isKnown, emailFor }
}

const mailedWays: ReadonlySet<Choice | null> = new Set<Choice>(['card', 'bank'])

/** Otherwise card is the only way, or the school's other ways are mailed. */
const asksHow = (settings: PaymentBypass) =>
  [...promptWays(settings), ...alternativeWays(settings)].length > 0

// Later it would not be seen in time.
const transferTakesMs = 30 * 60_000
const lookEveryMs = 10_000

const useTooLateForTransfer = (first: FirstCutoff): boolean => {
  const now = schoolNow(useNow(lookEveryMs))
  return first !== undefined && Date.parse(first.cutoffAt) - Date.parse(now) <= transferTakesMs
}

/** As the server says it. */
const tooLateText = (date: string, isCardReplaced: boolean): string =>
  `A transfer would come too late for ${weekdayOf(date)}. ${isCardReplaced ? 'Ask the office.' : 'Pay by card or on your phone.'}`

/** `stops`: prevents the order. */
export type CartMark = MealMark & { stops: boolean }

/** Marks by present health data. Items off the menu are left to the server. */
export const useCartMarks = (): ((item: CartItem) => CartMark) => {
  const marks = useQuery(mealMarksQuery).data
  const menu = useQuery(knownMenuQuery).data
  return (item) => {
    const known = menu?.find(({ id }) => id === item.menuItemId)
    const mark = markOf(known && marks, item.student, known ?? emptyMeal)
    return { ...mark, stops: mark.rule === 'block' || (mark.rule === 'warn' && !item.acknowledged) }
  }
}

const emptyMeal = { allergens: [], diets: unknownDiets }
