import { queryOptions } from '@tanstack/react-query'
import { getCutoff, listCycles, type OrderCycle } from '#contracts/cycles'
import { endpointQuery } from '../lib/endpoint-query'

export const cyclesQuery = endpointQuery('cycles', listCycles, {})
export const cutoffQuery = endpointQuery('cycles', getCutoff, {})

const calendarStaleMs = 5 * 60_000

// Margin, so that the server answers from after the change.
const answerAfterMs = 1_000

/** In ms from the server; false for no change ahead. */
export const untilDaysChange = (cycles: readonly OrderCycle[] | undefined): number | false => {
  const inMs = cycles?.find(({ isActive }) => isActive)?.nextChangeInMs
  return inMs === undefined ? false : inMs + answerAfterMs
}

/** Open days follow the server's clock: refetched at the cutoff, at midnight, on focus and reconnect (days-and-changes.md section 1). */
export const calendarQuery = queryOptions({
  ...cyclesQuery,
  staleTime: calendarStaleMs,
  refetchInterval: ({ state }) => untilDaysChange(state.data),
  refetchOnWindowFocus: 'always',
  refetchOnReconnect: 'always',
})

export const calendarCutoffQuery = { ...cutoffQuery, staleTime: calendarStaleMs }
