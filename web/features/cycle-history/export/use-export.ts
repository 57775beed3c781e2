import { useEffect, useRef, useState } from 'react'
import { saveCsv } from '../../../lib/download'
import { counted } from '../../../lib/format'
import { adminToast } from '../../../lib/toast'
import { exportName, ordersCsv } from './export-rows'
import type { HistoryFilters } from '../history-filters'
import { type Progress, readAllOrders, ReadingFailed } from './read-all-orders'

/** The export of the orders that match; `progress` is null while none runs. It ends when the screen is left. */
export const useExport = () => {
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
