import { type RefundSort, type RefundStatus, refundStatuses } from '#contracts/refunds'
import { bothWays } from '../../lib/both-ways'
import type { Sorting } from '../../lib/list-address'

export const longestDue: Sorting<RefundSort> = { sort: 'due', direction: 'asc' }

export const orders = [
  ...bothWays<RefundSort>('due', 'Due since', 'age'),
  ...bothWays<RefundSort>('date', 'Date', 'age'),
  ...bothWays<RefundSort>('student', 'Student', 'text'),
  ...bothWays<RefundSort>('item', 'Menu Item', 'text'),
  ...bothWays<RefundSort>('amount', 'Amount', 'number'),
  ...bothWays<RefundSort>('status', 'Status', 'text'),
]

/** Which refunds are shown; a filter that is absent takes what is owed, and any text. */
export type RefundFilters = { status?: Exclude<RefundStatus, 'cancelled'>; text?: string }

/** What the address asks for; anything that is no filter counts as not set. */
export const filtersInAddress = (address: URLSearchParams): RefundFilters => {
  const status = refundStatuses.find((one) => one === address.get('status'))
  const text = address.get('text')?.trim().slice(0, 100)
  return {
    ...(status === undefined || status === 'cancelled' ? {} : { status }),
    ...(text ? { text } : {}),
  }
}
