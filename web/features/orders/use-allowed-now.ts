import { useEffect, useMemo, useState } from 'react'
import type { Order } from '#contracts/ordering'

/** The last moment itself still counts, and a timer may be a little early. */
const marginMs = 20

/**
 * The orders with what is allowed at this moment of what the server said at `readAt` (ms of the device's clock): whether
 * they may be cancelled and changed, and for how long from then on, so it does not matter whether that clock is right.
 * Drawn again when the next time is over; an order for which nothing is over is the same object.
 */
export const useAllowedNow = (orders: readonly Order[], readAt: number): readonly Order[] => {
  const [now, setNow] = useState(Date.now)
  const next = Math.min(...orders.flatMap((order) => endsOf(order, readAt)).filter((end) => now <= end))
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

/** The last moments at which it may be cancelled and changed, in ms of the device's clock; long past where it may not. */
const endsOf = ({ allowed }: Order, readAt: number): readonly [cancel: number, change: number] => [
  allowed.cancel ? readAt + (allowed.cancelForMs ?? Infinity) : -Infinity,
  allowed.change ? readAt + (allowed.changeForMs ?? Infinity) : -Infinity,
]

const allowedAt = (now: number, order: Order, readAt: number): Order => {
  const [cancelEnd, changeEnd] = endsOf(order, readAt)
  const current = { cancel: now <= cancelEnd, change: now <= changeEnd }
  return order.allowed.cancel === current.cancel && order.allowed.change === current.change
    ? order
    : { ...order, allowed: { ...order.allowed, ...current } }
}
