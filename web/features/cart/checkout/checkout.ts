import * as z from 'zod/mini'
import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import { type CartLine, type PayWay, payWays, type placeOrders, refusedLine } from '#contracts/ordering'
import { numberToPayTo, type PaymentBypass } from '#contracts/payments'
import type { User } from '#contracts/identity'
import { CallError, freshKey, isAnswer, messageOf, NoAnswer, UnexpectedReply } from '../../../lib/call'
import { type CartItem, priceOf, dayKey, attemptKey } from '../cart'
import { readDevice, removeFromDevice, writeDevice } from '../../../lib/device-storage'

/** Who orders, as it is sent to the kitchen and the books. */
export type Customer = {
  id: number
  username: string
  name: string
  email: string | null
  phone?: string | null
} & Pick<User, 'contactNeeded'>

const emailRequired =
  'Please add an email address to your profile before placing orders. Contact the school office for assistance.'

const checkoutContact = z.object({
  customerName: z.string().check(z.trim(), z.minLength(1, 'Required')),
  customerEmail: z.nullable(z.email('Please enter a valid email address')),
})

const lacking: Record<NonNullable<Customer['contactNeeded']>, Words> = {
  email: { title: 'Email Required', text: emailRequired, toDo: 'Add an email address' },
  email_or_phone: {
    title: 'Email or Phone Required',
    text: 'Please add an email address to your profile, or verify your phone there, before placing orders.',
    toDo: 'Add an email address or verify your phone',
  },
}

/** Why this user cannot check out yet; null when nothing is in the way. */
export const contactProblem = (customer: Customer): Words | null => {
  if (customer.contactNeeded) return lacking[customer.contactNeeded]
  const contact = z.safeParse(checkoutContact, contactOf(customer))
  if (contact.success) return null
  const text = contact.error.issues[0]?.message ?? 'Invalid input'
  return { title: 'Email Required', text, toDo: 'Open your profile' }
}

const contactOf = (customer: Customer) => ({
  customerName: customer.name || customer.username,
  customerEmail: customer.email,
})

/** The cart as the order lines of the contract; an empty comment is sent as an empty text. */
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
 * A cart as it is handed in; `useCredit`: the family's credit pays for as much of it as it can; `payBy`: how the rest is paid
 * for, null where nobody was asked.
 */
export type Order = {
  items: readonly CartItem[]
  customer: Customer
  useCredit: boolean
  payBy: 'card' | PayWay | null
}

/** The buyer sends the money, outside of the card provider. */
export const isWay = (payBy: Order['payBy']): payBy is PayWay => payBy !== null && payBy !== 'card'

/** The ways beside the card that a buyer may choose: each with a number to pay to. */
export const waysBeside = (settings: PaymentBypass): PayWay[] =>
  settings.enabled || !settings.beside ? [] : payWays.filter((way) => numberToPayTo(settings, way) !== '')

/** What orders this cart without a card payment. */
export const placingBody = ({ items, customer, useCredit, payBy }: Order): BodyOf<typeof placeOrders> => ({
  cartItems: orderLines(items, customer),
  useCredit,
  ...(isWay(payBy) && { payBy }),
})

export type Placed = ReplyOf<typeof placeOrders>
export type LineMessages = Readonly<Record<string, { code: string; message: string }>>

const refusal = z.object({ lines: z.array(refusedLine) })

/** The server's message for each refused meal, by `dayKey`; empty when the error is about something else. */
export const lineMessages = (error: unknown, items: readonly CartItem[]): LineMessages => {
  const body = error instanceof CallError ? z.safeParse(refusal, error.reply).data : undefined
  const pairs = (body?.lines ?? []).flatMap(({ index, code, message }) => {
    const item = items[index]
    return item ? [[dayKey(item), { code, message }] as const] : []
  })
  return Object.fromEntries(pairs)
}

type Attempt = { key: string; body: string; at: number }

// Later the same week and day may be those of another cycle.
const answerableMs = 24 * 3_600_000
const brokeAtOnceMs = 5000

/** The sending of this user's cart, as it stands, that nobody has answered yet. */
const stored = (userId: number): Attempt | null => {
  try {
    const attempt = JSON.parse(readDevice(attemptKey(userId)) ?? 'null') as Attempt | null
    return attempt && Date.now() - attempt.at < answerableMs ? attempt : null
  } catch {
    return null
  }
}

/** Whether this cart was sent from this device, maybe before a reload, and nobody knows what became of it. */
export const hasPendingCheckout = (userId: number): boolean => stored(userId) !== null

/** Whether it was this body that was sent and not answered. */
export const isUnansweredBody = (userId: number, body: unknown): boolean =>
  stored(userId)?.body === JSON.stringify(body)

/**
 * The Idempotency-Key for sending this body: the same one until an answer arrived, also after a reload, so that a
 * repeated attempt on a bad network never orders twice. Another body is another attempt, and so is a changed cart.
 */
const attemptFor = (userId: number, body: unknown): string => {
  const text = JSON.stringify(body)
  const before = stored(userId)
  if (before?.body === text) return before.key
  const key = freshKey()
  writeDevice(attemptKey(userId), JSON.stringify({ key, body: text, at: Date.now() }))
  return key
}

/**
 * Sends a body with the key of its attempt, once more when the connection breaks at once. Once it is answered the next
 * sending is an attempt of its own.
 */
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

/** A step of the checkout that failed without words of the server; `message` are ours. */
export class CheckoutFailure extends Error {}

/** The items were no longer orderable when the cart was about to be sent. */
export class CartUnavailable extends CheckoutFailure {}

/** What to throw: the server's own refusal as it is, for anything else these words. */
export const checkoutFailure = (error: unknown, words: string): unknown =>
  error instanceof CallError && error.reply ? error : new CheckoutFailure(words, { cause: error })

const replyOf = (error: unknown): Record<string, unknown> =>
  error instanceof CallError && error.reply ? error.reply : {}
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** `toDo`: what the reader has to do in their profile first. */
export type Words = { title: string; text: string; toDo?: string }

/** How a failed sending of the cart is announced. */
export const failureWords = (error: unknown): Words => {
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

/** The cart was sent, and what became of it is not known: no answer came, or one that says nothing. */
export const isUnanswered = (error: unknown): boolean => {
  const cause = error instanceof CheckoutFailure ? error.cause : error
  const isSent = cause instanceof CallError || cause instanceof NoAnswer || cause instanceof UnexpectedReply
  return isSent && !isAnswer(cause)
}

/** For a cart that was sent and not answered; pressing again sends the same attempt. */
export const unansweredNotice: Words = {
  title: 'No answer came',
  text:
    'Your order may have been placed. Press Place Order again to find out: it is safe, nothing is ordered or paid for ' +
    'twice.',
}

const inProgress =
  'If you have paid, please do not pay again: the payment goes on by itself and your meals appear in Order History ' +
  'within minutes. If you have not paid, please try again in half an hour.'
const tryAnotherWay = 'Please place the order again to pay in another way.'
const tryLater = 'Nothing was charged and your cart is kept. Please try again in a few minutes.'
const cardsOff = 'Your cart is kept. Please try again later, or contact the tuckshop.'

/** What stays above the cart after a failure that is about all of it, with what to do next; else null. */
export const failureNotice = (error: unknown): Words | null => {
  if (isUnanswered(error)) return unansweredNotice
  const { text: said } = failureWords(error)
  const advice = text(replyOf(error).details)
  if (error instanceof CallError && error.status === 402) return { title: 'Card payment', text: said }
  switch (codeOf(error)) {
    case 'payment_in_progress':
      return { title: said, text: advice ?? inProgress }
    case 'way_not_offered':
      return { title: 'Choose another way to pay', text: said }
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
