import { useEffect, useRef, useState } from 'react'
import type { CycleOrder } from '#contracts/cycle-orders'
import { counted, wholeNumber } from '../../../lib/format'
import { notifyFailure } from '../../../lib/notify-outcome'
import { Button } from '../../../ui/button'
import { readAllOrders } from '../export/read-all-orders'
import type { HistoryFilters } from '../filter-panel'

/** The most orders that one act takes. */
export const mostOrders = 5000

type SelectEveryProps = {
  filters: HistoryFilters
  total: number
  onSelect: (orders: CycleOrder[]) => void
}

/** Selects the orders of every page, such as all of one meal and day; ends when the list is left. */
export const SelectEvery = ({ filters, total, onSelect }: SelectEveryProps) => {
  const [read, setRead] = useState<number | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const select = async () => {
    const stopping = new AbortController()
    running.current = stopping
    setRead(0)
    try {
      const every = await readAllOrders(filters, {
        signal: stopping.signal,
        onProgress: (progress) => setRead(progress.read),
      })
      if (!stopping.signal.aborted) onSelect(every.slice(0, mostOrders))
    } catch (error) {
      if (!stopping.signal.aborted) notifyFailure(error, 'Failed to fetch cycle orders')
    } finally {
      setRead(null)
    }
  }
  return (
    <Button
      variant="ghost"
      size="sm"
      busy={read !== null}
      busyLabel={`Selecting ${wholeNumber(read ?? 0)} of ${counted(total, 'order')}`}
      onClick={() => void select()}
    >
      {`Select all ${counted(total, 'order')}`}
    </Button>
  )
}
