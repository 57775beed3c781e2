import { keepPreviousData, mutationOptions, type QueryClient } from '@tanstack/react-query'
import type { QueryOf } from '#contracts/endpoint'
import { verifyPayment } from '#contracts/payments'
import { liveOrders, retryAttempt, setAttemptStatus } from '#contracts/payments-console'
import { call } from '../../lib/call'
import { endpointQuery, refresh } from '../../lib/endpoint-query'

/** How often the list is read again by itself while the tab is seen, in ms (administrator.md section 9). */
const refreshEvery = 5000

export const liveOrdersQuery = (query: QueryOf<typeof liveOrders>) => ({
  ...endpointQuery('payments', liveOrders, { query }),
  staleTime: 0,
  refetchInterval: refreshEvery,
  refetchIntervalInBackground: false,
  refetchOnWindowFocus: true,
  placeholderData: keepPreviousData,
})

/** A settled payment makes orders or money owed back. */
const afterwards = (client: QueryClient) => refresh(client, 'payments', 'ordering', 'refunds')

export const retry = mutationOptions({
  mutationFn: (id: string) => call(retryAttempt, { params: { id }, body: undefined }),
  onSettled: (_data, _error, _input, _before, { client }) => afterwards(client),
})

export const verify = mutationOptions({
  mutationFn: (transactionId: string) => call(verifyPayment, { params: { transactionId } }),
  onSettled: (_data, _error, _input, _before, { client }) => afterwards(client),
})

export const setStatus = mutationOptions({
  mutationFn: ({ transactionId, status }: { transactionId: string; status: string }) =>
    call(setAttemptStatus, { params: { transactionId }, body: { status } }),
  onSettled: (_data, _error, _input, _before, { client }) => afterwards(client),
})
