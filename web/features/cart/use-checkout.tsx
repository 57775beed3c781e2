import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { counted } from '../../lib/format'
import { refresh } from '../../lib/endpoint-query'
import { lazyPart } from '../../lib/lazy'
import { toast } from '../../lib/toast'
import { CartUnavailable, freshMenuQuery, sendCart } from './api'
import { failureNotice, failureWords } from './card-failure'
import type { Words } from './card-failure'
import { followTo } from './card-redirect'
import { repriced } from './cart-items'
import { contactProblem, lineMessages } from './checkout'
import type { Customer, LineMessages, Placed } from './checkout'
import type { Cart } from './use-cart'

const PaymentDialog = lazyPart(() => import('./payment-dialog').then((m) => m.PaymentDialog))

export type Checkout = {
  place: () => void
  busy: boolean
  /** The payment is started: the browser is on its way to the payment page. */
  leaving: boolean
  /** What is in the way of ordering, to show above the cart. */
  notice: Words | null
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

/** Sending the cart: what stops it, what came of it, what the server refused and where. */
export const useCheckout = (cart: Cart, customer: Customer): Checkout => {
  const [messages, setMessages] = useState<LineMessages>({})
  const [notice, setNotice] = useState<Words | null>(null)
  const [payment, setPayment] = useState<Placed['payment']>(null)
  const [leaving, setLeaving] = useLeaving()
  const sending = useSending(cart, {
    placed: setPayment,
    paying: (paymentUrl) => {
      setLeaving(true)
      followTo(paymentUrl)
    },
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
    else sending.mutate({ items: cart.items, customer })
  }
  return {
    place,
    busy: sending.isPending || leaving,
    leaving,
    notice: notice?.title === emailTitle && !problem ? null : notice,
    messages,
    dialog: payment ? (
      <Suspense>
        <PaymentDialog payment={payment} onClose={() => setPayment(null)} />
      </Suspense>
    ) : null,
  }
}

/** Whether the browser is leaving. Who turns back may find this very page again, as it was, and what was paid since. */
const useLeaving = () => {
  const client = useQueryClient()
  const [leaving, setLeaving] = useState(false)
  useEffect(() => {
    const back = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return
      setLeaving(false)
      void refresh(client, 'ordering', 'cycles')
    }
    window.addEventListener('pageshow', back)
    return () => window.removeEventListener('pageshow', back)
  }, [client])
  return [leaving, setLeaving] as const
}

type Outcomes = {
  placed: (payment: Placed['payment']) => void
  paying: (paymentUrl: string) => void
  refused: (lines: LineMessages, notice: Words | null) => void
}

/** The call itself with its notifications. Old prices are replaced by those of the menu as it is now. */
const useSending = (cart: Cart, { placed, paying, refused }: Outcomes) =>
  useMutation({
    ...sendCart,
    onSuccess: async (sent, ...rest) => {
      if (sent.kind === 'paying') return paying(sent.paymentUrl)
      cart.clear()
      placed(sent.placed.payment)
      toast(sent.kind === 'alternative' ? bypassWords : orderedWords(sent.placed))
      await sendCart.onSuccess?.(sent, ...rest)
    },
    onError: async (error, order, before, context) => {
      const lines = lineMessages(error, order.items)
      refused(lines, failureNotice(error))
      toast({ ...wordsOf(error), kind: 'error' })
      await sendCart.onError?.(error, order, before, context)
      if (!Object.values(lines).some(({ code }) => code === 'price_changed')) return
      const menu = await context.client.fetchQuery(freshMenuQuery)
      cart.update((items) => repriced(items, menu))
    },
  })

const orderedWords = ({ orders }: Placed) => ({
  title: 'Order placed',
  text: `${counted(orders.length, 'meal')} ordered.`,
})

const wordsOf = (error: unknown) =>
  error instanceof CartUnavailable
    ? { title: 'Cart Items Unavailable', text: error.message }
    : failureWords(error)
