import { mutationOptions } from '@tanstack/react-query'
import { cancelOrder, changeOrder, listOrders, moveOrder, setAbsence, type Order } from '#contracts/ordering'
import { ownRefunds } from '#contracts/refunds'
import { call } from '../../lib/call'
import { endpointMutation, endpointQuery, refresh } from '../../lib/endpoint-query'

const staleMs = 30_000
const cacheMs = 5 * 60_000

const listOf = (reply: Order[] | { data: Order[] }): Order[] => (Array.isArray(reply) ? reply : reply.data)

/** Teachers read it by their own path (spec section 7). */
export const ordersQuery = (as: 'parent' | 'teacher') => ({
  ...endpointQuery('ordering', listOrders, {
    query: { includeAll: 'true', unpaginated: as === 'teacher' ? 'true' : undefined },
  }),
  select: listOf,
  staleTime: staleMs,
  gcTime: cacheMs,
})

export const cancel = mutationOptions({
  mutationFn: (id: string) => call(cancelOrder, { params: { id } }),
  onSettled: (_order, _error, _id, _before, { client }) => void refresh(client, 'ordering', 'cycles'),
})

export const change = endpointMutation(changeOrder, 'ordering')

export const move = endpointMutation(moveOrder, 'ordering', 'cycles')

export const setAbsent = endpointMutation(setAbsence, 'ordering')

/** Separate from the home's parallel reads. */
export const refundsQuery = { ...endpointQuery('ordering', ownRefunds, {}), staleTime: 30_000 }
