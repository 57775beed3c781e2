import type { LiveSort } from '#contracts/payments-console'
import { bothWays } from '../../lib/both-ways'
import type { Sorting } from '../../lib/list-address'

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
