import { listMenu } from '#contracts/catalogue'
import { queryOptions } from '@tanstack/react-query'
import { getOrderingRules } from '#contracts/ordering-rules'
import { mealMarks } from '#contracts/meal-marks'
import { listPortions } from '#contracts/portions'
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

const portionsStaleMs = 30_000

/**
 * How many portions are left of limited meals, from one date to another. Every order changes it, those of others too: it
 * is also read again when the page is seen again and when the connection is back.
 */
export const portionsQuery = (from: string | undefined, to: string | undefined) => ({
  ...endpointQuery('ordering', listPortions, { query: { from: from ?? '', to: to ?? '' } }),
  enabled: from !== undefined && to !== undefined,
  staleTime: portionsStaleMs,
  refetchOnWindowFocus: 'always' as const,
  refetchOnReconnect: 'always' as const,
})

/** Below how many portions the menu tells how many are left. */
export const rulesQuery = { ...endpointQuery('ordering', getOrderingRules, {}), staleTime: cutoffStaleMs }

export const cutoffQuery = { ...endpointQuery('cycles', getCutoff, {}), staleTime: cutoffStaleMs }

const marksStaleMs = 30_000

/**
 * What the children of this family must not eat, and the school's rule: in memory alone, never in the browser's storage.
 * Another guardian or the office may change it: it is also read again when the page is seen again and when the connection
 * is back.
 */
export const mealMarksQuery = {
  ...endpointQuery('identity', mealMarks, {}),
  staleTime: marksStaleMs,
  refetchOnWindowFocus: 'always' as const,
  refetchOnReconnect: 'always' as const,
}
