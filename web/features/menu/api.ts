import { listMenu } from '#contracts/catalogue'
import { queryOptions } from '@tanstack/react-query'
import { getCutoff, listCycles, type OrderCycle } from '#contracts/cycles'
import { endpointQuery } from '../../lib/endpoint-query'

const cutoffStaleMs = 5 * 60_000

/** The whole menu with this user's prices. */
export const menuQuery = endpointQuery('catalogue', listMenu, {})

/** How long the calendar stays as it is, in ms, told by the server; false when nothing in it changes by itself. */
export const untilDaysChange = (cycles: readonly OrderCycle[] | undefined): number | false => {
  const inMs = cycles?.find(({ isActive }) => isActive)?.nextChangeInMs
  return inMs === undefined ? false : inMs + answerAfterMs
}

// The server is asked a little after the change, lest it answer from before it.
const answerAfterMs = 1_000

/**
 * The cycles. Which days of the active one take orders follows the server's clock: they are read again at the cutoff and
 * at midnight, when the page is seen again and when the connection is back (days-and-changes.md section 1).
 */
export const cyclesQuery = queryOptions({
  ...endpointQuery('cycles', listCycles, {}),
  staleTime: cutoffStaleMs,
  refetchInterval: ({ state }) => untilDaysChange(state.data),
  refetchOnWindowFocus: 'always',
  refetchOnReconnect: 'always',
})

export const cutoffQuery = { ...endpointQuery('cycles', getCutoff, {}), staleTime: cutoffStaleMs }
