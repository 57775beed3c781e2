import { onlineManager, useQuery, useQueryClient, useMutation } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { refresh } from '../../../lib/endpoint-query'
import { counted, payByLabel } from '../../../lib/format'
import { lazyComponent } from '../../../lib/lazy'
import { toast } from '../../../lib/toast'
import { useOnline } from '../../../lib/use-device'
import { discountsQuery, openPaymentsQuery } from '../../../queries/ordering'
import { type Cart, isSameDay, repriced } from '../cart'
import { freshMenuQuery, sendCart, type Sent } from '../send-cart'
import { redirectTo } from './card-redirect'
import {
  unansweredNotice,
  type Words,
  failureNotice,
  failureText,
  isUnanswered,
  type Customer,
  isAlternativePayment,
  type LineMessages,
  lineMessages,
  type Order,
  type Placed,
  hasPendingCheckout,
} from './checkout'

const HowToPay = lazyComponent(() => import('../how-to-pay').then((m) => m.HowToPay))

/** What stops the whole order, and messages for single meals. */
export type Stop = { notice: Words | null; messages: LineMessages }

export type Checkout = {
  place: () => void
  busy: boolean
  leaving: boolean
  /** Shown above the cart. */
  notice: Words | null
  messages: LineMessages
  /** Changes with every press that ends here. */
  stop: Stop | null
  placed: Placed | null
  showPayment: () => void
  dialog: ReactNode
}

const offline: Words = {
  title: 'You are offline',
  text: 'Your order was not sent, your cart is kept on this device. Place the order once the connection is back.',
}
const backOnline: Words = { title: 'You are back online', text: 'You can place the order now.' }

type Sending = Pick<Order, 'useCredit' | 'payBy' | 'phone'> & {
  /** What of the customer prevents any order. */
  problem: Words | null
  isInConflict: boolean
}

/** Sends the cart and collects refusals. */
export const useCheckout = (
  cart: Cart,
  customer: Customer,
  { useCredit, payBy, phone, problem, isInConflict }: Sending,
): Checkout => {
  const [stop, setStop] = useState<Stop | null>(null)
  const { placed, setPlaced, showPayment, dialog } = useOrdered()
  const [leaving, setLeaving] = useLeaving()
  const online = useOnline()
  const sending = useSending(cart, {
    placed: setPlaced,
    paying: (paymentUrl) => {
      setLeaving(true)
      redirectTo(paymentUrl)
    },
    refused: (messages, notice) => setStop({ messages, notice }),
  })
  const stopBefore = (notice: Words) => setStop({ notice, messages: {} })
  const place = () => {
    setStop(null)
    if (problem) {
      setStop({ notice: null, messages: {} })
      toast({ title: problem.title, text: problem.text, kind: 'error' })
    } else if (isInConflict) setStop({ notice: null, messages: {} })
    else if (!onlineManager.isOnline()) stopBefore(offline)
    else sending.mutate({ items: cart.items, customer, useCredit, payBy, phone })
  }
  const busy = sending.isPending || leaving
  return {
    place,
    busy,
    leaving,
    notice: noticeNow(stop, { userId: customer.id, online, busy }),
    messages: stop?.messages ?? {},
    stop,
    placed,
    showPayment,
    dialog,
  }
}

/** The last order, and how to pay it. */
const useOrdered = () => {
  const [placed, setPlaced] = useState<Placed | null>(null)
  const [hidden, setHidden] = useState(false)
  const payment = hidden ? null : placed?.payment
  // Read again after the order: with meals and deadline.
  const known = useQuery({ ...openPaymentsQuery, enabled: Boolean(payment) }).data
  return {
    placed,
    setPlaced: (done: Placed) => {
      setPlaced(done)
      setHidden(false)
    },
    showPayment: () => setHidden(false),
    dialog: payment ? (
      <Suspense>
        <HowToPay
          payments={[known?.find(({ reference }) => reference === payment.reference) ?? payment]}
          isNew
          onClose={() => setHidden(true)}
        />
      </Suspense>
    ) : null,
  }
}

type Now = { userId: number; online: boolean; busy: boolean }

/** The last notice while it holds, else an unknown outcome of an earlier visit. */
const noticeNow = (stop: Stop | null, { userId, online, busy }: Now): Words | null => {
  const said = stop?.notice
  const isOver = said === offline && online
  if (said && !isOver) return said
  if (busy) return null
  if (hasPendingCheckout(userId)) return unansweredNotice
  return said === offline ? backOnline : null
}

/** A payment page that takes longer may not open at all. */
const opensWithinMs = 15_000

/** Whoever returns, or waits in vain, may press again: a payment may have been made since. */
const useLeaving = () => {
  const client = useQueryClient()
  const [leaving, setLeaving] = useState(false)
  useEffect(() => {
    if (!leaving) return
    const stay = () => {
      setLeaving(false)
      void refresh(client, 'ordering', 'cycles')
    }
    const seen = () => document.visibilityState === 'visible' && stay()
    const timer = setTimeout(stay, opensWithinMs)
    window.addEventListener('pageshow', stay)
    document.addEventListener('visibilitychange', seen)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pageshow', stay)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [client, leaving])
  return [leaving, setLeaving] as const
}

type Outcomes = {
  placed: (placed: Placed) => void
  paying: (paymentUrl: string) => void
  refused: (lines: LineMessages, notice: Words | null) => void
}

/** Updates outdated prices from the menu. */
const useSending = (cart: Cart, { placed, paying, refused }: Outcomes) =>
  useMutation({
    ...sendCart,
    onSuccess: async (sent, order, ...rest) => {
      if (sent.kind === 'paying') return paying(sent.paymentUrl)
      // Keeps what another tab added.
      cart.update((now) => now.filter((item) => !order.items.some((ordered) => isSameDay(ordered, item))))
      placed(sent.placed)
      toast(doneText(sent, order))
      await sendCart.onSuccess?.(sent, order, ...rest)
    },
    onError: async (error, order, before, context) => {
      const lines = lineMessages(error, order.items)
      refused(lines, failureNotice(error))
      toast({ ...toastText(error), kind: 'error' })
      await sendCart.onError?.(error, order, before, context)
      const codes = new Set(Object.values(lines).map(({ code }) => code))
      if (codes.has('allergen_conflict') || codes.has('diet_conflict'))
        await refresh(context.client, 'identity', 'catalogue')
      if (!codes.has('price_changed')) return
      const menu = await context.client.fetchQuery(freshMenuQuery)
      const discounts = await context.client.fetchQuery({ ...discountsQuery, staleTime: 0 })
      cart.update((items) => repriced(items, menu, discounts))
    },
  })

const bypassText = {
  title: 'Payment Bypass',
  text: 'Alternative payment methods are available. Please check your email for instructions.',
}

const doneText = (sent: Exclude<Sent, { kind: 'paying' }>, order: Order) => {
  const ordered = `${counted(sent.placed.orders.length, 'meal')} ordered.`
  if (sent.kind !== 'alternative') return { title: 'Order placed', text: ordered }
  return isAlternativePayment(order)
    ? { title: 'Order placed', text: `${ordered} Please pay now with ${payByLabel(order.payBy ?? '')}.` }
    : bypassText
}

/** An unknown outcome is not called a failure. */
const toastText = (error: Error): Words => {
  const words = failureText(error)
  return isUnanswered(error) && words.title === 'Error'
    ? { title: words.text, text: 'No answer came. Your cart is kept.' }
    : words
}
