import { useEffect, useRef, useState } from 'react'
import type { KitchenTotal } from '#contracts/kitchen'
import { rowKey } from './kitchen-groups'

const markedMs = 60_000

/** What there is to cook; that some of it was marked complete is no change of that. */
const seen = ({ pendingOrderIds: _ids, completed: _done, ...cooked }: KitchenTotal) => JSON.stringify(cooked)

/** The keys of the rows that are other than before, each for a minute; none for what was there at first. */
export const useChangedRows = (totals: readonly KitchenTotal[]): ReadonlySet<string> => {
  const before = useRef<ReadonlyMap<string, string> | null>(null)
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set())
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  useEffect(() => {
    const rows = new Map(totals.map((row) => [rowKey(row), seen(row)]))
    const known = before.current
    before.current = rows
    const others = known ? [...rows].filter(([key, row]) => known.get(key) !== row).map(([key]) => key) : []
    if (others.length === 0) return
    setChanged((marked) => new Set([...marked, ...others]))
    for (const key of others) {
      clearTimeout(timers.current.get(key))
      const unmark = () => setChanged((marked) => new Set([...marked].filter((one) => one !== key)))
      timers.current.set(key, setTimeout(unmark, markedMs))
    }
  }, [totals])
  useEffect(() => {
    const running = timers.current
    return () => running.forEach((timer) => clearTimeout(timer))
  }, [])
  return changed
}
