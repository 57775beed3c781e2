import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { CycleOrder } from '#contracts/cycle-orders'
import type { ReplyOf } from '#contracts/endpoint'
import type { setOrderStatus } from '#contracts/kitchen'
import { counted } from '../../../lib/format'
import { notifyOutcome } from '../../../lib/notify-outcome'
import { changeStatus } from '../api'
import type { LeftOrder } from './act-words'
import type { Settable } from './status-bar'
import { titleOf } from '../order-words'

/** An order that a change did not reach, and why. */
export type Skipped = { id: string; title: string; reason: string }

/** Changes the status of orders, tells how it ended and keeps what was skipped. */
export const useStatusChange = () => {
  const changing = useMutation(changeStatus)
  const [skipped, setSkipped] = useState<readonly Skipped[]>([])
  /** Answers whether the server made the change, for all or some of them. */
  const change = async (orders: readonly CycleOrder[], status: Settable): Promise<boolean> => {
    const reply = await notifyOutcome(
      changing.mutateAsync({ body: { orderIds: orders.map(({ id }) => id), status } }),
      {
        done: doneWords,
        failed: 'Failed to update order statuses',
        failedTitle: 'Error updating status',
      },
    )
    if (!reply) return false
    setSkipped(reply.skipped.map(({ id, message }) => ({ id, title: nameOf(orders, id), reason: message })))
    return true
  }
  /** Shows the orders among these that another act did not reach. */
  const keepSkipped = (orders: readonly CycleOrder[], left: readonly LeftOrder[]) =>
    setSkipped(
      left.map(({ orderId, message }) => ({ id: orderId, title: nameOf(orders, orderId), reason: message })),
    )
  return {
    change,
    changing: changing.isPending,
    skipped,
    keepSkipped,
    forgetSkipped: () => setSkipped([]),
  }
}

const doneWords = ({ updated, skipped }: ReplyOf<typeof setOrderStatus>) => {
  const left = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
  return updated === 0
    ? {
        title: 'Error updating status',
        text: `${counted(skipped.length, 'order')} skipped`,
        kind: 'error' as const,
      }
    : { title: 'Status Updated', text: `${counted(updated, 'order')} updated${left}` }
}

const nameOf = (orders: readonly CycleOrder[], id: string): string => {
  const order = orders.find((one) => one.id === id)
  return order ? titleOf(order) : `Order ${id}`
}
