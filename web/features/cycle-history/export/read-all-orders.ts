import type { CycleOrder } from '#contracts/cycle-orders'
import { messageOf } from '../../../lib/call'
import { ordersChunk } from '../api'
import type { HistoryFilters } from '../filter-panel'
import { csvFile } from '../../../lib/download'
import { dayName } from '../../../lib/format'
import { schoolClock, schoolDate } from '../../../lib/school-moment'
import { itemsOf } from '../order-words'

/** How many orders one call of the export asks for (administrator.md section 9). */
const chunkSize = 100

/** Why the orders could not be read, in words for people. */
export class ReadingFailed extends Error {
  override readonly name = 'ReadingFailed'
}

export type Progress = { read: number; total: number }
type Reading = { signal: AbortSignal; onProgress: (progress: Progress) => void }

/**
 * Every order that matches, newest first, chunk by chunk; each goes on where the one before ended, so that no order is
 * missing or there twice, whatever is ordered or changed meanwhile. Throws ReadingFailed.
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

/** The columns of the file (administrator.md section 3) and what stands in each; prices exact to the ngwee. */
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

export const ordersCsv = (orders: readonly CycleOrder[]): Promise<string> =>
  csvFile(
    columns.map(([name]) => name),
    orders.map((order) => columns.map(([, of]) => of(order))),
  )

/** `date` is the school's, `YYYY-MM-DD`. */
export const exportName = (date: string): string => `cycle-orders-${date}.csv`
