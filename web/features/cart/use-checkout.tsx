import { useMutation } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { CallError, messageOf } from '../../lib/call'
import { counted } from '../../lib/format'
import { lazyPart } from '../../lib/lazy'
import { toast } from '../../lib/toast'
import { CartUnavailable, placeCart } from './api'
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

const bypassWords = {
  title: 'Payment Bypass',
  text: 'Alternative payment methods are available. Please check your email for instructions.',
}

/** Sending the cart: what stops it, what came of it, what the server refused and where. */
export const useCheckout = (cart: Cart, customer: Customer): Checkout => {
  const [messages, setMessages] = useState<LineMessages>({})
  const [notice, setNotice] = useState<Checkout['notice']>(null)
  const [payment, setPayment] = useState<Placed['payment']>(null)
  const placing = useMutation({
    ...placeCart,
    onSuccess: async (placed, ...rest) => {
      cart.clear()
      setPayment(placed.payment)
      toast(
        placed.alternative
          ? bypassWords
          : { title: 'Order placed', text: `${counted(placed.orders.length, 'meal')} ordered.` },
      )
      await placeCart.onSuccess?.(placed, ...rest)
    },
    onError: async (error, order, ...rest) => {
      const words = failureWords(error)
      setMessages(lineMessages(error, order.items))
      setNotice(
        error instanceof CallError && error.status === 402 ? { ...words, title: 'Card payment' } : null,
      )
      toast({ ...words, kind: 'error' })
      await placeCart.onError?.(error, order, ...rest)
    },
  })
  const place = () => {
    const problem = contactProblem(customer)
    setMessages({})
    setNotice(problem ? { title: 'Email Required', text: problem } : null)
    if (problem) toast({ title: 'Email Required', text: problem, kind: 'error' })
    else placing.mutate({ items: cart.items, customer })
  }
  return {
    place,
    busy: placing.isPending,
    notice: notice?.title === 'Email Required' && !contactProblem(customer) ? null : notice,
    messages,
    dialog: payment ? (
      <Suspense>
        <PaymentDialog payment={payment} onClose={() => setPayment(null)} />
      </Suspense>
    ) : null,
  }
}

const failureWords = (error: unknown) =>
  error instanceof CartUnavailable
    ? { title: 'Cart Items Unavailable', text: error.message }
    : { title: 'Error', text: messageOf(error, 'Failed to submit order') }
