import type { CycleOrderSort } from '#contracts/cycle-orders'
import { bothWays } from '../../lib/both-ways'
import type { Sorting } from '../../lib/list-address'

export const newestFirst: Sorting<CycleOrderSort> = { sort: 'date', direction: 'desc' }

export const choices = [
  ...bothWays<CycleOrderSort>('date', 'Order Date', 'age'),
  ...bothWays<CycleOrderSort>('student', 'Student', 'text'),
  ...bothWays<CycleOrderSort>('item', 'Menu Item(s)', 'text'),
  ...bothWays<CycleOrderSort>('day', 'Week and Day', 'number'),
  ...bothWays<CycleOrderSort>('price', 'Price', 'number'),
  ...bothWays<CycleOrderSort>('status', 'Status', 'text'),
]
