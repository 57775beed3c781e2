import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { CycleOrder } from '#contracts/order-reports'
import { messageOf } from '../../lib/call'
import { saveCsv, csvFile } from '../../lib/files'
import { counted, wholeNumber, dayName } from '../../lib/format'
import { schoolDate, schoolNow, schoolClock } from '../../lib/school-moment'
import { adminToast } from '../../lib/toast'
import { cyclesQuery } from '../../queries/cycles'
import { Button } from '../../ui/button'
import type { HistoryFilters } from './filter-panel'
import { ordersChunk, itemsOf } from './history-orders'

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

/** `progress` is null when idle. Cancelled on leaving. */
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

/** administrator.md section 9. */
const chunkSize = 100

/** Why the orders could not be read, in words for people. */
class ReadingFailed extends Error {
  override readonly name = 'ReadingFailed'
}

type Progress = { read: number; total: number }
type Reading = { signal: AbortSignal; onProgress: (progress: Progress) => void }

/**
 * Newest first in chunks, each continuing after the last order, so that concurrent changes neither skip nor repeat one. Throws
 * ReadingFailed.
 */
export const readAllOrders = async (
  filters: HistoryFilters,
  { signal, onProgress }: Reading,
): Promise<CycleOrder[]> => {
  const all: CycleOrder[] = []
  let after: string | null = null
  do {
    const { data, metadata } = await chunk(after === null ? filters : { ...filters, after }, signal)
    all.push(...data)
    onProgress({ read: all.length, total: Math.max(metadata.total, all.length) })
    after = metadata.next
  } while (after !== null)
  return all
}

const chunk = async (asked: HistoryFilters & { after?: string }, signal: AbortSignal) => {
  try {
    return await ordersChunk({ ...asked, pageSize: chunkSize }, signal)
  } catch (error) {
    throw new ReadingFailed(messageOf(error, 'Failed to fetch data chunk'), { cause: error })
  }
}

/** administrator.md section 3; prices exact to the ngwee. */
const columns: readonly [string, (order: CycleOrder) => string][] = [
  ['Order Date', ({ orderDate }) => `${schoolDate(orderDate)} ${schoolClock(orderDate)}`],
  ['Student Name', ({ student }) => student.name],
  ['Student Grade', ({ student }) => student.grade],
  ['Menu Item', itemsOf],
  ['Cycle Start', ({ cycle }) => cycle.startDate ?? 'No date'],
  ['Week', ({ weekNumber }) => String(weekNumber)],
  ['Day', ({ dayOfWeek }) => dayName(dayOfWeek)],
  ['Category', ({ category }) => category ?? ''],
  ['Side Dish', ({ sideDish }) => sideDish ?? ''],
  ['Comments', ({ comments }) => comments],
  ['Original Price', ({ originalPrice }) => originalPrice.toFixed(2)],
  ['Discounted Price', ({ discountedPrice }) => discountedPrice.toFixed(2)],
  ['Status', ({ status }) => status],
]

const ordersCsv = (orders: readonly CycleOrder[]): Promise<string> =>
  csvFile(
    columns.map(([name]) => name),
    orders.map((order) => columns.map(([, of]) => of(order))),
  )

/** `date` is the school's, `YYYY-MM-DD`. */
const exportName = (date: string): string => `cycle-orders-${date}.csv`
