import { onlineManager, useQueryClient, useMutation } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { refresh } from '../../../lib/endpoint-query'
import { lazyComponent } from '../../../lib/lazy'
import { toast } from '../../../lib/toast'
import { useOnline } from '../../../lib/use-device'
import {
  unansweredNotice,
  type Words,
  failureNotice,
  failureWords,
  isUnanswered,
  contactProblem,
  type Customer,
  isWay,
  type LineMessages,
  lineMessages,
  type Order,
  type Placed,
  hasPendingCheckout,
} from './checkout'
import { redirectTo } from './card-redirect'
import { type Cart, isSameDay, repriced } from '../cart'
import { counted, payByLabel } from '../../../lib/format'
import { freshMenuQuery, sendCart, type Sent } from '../send-cart'

const PaymentDialog = lazyComponent(() => import('./payment-dialog').then((m) => m.PaymentDialog))

/** Why the cart was not ordered: what is in the way of all of it, and what the server said about single meals. */
export type Stop = { notice: Words | null; messages: LineMessages }

export type Checkout = {
  place: () => void
  busy: boolean
  /** The payment is started: the browser is on its way to the payment page. */
  leaving: boolean
  /** What is in the way of ordering, to show above the cart. */
  notice: Words | null
  /** What the server said about single meals, by their day. */
  messages: LineMessages
  /** Another value after every press that ended here. */
  stop: Stop | null
  /** What was ordered last. */
  placed: Placed | null
  /** Shows how to pay for what was ordered last. */
  showPayment: () => void
  /** How to pay, after an order by alternative payment. */
  dialog: ReactNode
}

const offline: Words = {
  title: 'You are offline',
  text: 'Your order was not sent, your cart is kept on this device. Place the order once the connection is back.',
}
const backOnline: Words = { title: 'You are back online', text: 'You can place the order now.' }

type Sending = Pick<Order, 'useCredit' | 'payBy'> & {
  /** Some meal is to be looked at first: its line says why. */
  isInConflict: boolean
}

/** Sending the cart: what stops it, what came of it, what the server refused and where. */
export const useCheckout = (
  cart: Cart,
  customer: Customer,
  { useCredit, payBy, isInConflict }: Sending,
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
  const problem = contactProblem(customer)
  const stopBefore = (notice: Words) => setStop({ notice, messages: {} })
  const place = () => {
    setStop(null)
    if (problem) {
      stopBefore(problem)
      toast({ title: problem.title, text: problem.text, kind: 'error' })
    } else if (isInConflict) setStop({ notice: null, messages: {} })
    else if (!onlineManager.isOnline()) stopBefore(offline)
    else sending.mutate({ items: cart.items, customer, useCredit, payBy })
  }
  const busy = sending.isPending || leaving
  return {
    place,
    busy,
    leaving,
    notice: noticeNow(stop, { userId: customer.id, problem, online, busy }),
    messages: stop?.messages ?? {},
    stop,
    placed,
    showPayment,
    dialog,
  }
}

/** What was ordered last, and how to pay for it where that is still to be done. */
const useOrdered = () => {
  const [placed, setPlaced] = useState<Placed | null>(null)
  const [hidden, setHidden] = useState(false)
  const payment = hidden ? null : placed?.payment
  return {
    placed,
    setPlaced: (done: Placed) => {
      setPlaced(done)
      setHidden(false)
    },
    showPayment: () => setHidden(false),
    dialog: payment ? (
      <Suspense>
        <PaymentDialog payment={payment} onClose={() => setHidden(true)} />
      </Suspense>
    ) : null,
  }
}

type Now = { userId: number; problem: Words | null; online: boolean; busy: boolean }

/** What was said when the order was stopped, as far as it is still so; else what is not known since an earlier visit. */
const noticeNow = (stop: Stop | null, { userId, problem, online, busy }: Now): Words | null => {
  const said = stop?.notice
  const isOver = said?.toDo ? problem === null : said === offline && online
  if (said && !isOver) return said
  if (busy) return null
  if (hasPendingCheckout(userId)) return unansweredNotice
  return said === offline ? backOnline : null
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
  placed: (placed: Placed) => void
  paying: (paymentUrl: string) => void
  refused: (lines: LineMessages, notice: Words | null) => void
}

/** The call itself with its notifications. Old prices are replaced by those of the menu as it is now. */
const useSending = (cart: Cart, { placed, paying, refused }: Outcomes) =>
  useMutation({
    ...sendCart,
    onSuccess: async (sent, order, ...rest) => {
      if (sent.kind === 'paying') return paying(sent.paymentUrl)
      // What another tab has added meanwhile stays.
      cart.update((now) => now.filter((item) => !order.items.some((ordered) => isSameDay(ordered, item))))
      placed(sent.placed)
      toast(doneWords(sent, order))
      await sendCart.onSuccess?.(sent, order, ...rest)
    },
    onError: async (error, order, before, context) => {
      const lines = lineMessages(error, order.items)
      refused(lines, failureNotice(error))
      toast({ ...toastWords(error), kind: 'error' })
      await sendCart.onError?.(error, order, before, context)
      const codes = new Set(Object.values(lines).map(({ code }) => code))
      if (codes.has('allergen_conflict')) await refresh(context.client, 'identity', 'catalogue')
      if (!codes.has('price_changed')) return
      const menu = await context.client.fetchQuery(freshMenuQuery)
      cart.update((items) => repriced(items, menu))
    },
  })

const bypassWords = {
  title: 'Payment Bypass',
  text: 'Alternative payment methods are available. Please check your email for instructions.',
}

const doneWords = (sent: Exclude<Sent, { kind: 'paying' }>, { payBy }: Order) => {
  const ordered = `${counted(sent.placed.orders.length, 'meal')} ordered.`
  if (sent.kind !== 'alternative') return { title: 'Order placed', text: ordered }
  return isWay(payBy)
    ? { title: 'Order placed', text: `${ordered} Please pay now with ${payByLabel(payBy)}.` }
    : bypassWords
}

/** The server's words where there are any. Where nobody knows what became of it, nothing has failed for certain. */
const toastWords = (error: Error): Words => {
  const words = failureWords(error)
  return isUnanswered(error) && words.title === 'Error'
    ? { title: words.text, text: 'No answer came. Your cart is kept.' }
    : words
}
