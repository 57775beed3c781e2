import { listMenu } from '#contracts/catalogue'
import { getCutoff, listCycles } from '#contracts/cycles'
import { endpointQuery } from '../../lib/endpoint-query'

const cutoffStaleMs = 5 * 60_000

/** The whole menu with this user's prices. */
export const menuQuery = endpointQuery('catalogue', listMenu, {})

/** The cycles; which days of the active one take orders follows the clock, so it ages as the cutoff does. */
export const cyclesQuery = { ...endpointQuery('cycles', listCycles, {}), staleTime: cutoffStaleMs }

export const cutoffQuery = { ...endpointQuery('cycles', getCutoff, {}), staleTime: cutoffStaleMs }
