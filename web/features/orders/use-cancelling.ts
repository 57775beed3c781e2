import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Order } from '#contracts/ordering'
import { CallError, messageOf } from '../../lib/call'
import { toast } from '../../lib/toast'
import { cancel, ordersQuery } from './api'

const failure = 'Failed to cancel order'

/** A question before an order is cancelled, and the answer of the server in the list as soon as it is there. */
export const useCancelling = (as: 'parent' | 'teacher') => {
  const [asked, setAsked] = useState<Order | null>(null)
  const focusWhenClosed = useFocusOnRow(asked)
  const query = ordersQuery(as)
  const cancelling = useMutation({
    ...cancel,
    onSuccess: (order, _id, _before, { client }) => {
      const known = client.getQueryState(query.queryKey)
      // Still the answer of then: for how long the others may be cancelled counts from there.
      client.setQueryData(query.queryKey, replacing(order), { updatedAt: known?.dataUpdatedAt })
      focusWhenClosed(order)
      setAsked(null)
      toast({ title: 'Order cancelled' })
    },
    onError: (error) => {
      if (isRefused(error)) setAsked(null)
      const unanswered = `${failure}. Please check your connection and try again.`
      toast({ title: 'Error', text: messageOf(error, failure, unanswered), kind: 'error' })
    },
  })
  return {
    asked,
    ask: setAsked,
    keep: () => setAsked(null),
    cancel: () => asked && cancelling.mutate(asked.id),
    busy: cancelling.isPending,
  }
}

/** The button of a cancelled order is gone; once the question is closed its row has the focus. Nothing scrolls. */
const useFocusOnRow = (asked: Order | null) => {
  const cancelled = useRef<Order>(null)
  useEffect(() => {
    const id = cancelled.current?.id
    if (asked || id === undefined) return
    cancelled.current = null
    // After the dialog, which gives the focus to something that had it before.
    queueMicrotask(() =>
      document.querySelector<HTMLElement>(`[data-order="${id}"]`)?.focus({ preventScroll: true }),
    )
  }, [asked])
  return (order: Order) => {
    cancelled.current = order
  }
}

type OrdersReply = Order[] | { data: Order[] }

const replacing = (changed: Order) => {
  const replaced = (orders: Order[]) => orders.map((order) => (order.id === changed.id ? changed : order))
  return (reply: OrdersReply | undefined): OrdersReply | undefined =>
    Array.isArray(reply) ? replaced(reply) : reply && { data: replaced(reply.data) }
}

/** Asking again would be refused again; after a lost connection it would not. */
const isRefused = (error: unknown) => error instanceof CallError && error.status < 500
