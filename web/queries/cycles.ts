import { queryOptions } from '@tanstack/react-query'
import { getCutoff, listCycles, type OrderCycle } from '#contracts/cycles'
import { endpointQuery } from '../lib/endpoint-query'

export const cyclesQuery = endpointQuery('cycles', listCycles, {})
export const cutoffQuery = endpointQuery('cycles', getCutoff, {})

const calendarStaleMs = 5 * 60_000

// The server is asked a little after the change, lest it answer from before it.
const answerAfterMs = 1_000

/** How long the calendar stays as it is, in ms, told by the server; false when nothing in it changes by itself. */
export const untilDaysChange = (cycles: readonly OrderCycle[] | undefined): number | false => {
  const inMs = cycles?.find(({ isActive }) => isActive)?.nextChangeInMs
  return inMs === undefined ? false : inMs + answerAfterMs
}

/**
 * The cycles as a family orders by them. Which days of the active one take orders follows the server's clock: they are
 * read again at the cutoff and at midnight, when the page is seen again and when the connection is back
 * (days-and-changes.md section 1).
 */
export const calendarQuery = queryOptions({
  ...cyclesQuery,
  staleTime: calendarStaleMs,
  refetchInterval: ({ state }) => untilDaysChange(state.data),
  refetchOnWindowFocus: 'always',
  refetchOnReconnect: 'always',
})

export const calendarCutoffQuery = { ...cutoffQuery, staleTime: calendarStaleMs }
