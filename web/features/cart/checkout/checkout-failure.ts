import { CallError, messageOf } from '../../../lib/call'
import { isAnswer } from './order-attempt'

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
  return cause instanceof Error && !isAnswer(cause)
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
