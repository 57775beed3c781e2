import { keepPreviousData, mutationOptions, type QueryClient } from '@tanstack/react-query'
import { listMenu } from '#contracts/catalogue'
import { listCycles } from '#contracts/cycles'
import type { QueryOf } from '#contracts/endpoint'
import { acceptMismatch, type AmendedLine, retryAttempt, waiveRemainder } from '#contracts/payments-console'
import { listFailedOrders } from '#contracts/recovery-list'
import { call } from '../../lib/call'
import { endpointQuery, refresh } from '../../lib/endpoint-query'

/** Read again whenever it is opened. */
export const failedOrdersQuery = (query: QueryOf<typeof listFailedOrders>) => ({
  ...endpointQuery('payments', listFailedOrders, { query }),
  staleTime: 0,
  placeholderData: keepPreviousData,
})

/** What a line can be changed to: the menu and the days of the active cycle. */
export const menuQuery = endpointQuery('catalogue', listMenu, {})
export const cyclesQuery = { ...endpointQuery('cycles', listCycles, {}), staleTime: 0 }

const afterwards = (client: QueryClient) => refresh(client, 'payments', 'ordering', 'refunds')

/** The unresolved lines, amended or as they are. */
export const retry = mutationOptions({
  mutationFn: ({ id, cartItems }: { id: string; cartItems: AmendedLine[] }) =>
    call(retryAttempt, { params: { id }, body: cartItems.length > 0 ? { cartItems } : undefined }),
  onSettled: (_data, _error, _input, _before, { client }) => afterwards(client),
})

type Judged = { id: string; reason: string }

export const accept = mutationOptions({
  mutationFn: ({ id, reason }: Judged) => call(acceptMismatch, { params: { id }, body: { reason } }),
  onSettled: (_data, _error, _input, _before, { client }) => afterwards(client),
})

export const waive = mutationOptions({
  mutationFn: ({ id, reason }: Judged) => call(waiveRemainder, { params: { id }, body: { reason } }),
  onSettled: (_data, _error, _input, _before, { client }) => afterwards(client),
})
