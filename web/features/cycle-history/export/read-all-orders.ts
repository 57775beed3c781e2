import type { CycleOrder } from '#contracts/cycle-orders'
import { messageOf } from '../../../lib/call'
import { ordersChunk } from '../api'
import type { HistoryFilters } from '../history-filters'

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
