import { ownRefunds } from '#contracts/refunds'
import { endpointQuery } from '../../lib/endpoint-query'

/** What goes back for cancelled orders; apart from the other reads, of which the home takes some at once. */
export const refundsQuery = { ...endpointQuery('ordering', ownRefunds, {}), staleTime: 30_000 }
