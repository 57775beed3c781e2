import { useEffect, useState } from 'react'
import type { Order } from '#contracts/ordering'

/** The last moment itself still counts, and a timer may be a little early. */
const marginMs = 20

/**
 * The ids of the orders that may be cancelled at this moment, as the server said at `readAt` (ms of the device's clock):
 * whether, and for how long from then on, so it does not matter whether that clock is right. Drawn again when the time of
 * the next one is over.
 */
export const useCancellable = (orders: readonly Order[], readAt: number): ReadonlySet<string> => {
  const [now, setNow] = useState(Date.now)
  const open = orders.filter((order) => now <= endOf(order, readAt))
  const next = Math.min(...open.map((order) => endOf(order, readAt)))
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
  return new Set(open.map(({ id }) => id))
}

/** The last moment at which it may be cancelled, in ms of the device's clock; long past for one that may not. */
const endOf = ({ allowed }: Order, readAt: number) =>
  allowed.cancel ? readAt + (allowed.cancelForMs ?? Infinity) : -Infinity
