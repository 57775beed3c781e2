import { mutationOptions } from '@tanstack/react-query'
import { listMenu } from '#contracts/catalogue'
import { mealMarks } from '#contracts/meal-marks'
import { cancelOrder, changeOrder, listOrders, setAbsence, type Order } from '#contracts/ordering'
import { getOrderingRules } from '#contracts/ordering-rules'
import { call } from '../../lib/call'
import { endpointMutation, endpointQuery, refresh } from '../../lib/endpoint-query'

const staleMs = 30_000
const cacheMs = 5 * 60_000

const listOf = (reply: Order[] | { data: Order[] }): Order[] => (Array.isArray(reply) ? reply : reply.data)

/** Every order of this account; the list that teachers read is asked for in their own way (spec section 7). */
export const ordersQuery = (as: 'parent' | 'teacher') => ({
  ...endpointQuery('ordering', listOrders, {
    query: { includeAll: 'true', unpaginated: as === 'teacher' ? 'true' : undefined },
  }),
  select: listOf,
  staleTime: staleMs,
  gcTime: cacheMs,
})

/** Until when orders can be cancelled, and how money goes back then. */
export const rulesQuery = { ...endpointQuery('ordering', getOrderingRules, {}), staleTime: staleMs }

export const cancel = mutationOptions({
  mutationFn: (id: string) => call(cancelOrder, { params: { id } }),
  onSettled: (_order, _error, _id, _before, { client }) => void refresh(client, 'ordering', 'cycles'),
})

/** The whole menu with this user's prices. */
export const menuQuery = endpointQuery('catalogue', listMenu, {})

export const change = endpointMutation(changeOrder, 'ordering')

export const setAbsent = endpointMutation(setAbsence, 'ordering')

/** What the children of this family must not eat, as of not long ago. */
export const mealMarksQuery = { ...endpointQuery('identity', mealMarks, {}), staleTime: 30_000 }
