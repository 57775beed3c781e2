import { useMutation } from '@tanstack/react-query'
import { counted } from '../../../lib/format'
import { toast } from '../../../lib/toast'
import { freshMenuQuery, sendCart, type Sent } from '../api'
import { failureNotice, failureWords, isUnanswered, type Words } from './checkout-failure'
import { isSameDay } from '../cart-items'
import { repriced } from '../cart-view'
import { lineMessages, type LineMessages, type Placed } from './checkout'
import type { Cart } from '../use-cart'

type Outcomes = {
  placed: (placed: Placed) => void
  paying: (paymentUrl: string) => void
  refused: (lines: LineMessages, notice: Words | null) => void
}

/** The call itself with its notifications. Old prices are replaced by those of the menu as it is now. */
export const useSending = (cart: Cart, { placed, paying, refused }: Outcomes) =>
  useMutation({
    ...sendCart,
    onSuccess: async (sent, order, ...rest) => {
      if (sent.kind === 'paying') return paying(sent.paymentUrl)
      // What another tab has added meanwhile stays.
      cart.update((now) => now.filter((item) => !order.items.some((ordered) => isSameDay(ordered, item))))
      placed(sent.placed)
      toast(doneWords(sent))
      await sendCart.onSuccess?.(sent, order, ...rest)
    },
    onError: async (error, order, before, context) => {
      const lines = lineMessages(error, order.items)
      refused(lines, failureNotice(error))
      toast({ ...toastWords(error), kind: 'error' })
      await sendCart.onError?.(error, order, before, context)
      if (!Object.values(lines).some(({ code }) => code === 'price_changed')) return
      const menu = await context.client.fetchQuery(freshMenuQuery)
      cart.update((items) => repriced(items, menu))
    },
  })

const bypassWords = {
  title: 'Payment Bypass',
  text: 'Alternative payment methods are available. Please check your email for instructions.',
}

const doneWords = (sent: Exclude<Sent, { kind: 'paying' }>) =>
  sent.kind === 'alternative'
    ? bypassWords
    : { title: 'Order placed', text: `${counted(sent.placed.orders.length, 'meal')} ordered.` }

/** The server's words where there are any. Where nobody knows what became of it, nothing has failed for certain. */
const toastWords = (error: Error): Words => {
  const words = failureWords(error)
  return isUnanswered(error) && words.title === 'Error'
    ? { title: words.text, text: 'No answer came. Your cart is kept.' }
    : words
}
