import * as z from 'zod/mini'
import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import type { User } from '#contracts/identity'
import {
  type CartLine,
  type MobileNetwork,
  mobileNetworks,
  type PayWay,
  payWays,
  type placeOrders,
  refusedLine,
} from '#contracts/ordering'
import { numberToPayTo, type PaymentBypass } from '#contracts/payments'
import { CallError, freshKey, isAnswer, messageOf, NoAnswer, UnexpectedReply } from '../../../lib/call'
import { readDevice, removeFromDevice, writeDevice } from '../../../lib/device-storage'
import { type CartItem, priceOf, dayKey, attemptKey } from '../cart'

/** Sent to kitchen and books. */
export type Customer = {
  id: number
  username: string
  name: string
  email: string | null
  phone?: string | null
  version?: string
} & Pick<User, 'contactNeeded'>

const emailRequired =
  'Please add an email address to your profile before placing orders. Contact the school office for assistance.'

const checkoutContact = z.object({
  customerName: z.string().check(z.trim(), z.minLength(1, 'Required')),
  customerEmail: z.nullable(z.email('Please enter a valid email address')),
})

const lacking: Record<NonNullable<Customer['contactNeeded']>, Words> = {
  email: { title: 'Email Required', text: emailRequired },
  email_or_phone: {
    title: 'Email or Phone Required',
    text: 'Please add an email address to your profile, or verify your phone there, before placing orders.',
    toDo: 'Verify your phone instead',
  },
}

/** Null when nothing prevents checkout. */
export const contactProblem = (customer: Customer): Words | null => {
  if (customer.contactNeeded) return lacking[customer.contactNeeded]
  const contact = z.safeParse(checkoutContact, contactOf(customer))
  if (contact.success) return null
  const text = contact.error.issues[0]?.message ?? 'Invalid input'
  return { title: 'Email Required', text }
}

const contactOf = (customer: Customer) => ({
  customerName: customer.name || customer.username,
  customerEmail: customer.email,
})

export const orderLines = (items: readonly CartItem[], customer: Customer): CartLine[] =>
  items.map((item) => ({
    menuItemId: item.menuItemId,
    studentId: item.studentId,
    weekNumber: item.weekNumber,
    dayOfWeek: item.dayOfWeek,
    date: item.date,
    category: item.category,
    sideDish: item.sideDish,
    comments: item.comments.trim(),
    ...(item.acknowledged && { acknowledged: true }),
    originalPrice: Number(item.menuItem.price),
    discountedPrice: priceOf(item),
    discountPercentage: item.discountPercentage ?? 0,
    ...contactOf(customer),
  }))

/**
 * `useCredit` pays as much as it can; `payBy` pays the rest, null where nobody was asked. `phone` is asked by a prompt; null for the other
 * ways.
 */
export type Order = {
  items: readonly CartItem[]
  customer: Customer
  useCredit: boolean
  payBy: 'card' | PayWay | null
  phone: string | null
}

/** Paid outside the card provider. */
export const isAlternativePayment = ({ payBy, phone }: Pick<Order, 'payBy' | 'phone'>): boolean =>
  payBy !== null && payBy !== 'card' && phone === null

/** Paid at once by a prompt on the phone. */
export const promptWays = ({ prompt }: PaymentBypass): readonly MobileNetwork[] =>
  prompt ? mobileNetworks : []

/** Ways with a number to pay to. */
export const alternativeWays = (settings: PaymentBypass): PayWay[] => {
  if (settings.enabled || !settings.beside) return []
  const prompted: readonly PayWay[] = promptWays(settings)
  return payWays.filter((way) => numberToPayTo(settings, way) !== '' && !prompted.includes(way))
}

export const placingBody = (order: Order): BodyOf<typeof placeOrders> => {
  const { items, customer, useCredit, payBy } = order
  const isAlternative = isAlternativePayment(order) && payBy !== null && payBy !== 'card'
  return { cartItems: orderLines(items, customer), useCredit, ...(isAlternative && { payBy }) }
}

export type Placed = ReplyOf<typeof placeOrders>
export type LineMessages = Readonly<Record<string, { code: string; message: string }>>

const refusal = z.object({ lines: z.array(refusedLine) })

/** By `dayKey`; empty for other errors. */
export const lineMessages = (error: unknown, items: readonly CartItem[]): LineMessages => {
  const body = error instanceof CallError ? z.safeParse(refusal, error.reply).data : undefined
  const pairs = (body?.lines ?? []).flatMap(({ index, code, message }) => {
    const item = items[index]
    return item ? [[dayKey(item), { code, message }] as const] : []
  })
  return Object.fromEntries(pairs)
}

type Attempt = { key: string; body: string; at: number }

// Later the week and day may be another cycle's.
const answerableMs = 24 * 3_600_000
const brokeAtOnceMs = 5000

/** The unanswered attempt for the cart as it stands. */
const stored = (userId: number): Attempt | null => {
  try {
    const attempt = JSON.parse(readDevice(attemptKey(userId)) ?? 'null') as Attempt | null
    return attempt && Date.now() - attempt.at < answerableMs ? attempt : null
  } catch {
    return null
  }
}

/** A sent cart whose outcome is unknown, also after a reload. */
export const hasPendingCheckout = (userId: number): boolean => stored(userId) !== null

/** Whether it was this body that was sent and not answered. */
export const isUnansweredBody = (userId: number, body: unknown): boolean =>
  stored(userId)?.body === JSON.stringify(body)

/**
 * Idempotency-Key of a body: the same until answered, also after a reload, so that retries never order twice. Another body or cart gets
 * another key.
 */
const attemptFor = (userId: number, body: unknown): string => {
  const text = JSON.stringify(body)
  const before = stored(userId)
  if (before?.body === text) return before.key
  const key = freshKey()
  writeDevice(attemptKey(userId), JSON.stringify({ key, body: text, at: Date.now() }))
  return key
}

/** Sends with the attempt's key and retries once on a broken connection. An answer ends the attempt. */
export const sendAttempt = async <Reply>(
  userId: number,
  body: unknown,
  send: (idempotencyKey: string) => Promise<Reply>,
): Promise<Reply> => {
  const key = attemptFor(userId, body)
  const sentAt = Date.now()
  try {
    const reply = await send(key).catch((error: unknown) => {
      if (error instanceof TypeError && Date.now() - sentAt < brokeAtOnceMs) return send(key)
      throw error
    })
    removeFromDevice(attemptKey(userId))
    return reply
  } catch (error) {
    if (isAnswer(error)) removeFromDevice(attemptKey(userId))
    throw error
  }
}

/** Failed without server words; `message` is ours. */
export class CheckoutFailure extends Error {}

export class CartUnavailable extends CheckoutFailure {}

/** The server's refusal as it is, else these words. */
export const checkoutFailure = (error: unknown, words: string): unknown =>
  error instanceof CallError && error.reply ? error : new CheckoutFailure(words, { cause: error })

const replyOf = (error: unknown): Record<string, unknown> =>
  error instanceof CallError && error.reply ? error.reply : {}
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** `toDo`: what the profile offers instead. */
export type Words = { title: string; text: string; toDo?: string }

/** How a failed sending of the cart is announced. */
export const failureText = (error: unknown): Words => {
  const own = error instanceof CheckoutFailure ? error.message : text(replyOf(error).ResultExplanation)
  return {
    title: error instanceof CartUnavailable ? unavailableTitle : (titles[codeOf(error) ?? ''] ?? 'Error'),
    text: own ?? messageOf(error, 'Failed to submit order'),
  }
}

const unavailableTitle = 'Cart Items Unavailable'
const titles: Record<string, string> = {
  items_unavailable: unavailableTitle,
  payment_bypass: 'Payment Bypass',
}
const codeOf = (error: unknown) => (error instanceof CallError ? error.code : null)

/** Sent, but with no usable answer. */
export const isUnanswered = (error: unknown): boolean => {
  const cause = error instanceof CheckoutFailure ? error.cause : error
  const isSent = cause instanceof CallError || cause instanceof NoAnswer || cause instanceof UnexpectedReply
  return isSent && !isAnswer(cause)
}

/** Pressing again resends the same attempt. */
export const unansweredNotice: Words = {
  title: 'No answer came',
  text:
    'Your order may have been placed. Press Place Order again to find out: it is safe, nothing is ordered or paid for ' +
    'twice.',
}

const inProgress =
  'If you have paid, please do not pay again: the payment continues without you and your meals appear in Order History ' +
  'within minutes. If you have not paid, please try again in half an hour.'
const tryAnotherWay = 'Please place the order again to pay in another way.'
const tryLater = 'Nothing was charged and your cart is kept. Please try again in a few minutes.'
const cardsOff = 'Your cart is kept. Please try again later, or contact the tuckshop.'

/** Null for failures of single meals. */
export const failureNotice = (error: unknown): Words | null => {
  if (isUnanswered(error)) return unansweredNotice
  const { text: said } = failureText(error)
  const advice = text(replyOf(error).details)
  if (error instanceof CallError && error.status === 402) return { title: 'Card payment', text: said }
  switch (codeOf(error)) {
    case 'payment_in_progress':
      return { title: said, text: advice ?? inProgress }
    case 'way_not_offered':
    case 'too_late_for_transfer':
    case 'paid_at_once':
    case 'prompt_off':
    case 'prompt_unavailable':
    case 'too_many_prompts':
    case 'prompt_at_night':
      return { title: 'Choose another way to pay', text: said }
    case 'prompt_waiting':
    case 'payment_expired':
    case 'too_many_requests':
      return { title: 'Not sent', text: said }
    case 'payment_bypass':
      return { title: 'Payment Bypass', text: tryAnotherWay }
    case 'card_payments_off':
      return { title: said, text: advice ?? cardsOff }
    case 'payment_failed':
    case 'payments_unavailable':
      return { title: said, text: advice ?? tryLater }
    case 'items_unavailable':
      return { title: said, text: goneNames(error) }
    default:
      return null
  }
}

const goneNames = (error: unknown) => {
  const { unavailableItems, archivedItems, missingItems } = replyOf(error)
  const said = [unavailableItems, archivedItems, missingItems].flat()
  return [...new Set(said.flatMap((name) => text(name) ?? []))].join(', ')
}
