import {
  closeDay,
  closingOf,
  closings,
  dayEnd,
  dayEndCsv,
  type BookMethod,
  type DayKind,
} from '#contracts/books-days'
import { endpointMutation, endpointQuery, listQuery } from '../../../lib/endpoint-query'

export type Asked = { from: string; to: string; by: DayKind }

export const dayEndQuery = (asked: Asked) => listQuery('payments', dayEnd, { query: asked })

/** Where the server hands out the same days as a file. */
export const dayEndAddress = (asked: Asked): string => `${dayEndCsv.path}?${new URLSearchParams(asked)}`

export const closingsQuery = listQuery('payments', closings, {})
export const closingQuery = (date: string) => endpointQuery('payments', closingOf, { params: { date } })
export const closing = endpointMutation(closeDay, 'payments')

export const methodNames: Record<BookMethod, string> = {
  card: 'Card',
  airtel: 'Airtel Money',
  mtn: 'MTN Money',
  bank: 'Bank',
  other: 'Other',
}
