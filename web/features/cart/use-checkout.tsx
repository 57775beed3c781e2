import { useMutation } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { CallError, messageOf } from '../../lib/call'
import { counted } from '../../lib/format'
import { lazyPart } from '../../lib/lazy'
import { toast } from '../../lib/toast'
import { CartUnavailable, freshMenuQuery, placeCart } from './api'
import { repriced } from './cart-items'
import { contactProblem, lineMessages } from './checkout'
import type { Customer, LineMessages, Placed } from './checkout'
import type { Cart } from './use-cart'

const PaymentDialog = lazyPart(() => import('./payment-dialog').then((m) => m.PaymentDialog))

export type Checkout = {
  place: () => void
  busy: boolean
  /** What is in the way of ordering, to show above the cart. */
  notice: { title: string; text: string } | null
  /** What the server said about single meals, by their day. */
  messages: LineMessages
  /** How to pay, after an order by alternative payment. */
  dialog: ReactNode
}

const emailTitle = 'Email Required'
const bypassWords = {
  title: 'Payment Bypass',
  text: 'Alternative payment methods are available. Please check your email for instructions.',
}

type Notice = Checkout['notice']

/** Sending the cart: what stops it, what came of it, what the server refused and where. */
export const useCheckout = (cart: Cart, customer: Customer): Checkout => {
  const [messages, setMessages] = useState<LineMessages>({})
  const [notice, setNotice] = useState<Notice>(null)
  const [payment, setPayment] = useState<Placed['payment']>(null)
  const placing = usePlacing(cart, {
    placed: setPayment,
    refused: (lines, words) => {
      setMessages(lines)
      setNotice(words)
    },
  })
  const problem = contactProblem(customer)
  const place = () => {
    setMessages({})
    setNotice(problem ? { title: emailTitle, text: problem } : null)
    if (problem) toast({ title: emailTitle, text: problem, kind: 'error' })
    else placing.mutate({ items: cart.items, customer })
  }
  return {
    place,
    busy: placing.isPending,
    notice: notice?.title === emailTitle && !problem ? null : notice,
    messages,
    dialog: payment ? (
      <Suspense>
        <PaymentDialog payment={payment} onClose={() => setPayment(null)} />
      </Suspense>
    ) : null,
  }
}

type Outcomes = {
  placed: (payment: Placed['payment']) => void
  refused: (lines: LineMessages, notice: Notice) => void
}

/** The call itself with its notifications. Old prices are replaced by those of the menu as it is now. */
const usePlacing = (cart: Cart, { placed, refused }: Outcomes) =>
  useMutation({
    ...placeCart,
    onSuccess: async (answer, ...rest) => {
      cart.clear()
      placed(answer.payment)
      toast(answer.alternative ? bypassWords : orderedWords(answer))
      await placeCart.onSuccess?.(answer, ...rest)
    },
    onError: async (error, order, before, context) => {
      const words = failureWords(error)
      const lines = lineMessages(error, order.items)
      const unpaid = error instanceof CallError && error.status === 402
      refused(lines, unpaid ? { title: 'Card payment', text: words.text } : null)
      toast({ ...words, kind: 'error' })
      await placeCart.onError?.(error, order, before, context)
      if (!Object.values(lines).some(({ code }) => code === 'price_changed')) return
      const menu = await context.client.fetchQuery(freshMenuQuery)
      cart.update((items) => repriced(items, menu))
    },
  })

const orderedWords = ({ orders }: Placed) => ({
  title: 'Order placed',
  text: `${counted(orders.length, 'meal')} ordered.`,
})

const failureWords = (error: unknown) =>
  error instanceof CartUnavailable
    ? { title: 'Cart Items Unavailable', text: error.message }
    : { title: 'Error', text: messageOf(error, 'Failed to submit order') }
