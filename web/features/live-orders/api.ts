import type { QueryOf } from '#contracts/endpoint'
import { verifyPayment } from '#contracts/payments'
import { liveOrders, retryAttempt, setAttemptStatus } from '#contracts/payments-console'
import { endpointMutation, listQuery } from '../../lib/endpoint-query'

/** How often the list is read again by itself while the tab is seen, in ms (administrator.md section 9). */
const refreshEvery = 5000

export const liveOrdersQuery = (query: QueryOf<typeof liveOrders>) => ({
  ...listQuery('payments', liveOrders, { query }),
  refetchInterval: refreshEvery,
  refetchIntervalInBackground: false,
  refetchOnWindowFocus: true,
})

// A settled payment makes orders or money owed back.
const touched = ['payments', 'ordering', 'refunds'] as const

export const retry = endpointMutation(retryAttempt, ...touched)
export const verify = endpointMutation(verifyPayment, ...touched)
export const setStatus = endpointMutation(setAttemptStatus, ...touched)
