import { recoveryStatuses } from '#contracts/payments-console'
import type { FailedOrder } from '#contracts/payments-console'
import type { RecoverySort } from '#contracts/recovery-list'
import { bothWays } from '../../lib/both-ways'
import type { Sorting } from '../../lib/list-address'

export const newestFirst: Sorting<RecoverySort> = { sort: 'date', direction: 'desc' }

export const orders = [
  ...bothWays<RecoverySort>('date', 'Date', 'age'),
  ...bothWays<RecoverySort>('customer', 'Customer', 'text'),
  ...bothWays<RecoverySort>('amount', 'Amount', 'number'),
  ...bothWays<RecoverySort>('status', 'Status', 'text'),
  ...bothWays<RecoverySort>('reference', 'Payment ref', 'text'),
]

/** Which failed orders are shown; a filter that is absent takes all. */
export type RecoveryFilters = { status?: FailedOrder['status']; text?: string }

/** What the address asks for; anything that is no filter counts as not set. */
export const filtersInAddress = (address: URLSearchParams): RecoveryFilters => {
  const status = recoveryStatuses.find((one) => one === address.get('status'))
  const text = address.get('text')?.trim().slice(0, 100)
  return { ...(status ? { status } : {}), ...(text ? { text } : {}) }
}
