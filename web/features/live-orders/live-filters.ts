import * as z from 'zod/mini'
import { liveOrders, type LiveSort } from '#contracts/payments-console'
import { longestSearch, readFilters, type Sorting } from '../../lib/list-address'
import { bothWays } from '../../ui/list-filters'

/** The columns that can be filtered, by their names on the wire and in the address. */
export const filterColumns = [
  { key: 'time', label: 'Time' },
  { key: 'parent', label: 'Parent' },
  { key: 'student', label: 'Student' },
  { key: 'items', label: 'Items' },
  { key: 'amount', label: 'Amount' },
  { key: 'status', label: 'Status' },
  { key: 'transactionId', label: 'Transaction ID' },
  { key: 'week', label: 'Week' },
  { key: 'day', label: 'Day' },
] as const

export type FilterKey = (typeof filterColumns)[number]['key']

/** What the list is filtered by; a column without a filter is absent or empty. */
export const liveFilters = z.pick(liveOrders.query, {
  time: true,
  parent: true,
  student: true,
  items: true,
  amount: true,
  status: true,
  transactionId: true,
  week: true,
  day: true,
})
export type LiveFilters = z.infer<typeof liveFilters>

/** What the address asks for; a filter that is too long is cut. */
export const filtersFromAddress = (address: URLSearchParams): LiveFilters =>
  readFilters(
    address,
    liveFilters,
    filterColumns.map(({ key }) => key),
  )

/** These filters as parameters of the address; null for one that is not set. */
export const parametersOf = (filters: LiveFilters): Record<FilterKey, string | null> =>
  Object.fromEntries(
    filterColumns.map(({ key }) => [key, filters[key]?.trim().slice(0, longestSearch) || null]),
  ) as Record<FilterKey, string | null>

export const newestFirst: Sorting<LiveSort> = { sort: 'time', direction: 'desc' }

export const orders = [
  ...bothWays<LiveSort>('time', 'Time', 'age'),
  ...bothWays<LiveSort>('parent', 'Parent', 'text'),
  ...bothWays<LiveSort>('student', 'Student', 'text'),
  ...bothWays<LiveSort>('items', 'Items', 'text'),
  ...bothWays<LiveSort>('amount', 'Amount', 'number'),
  ...bothWays<LiveSort>('status', 'Status', 'text'),
  ...bothWays<LiveSort>('transactionId', 'Transaction ID', 'text'),
]
