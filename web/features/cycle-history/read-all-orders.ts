import type { CycleOrder } from '#contracts/cycle-orders'
import { messageOf } from '../../lib/call'
import { ordersChunk } from './api'
import type { HistoryFilters } from './history-filters'

/** How many orders one call of the export asks for (administrator.md section 9). */
export const chunkSize = 100

const mostReadings = 3

/** Why the orders could not be read, in words for people. */
export class ReadingFailed extends Error {
  override readonly name = 'ReadingFailed'
}

export type Progress = { read: number; total: number }
type Reading = { signal: AbortSignal; onProgress: (progress: Progress) => void }

/**
 * Every order that matches, each once and none missing. Orders placed meanwhile are left out; where others came or went
 * between two chunks all is read again. Throws ReadingFailed, also when that happens three times.
 */
export const readAllOrders = async (filters: HistoryFilters, reading: Reading): Promise<CycleOrder[]> => {
  for (let at = 0; at < mostReadings; at += 1) {
    const orders = await readOnce(filters, reading)
    if (orders) return orders
  }
  throw new ReadingFailed('The orders kept changing while they were read. Please try again.')
}

/** Null when the orders changed meanwhile. */
const readOnce = async (filters: HistoryFilters, { signal, onProgress }: Reading) => {
  const first = await chunk(filters, 1, signal)
  const all = new Map(first.data.map((order) => [order.id, order]))
  const until = first.data[0]?.orderDate
  const bounded = until === undefined ? filters : { ...filters, placedUntil: until }
  let { total, totalPages } = first.metadata
  onProgress({ read: all.size, total })
  for (let page = 2; page <= totalPages; page += 1) {
    const { data, metadata } = await chunk(bounded, page, signal)
    for (const order of data) all.set(order.id, order)
    ;({ total, totalPages } = metadata)
    onProgress({ read: all.size, total })
  }
  return all.size === total ? [...all.values()] : null
}

type Asked = HistoryFilters & { placedUntil?: string }

const chunk = async (asked: Asked, page: number, signal: AbortSignal) => {
  try {
    return await ordersChunk({ ...asked, page, pageSize: chunkSize }, signal)
  } catch (error) {
    throw new ReadingFailed(messageOf(error, 'Failed to fetch data chunk'), { cause: error })
  }
}
