import { useEffect, useMemo, useState } from 'react'
import type { Order } from '#contracts/ordering'

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
