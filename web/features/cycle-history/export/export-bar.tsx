import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { counted, wholeNumber } from '../../../lib/format'
import { schoolDate, schoolNow } from '../../../lib/school-moment'
import { Button } from '../../../ui/button'
import { cyclesQuery } from '../api'
import type { HistoryFilters } from '../filter-panel'
import { type Progress, readAllOrders, ReadingFailed, exportName, ordersCsv } from './read-all-orders'
import { saveCsv } from '../../../lib/download'
import { adminToast } from '../../../lib/toast'

/** The button that makes a file of every order that matches, and how far it is. */
export const ExportBar = ({ filters }: { filters: HistoryFilters }) => {
  const { progress, run, stop } = useExport()
  const cycles = useQuery(cyclesQuery)
  const today = () => cycles.data?.find(({ isActive }) => isActive)?.today ?? schoolDate(schoolNow())
  if (progress) return <ExportProgress progress={progress} onStop={stop} />
  return (
    <Button variant="secondary" icon="download" onClick={() => void run(filters, today())}>
      Export CSV
    </Button>
  )
}

const ExportProgress = ({
  progress: { read, total },
  onStop,
}: {
  progress: Progress
  onStop: () => void
}) => (
  <div className="flex min-w-0 flex-1 items-center justify-end gap-3">
    <label className="flex min-w-0 max-w-form flex-1 flex-col gap-1 text-sm text-muted">
      <span className="money">
        {total === 0 ? 'Exporting orders' : `Exporting ${wholeNumber(read)} of ${counted(total, 'order')}`}
      </span>
      <progress value={total === 0 ? undefined : read} max={total || undefined} className="progress" />
    </label>
    <Button variant="ghost" size="sm" onClick={onStop}>
      Stop
    </Button>
  </div>
)

/** The export of the orders that match; `progress` is null while none runs. It ends when the screen is left. */
const useExport = () => {
  const [progress, setProgress] = useState<Progress | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const run = async (filters: HistoryFilters, today: string) => {
    const stopping = new AbortController()
    running.current = stopping
    setProgress({ read: 0, total: 0 })
    try {
      const orders = await readAllOrders(filters, { signal: stopping.signal, onProgress: setProgress })
      if (!stopping.signal.aborted) await save(orders, exportName(today))
    } catch (error) {
      if (!stopping.signal.aborted) notifyFailed(error)
    } finally {
      setProgress(null)
    }
  }
  return { progress, run, stop: () => running.current?.abort() }
}

const save = async (orders: Parameters<typeof ordersCsv>[0], name: string) => {
  if (orders.length === 0)
    return adminToast({ title: 'No data to export', text: 'No order matches these filters.', kind: 'error' })
  saveCsv(name, await ordersCsv(orders))
  adminToast({ title: 'Export successful', text: `${counted(orders.length, 'order')} in ${name}` })
}

const notifyFailed = (error: unknown) =>
  adminToast({
    title: 'Export failed',
    text: error instanceof ReadingFailed ? error.message : 'Failed to export data',
    kind: 'error',
  })
