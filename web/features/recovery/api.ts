import { listMenu } from '#contracts/catalogue'
import { listCycles } from '#contracts/cycles'
import type { QueryOf } from '#contracts/endpoint'
import { acceptMismatch, retryAttempt, waiveRemainder } from '#contracts/payments-console'
import { listFailedOrders } from '#contracts/recovery-list'
import { endpointMutation, endpointQuery, listQuery } from '../../lib/endpoint-query'

export const failedOrdersQuery = (query: QueryOf<typeof listFailedOrders>) =>
  listQuery('payments', listFailedOrders, { query })

/** What a line can be changed to: the menu and the days of the active cycle. */
export const menuQuery = endpointQuery('catalogue', listMenu, {})
export const cyclesQuery = { ...endpointQuery('cycles', listCycles, {}), staleTime: 0 }

const touched = ['payments', 'ordering', 'refunds'] as const

/** The unresolved lines, amended or as they are. */
export const retry = endpointMutation(retryAttempt, ...touched)
export const accept = endpointMutation(acceptMismatch, ...touched)
export const waive = endpointMutation(waiveRemainder, ...touched)
