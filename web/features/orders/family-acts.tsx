import type { Order } from '#contracts/ordering'
import { Button } from '../../ui/button'
import { isOff } from './order-words'
import { useMutation } from '@tanstack/react-query'
import { useState, useEffect, useMemo } from 'react'
import { messageOf, noAnswerCame } from '../../lib/call'
import { lazyComponent } from '../../lib/lazy'
import { toast } from '../../lib/toast'
import { setAbsent } from './api'

type CancelActionProps = {
  order: Order
  /** The id of what names the order, for screen readers. */
  describedBy: string
  onCancel: (order: Order) => void
}

/** What can be done to an order. What cannot be is said quietly. */
export const CancelAction = ({ order, describedBy, onCancel }: CancelActionProps) => {
  if (isOff(order)) return <span className="text-muted">Order cancelled</span>
  return (
    <span className="flex flex-wrap items-center gap-2">
      <FamilyActs order={order} describedBy={describedBy} />
      {order.allowed.cancel ? (
        <Button
          variant="secondary"
          aria-describedby={describedBy}
          className="px-3! text-sm! whitespace-nowrap"
          onClick={() => onCancel(order)}
        >
          Cancel Order
        </Button>
      ) : (
        <button type="button" disabled className="text-left text-muted">
          Cannot cancel
        </button>
      )}
    </span>
  )
}

const ChangeDialog = lazyComponent(() => import('./change-dialog').then((m) => m.ChangeDialog))

type FamilyActsProps = { order: Order; describedBy: string }

const actClass = 'px-3! text-sm! whitespace-nowrap'

/** Another meal instead, and "Ill today": what the server allows now. */
const FamilyActs = ({ order, describedBy }: FamilyActsProps) => {
  const [changing, setChanging] = useState(false)
  return (
    <>
      {order.allowed.change ? (
        <Button
          variant="secondary"
          aria-describedby={describedBy}
          className={actClass}
          onClick={() => setChanging(true)}
        >
          Change Meal
        </Button>
      ) : null}
      {order.allowed.absent ? <AbsenceButton order={order} describedBy={describedBy} /> : null}
      {changing ? <ChangeDialog order={order} onClose={() => setChanging(false)} /> : null}
    </>
  )
}

const AbsenceButton = ({ order, describedBy }: FamilyActsProps) => {
  const failure = 'Failed to tell the tuckshop'
  const telling = useMutation({
    ...setAbsent,
    onSuccess: ({ absent }) =>
      toast({ title: absent ? 'The tuckshop knows that your child is ill' : 'The meal will be eaten' }),
    onError: (error) =>
      toast({ title: 'Error', text: messageOf(error, failure, noAnswerCame), kind: 'error' }),
  })
  return (
    <Button
      variant="secondary"
      aria-describedby={describedBy}
      className={actClass}
      busy={telling.isPending}
      onClick={() => telling.mutate({ params: { id: order.id }, body: { absent: !order.absent } })}
    >
      {order.absent ? 'Not ill after all' : 'Ill today'}
    </Button>
  )
}

/** The last moment itself still counts, and a timer may be a little early. */
const marginMs = 20

/**
 * The orders with what is allowed at this moment of what the server said at `readAt` (ms of the device's clock): whether
 * they may be cancelled, changed and said to be absent, and from when and for how long, so it does not matter whether that
 * clock is right. Drawn again when the next time begins or is over; an order for which nothing changes is the same object.
 */
export const useAllowedNow = (orders: readonly Order[], readAt: number): readonly Order[] => {
  const [now, setNow] = useState(Date.now)
  const next = Math.min(
    ...orders.flatMap((order) => lastMoments(order, readAt)).filter((last) => now <= last),
  )
  useEffect(() => {
    if (next === Infinity) return undefined
    const update = () => setNow(Date.now())
    const timer = setTimeout(update, next + marginMs - Date.now())
    // The timers of a page that was out of sight may be late.
    document.addEventListener('visibilitychange', update)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [next])
  return useMemo(() => orders.map((order) => allowedAt(now, order, readAt)), [orders, readAt, now])
}

/** From when to when each may be done, in ms of the device's clock; what may not be done ends long ago. */
const timesOf = ({ allowed }: Order, readAt: number) => ({
  cancelEnd: allowed.cancel ? readAt + (allowed.cancelForMs ?? Infinity) : -Infinity,
  changeEnd: allowed.change ? readAt + (allowed.changeForMs ?? Infinity) : -Infinity,
  absentStart: allowed.absent ? -Infinity : readAt + (allowed.absentInMs ?? Infinity),
  absentEnd: readAt + (allowed.absentForMs ?? Infinity),
})

/** The last moments before something that is allowed changes. */
const lastMoments = (order: Order, readAt: number): readonly number[] => {
  const { cancelEnd, changeEnd, absentStart, absentEnd } = timesOf(order, readAt)
  return [cancelEnd, changeEnd, absentStart - 1, absentEnd]
}

const allowedAt = (now: number, order: Order, readAt: number): Order => {
  const { allowed } = order
  const { cancelEnd, changeEnd, absentStart, absentEnd } = timesOf(order, readAt)
  const cancel = now <= cancelEnd
  const change = now <= changeEnd
  const absent = now >= absentStart && now <= absentEnd
  return allowed.cancel === cancel && allowed.change === change && allowed.absent === absent
    ? order
    : { ...order, allowed: { ...allowed, cancel, change, absent } }
}
