import { type OrderStatus, orderStatuses } from '#contracts/ordering'
import type { CycleOrderSort } from '#contracts/cycle-orders'
import type { Sorting } from '../../lib/list-address'
import { bothWays } from '../../ui/list-filters'

/** What of the history is shown; a filter that is absent takes all. A week is 1–6, a day 1–5. */
export type HistoryFilters = {
  cycleId?: number
  weekNumber?: number
  dayOfWeek?: number
  status?: OrderStatus
  menuItemId?: number
}
export type FilterKey = keyof HistoryFilters

const lastId = 999_999_999
const numbers = { cycleId: lastId, weekNumber: 6, dayOfWeek: 5, menuItemId: lastId } as const
const numberKeys = Object.keys(numbers) as (keyof typeof numbers)[]

/** Reads the filters from the address; anything that is not a filter's value counts as not set. */
export const filtersFromAddress = (search: URLSearchParams): HistoryFilters => {
  const filters: HistoryFilters = {}
  for (const key of numberKeys) {
    const text = search.get(key)
    const value = Number(text)
    if (text && Number.isInteger(value) && value >= 1 && value <= numbers[key]) filters[key] = value
  }
  const status = orderStatuses.find((one) => one === search.get('status'))
  return status ? { ...filters, status } : filters
}

/** Every filter taken off the address. */
export const noFilters: Record<FilterKey, null> = {
  cycleId: null,
  weekNumber: null,
  dayOfWeek: null,
  status: null,
  menuItemId: null,
}

export const newestFirst: Sorting<CycleOrderSort> = { sort: 'date', direction: 'desc' }

export const choices = [
  ...bothWays<CycleOrderSort>('date', 'Order Date', 'age'),
  ...bothWays<CycleOrderSort>('student', 'Student', 'text'),
  ...bothWays<CycleOrderSort>('item', 'Menu Item(s)', 'text'),
  ...bothWays<CycleOrderSort>('day', 'Week and Day', 'number'),
  ...bothWays<CycleOrderSort>('price', 'Price', 'number'),
  ...bothWays<CycleOrderSort>('status', 'Status', 'text'),
]
