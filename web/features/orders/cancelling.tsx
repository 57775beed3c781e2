import { useQuery, useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Order, OrderingRules } from '#contracts/ordering'
import { CallError, messageOf, noAnswerCame } from '../../lib/call'
import { kwacha } from '../../lib/format'
import { toast } from '../../lib/toast'
import { orderingRulesQuery } from '../../queries/ordering'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { cancel, ordersQuery } from './api'
import { mealDay } from './order-text'

export const useCancelQuestion = (as: 'parent' | 'teacher', readAt: number) => {
  const lateRemedy = useQuery(orderingRulesQuery).data?.lateRemedy
  const { asked, ask, keep, cancel, busy } = useCancelling(as)
  const question = asked ? (
    <CancelQuestion
      order={asked}
      remedy={remedyOf(asked, readAt) ?? lateRemedy}
      busy={busy}
      onCancel={cancel}
      onKeep={keep}
    />
  ) : null
  return { ask, question }
}

/** `readAt`: ms when the server's answer came. */
const remedyOf = ({ allowed }: Order, readAt: number) => {
  if (allowed.asCredit) return 'credit'
  const isAsPaid = allowed.asPaidForMs !== undefined && Date.now() <= readAt + allowed.asPaidForMs
  return isAsPaid ? 'refund' : undefined
}

type CancelQuestionProps = {
  order: Order
  /** Undefined while the school's rule is unknown. */
  remedy: OrderingRules['lateRemedy'] | undefined
  busy: boolean
  onCancel: () => void
  onKeep: () => void
}

const CancelQuestion = ({ order, remedy, busy, onCancel, onKeep }: CancelQuestionProps) => (
  <ConfirmDialog
    open
    title="Cancel this order?"
    confirm="Cancel Order"
    cancel="Keep Order"
    danger
    busy={busy}
    onConfirm={onCancel}
    onClose={onKeep}
  >
    <strong className="block font-semibold text-ink">
      {order.menuItem.name} for {order.student.name}
    </strong>
    <span className="block">{mealDay(order)}</span>
    <span className="mt-2 block">{consequence(order, remedy)}</span>
  </ConfirmDialog>
)

const consequence = (
  { discountedPrice, paymentStatus }: Order,
  remedy: CancelQuestionProps['remedy'],
): string => {
  if (discountedPrice === 0) return 'The meal will not be prepared. There is nothing to pay back.'
  const price = kwacha(discountedPrice)
  if (paymentStatus !== 'confirmed')
    return `The meal will not be prepared. If you have already paid its ${price}, contact the tuckshop.`
  return `The meal will not be prepared, and your ${price} ${goesBack[remedy ?? 'unknown']}.`
}

const goesBack = {
  credit: 'becomes credit for your next orders',
  refund:
    'becomes due for refund: in cash within 1 hour at the canteen, or by mobile money in 3-5 business days',
  unknown: 'goes back to you',
}

const failure = 'Failed to cancel order'

/** Applies the server's answer to the list at once. */
const useCancelling = (as: 'parent' | 'teacher') => {
  const [asked, setAsked] = useState<Order | null>(null)
  const focusWhenClosed = useFocusOnRow(asked)
  const query = ordersQuery(as)
  const cancelling = useMutation({
    ...cancel,
    onSuccess: (order, _id, _before, { client }) => {
      const known = client.getQueryState(query.queryKey)
      // Keeps the old update time: the other orders' deadlines count from it.
      client.setQueryData(query.queryKey, replacing(order), { updatedAt: known?.dataUpdatedAt })
      focusWhenClosed(order)
      setAsked(null)
      toast({ title: 'Order cancelled' })
    },
    onError: (error) => {
      if (isRefused(error)) setAsked(null)
      toast({ title: 'Error', text: messageOf(error, failure, noAnswerCame), kind: 'error' })
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

/** The cancelled order's button is gone: focuses its row without scrolling. */
const useFocusOnRow = (asked: Order | null) => {
  const cancelled = useRef<Order>(null)
  useEffect(() => {
    const id = cancelled.current?.id
    if (asked || id === undefined) return
    cancelled.current = null
    // After the dialog has restored the focus.
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

/** A refusal repeats; a lost connection may not. */
const isRefused = (error: unknown) => error instanceof CallError && error.status < 500
