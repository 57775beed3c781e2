import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, useEffect, useMemo } from 'react'
import type { Order } from '#contracts/ordering'
import { messageOf, noAnswerCame } from '../../lib/call'
import { kwacha } from '../../lib/format'
import { lazyComponent } from '../../lib/lazy'
import { toast } from '../../lib/toast'
import { Button } from '../../ui/button'
import { ordersQuery, setAbsent } from './api'
import { isOff, mealOf } from './order-text'

type CancelActionProps = {
  order: Order
  describedBy: string
  onCancel: (order: Order) => void
}

/** Says quietly what is not possible. */
export const CancelAction = ({ order, describedBy, onCancel }: CancelActionProps) => {
  if (isOff(order)) return <span className="text-muted">Order cancelled</span>
  return (
    <span className="flex flex-wrap items-center gap-2">
      <FamilyActions order={order} describedBy={describedBy} />
      {order.allowed.cancel ? (
        <Button
          variant="secondary"
          aria-label={`Cancel Order: ${mealOf(order)}`}
          aria-describedby={describedBy}
          className="px-3! text-sm! whitespace-nowrap"
          onClick={() => onCancel(order)}
        >
          Cancel Order
        </Button>
      ) : (
        <button
          type="button"
          disabled
          aria-label={`Cannot cancel: ${mealOf(order)}`}
          className="text-left text-muted"
        >
          Cannot cancel
        </button>
      )}
    </span>
  )
}

const MoveDialog = lazyComponent(() => import('./move-dialog').then((m) => m.MoveDialog))
const ChangeDialog = lazyComponent(() => import('./change-dialog').then((m) => m.ChangeDialog))

type FamilyActsProps = { order: Order; describedBy: string }

const actClass = 'px-3! text-sm! whitespace-nowrap'

/** As the server allows now. */
const FamilyActions = ({ order, describedBy }: FamilyActsProps) => {
  const [changing, setChanging] = useState(false)
  const [moving, setMoving] = useState(false)
  return (
    <>
      {order.allowed.change ? (
        <Button
          variant="secondary"
          aria-label={`Change Meal: ${mealOf(order)}`}
          aria-describedby={describedBy}
          className={actClass}
          onClick={() => setChanging(true)}
        >
          Change Meal
        </Button>
      ) : null}
      {order.allowed.move ? (
        <Button
          variant="secondary"
          aria-label={`Another day: ${mealOf(order)}`}
          aria-describedby={describedBy}
          className={actClass}
          onClick={() => setMoving(true)}
        >
          Another day
        </Button>
      ) : null}
      {order.allowed.absent ? <AbsenceButton order={order} describedBy={describedBy} /> : null}
      {moving ? <MoveDialog order={order} onClose={() => setMoving(false)} /> : null}
      {changing ? <ChangeDialog order={order} onClose={() => setChanging(false)} /> : null}
    </>
  )
}

const AbsenceButton = ({ order, describedBy }: FamilyActsProps) => {
  const failure = 'Failed to tell the tuckshop'
  const telling = useMutation({
    ...setAbsent,
    onSuccess: (told) =>
      toast(
        told.absent
          ? { title: `${told.student.name} is ill today`, text: absenceText(told) }
          : { title: `${told.student.name} eats today` },
      ),
    onError: (error) =>
      toast({ title: 'Error', text: messageOf(error, failure, noAnswerCame), kind: 'error' }),
  })
  return (
    <Button
      variant="secondary"
      aria-label={`${order.absent ? 'Not ill after all' : 'Ill today'}: ${mealOf(order)}`}
      aria-describedby={describedBy}
      className={actClass}
      busy={telling.isPending}
      onClick={() => telling.mutate({ params: { id: order.id }, body: { absent: !order.absent } })}
    >
      {order.absent ? 'Not ill after all' : 'Ill today'}
    </Button>
  )
}

type TodaysAbsenceProps = { orderId: string; as: 'parent' | 'teacher'; describedBy: string }

const none: Order[] = []

const absenceText = ({ absenceCredit }: Order): string =>
  `The kitchen knows.${absenceCredit ? ` ${kwacha(absenceCredit)} credit.` : ''}`

/** What came of "Ill today". */
export const AbsenceText = ({ order }: { order: Order }) =>
  order.absent ? <p className="text-sm text-ink">{absenceText(order)}</p> : null

/** "Ill today" for a meal of today, and what came of it. Reads for itself, because a calendar day rerenders only when the day changes. */
export const TodaysAbsence = ({ orderId, as, describedBy }: TodaysAbsenceProps) => {
  const { data = none, dataUpdatedAt } = useQuery(ordersQuery(as))
  const own = useMemo(() => data.filter(({ id }) => id === orderId), [data, orderId])
  const [order] = useAllowedNow(own, dataUpdatedAt)
  if (!order) return null
  return (
    <>
      <AbsenceText order={order} />
      {order.allowed.absent ? <AbsenceButton order={order} describedBy={describedBy} /> : null}
    </>
  )
}

/** The last ms counts; timers may fire early. */
const marginMs = 20

/**
 * Orders with acts allowed now, from durations the server gave at `readAt` (device ms), so a wrong clock does not matter. Updates at each
 * boundary; unchanged orders keep their identity.
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
    // Timers of hidden pages may be late.
    document.addEventListener('visibilitychange', update)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [next])
  return useMemo(() => orders.map((order) => allowedAt(now, order, readAt)), [orders, readAt, now])
}

/** In device ms; impossible acts end in the past. */
const timesOf = ({ allowed }: Order, readAt: number) => ({
  cancelEnd: allowed.cancel ? readAt + (allowed.cancelForMs ?? Infinity) : -Infinity,
  changeEnd: allowed.change ? readAt + (allowed.changeForMs ?? Infinity) : -Infinity,
  moveEnd: allowed.move ? readAt + (allowed.moveForMs ?? Infinity) : -Infinity,
  absentStart: allowed.absent ? -Infinity : readAt + (allowed.absentInMs ?? Infinity),
  absentEnd: readAt + (allowed.absentForMs ?? Infinity),
})

/** The last moments before something that is allowed changes. */
const lastMoments = (order: Order, readAt: number): readonly number[] => {
  const { cancelEnd, changeEnd, moveEnd, absentStart, absentEnd } = timesOf(order, readAt)
  return [cancelEnd, changeEnd, moveEnd, absentStart - 1, absentEnd]
}

const allowedAt = (now: number, order: Order, readAt: number): Order => {
  const { allowed } = order
  const { cancelEnd, changeEnd, moveEnd, absentStart, absentEnd } = timesOf(order, readAt)
  const cancel = now <= cancelEnd
  const change = now <= changeEnd
  const move = now <= moveEnd
  const absent = now >= absentStart && now <= absentEnd
  const isSame =
    allowed.cancel === cancel &&
    allowed.change === change &&
    allowed.move === move &&
    allowed.absent === absent
  return isSame ? order : { ...order, allowed: { ...allowed, cancel, change, move, absent } }
}
