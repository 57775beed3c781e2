import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { listMenu } from '#contracts/catalogue'
import { getCredit } from '#contracts/credit'
import { cancelOrder, changeOrder, listOrders, setAbsence, type Order } from '#contracts/ordering'
import { getOrderingRules } from '#contracts/ordering-rules'
import { myDiscountCode } from '#contracts/discount-codes'
import { call, CallError } from '../../lib/call'
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

/** The discount code of this user, or null without one. */
export const discountQuery = queryOptions({
  queryKey: ['ordering', myDiscountCode.path],
  queryFn: async ({ signal }) => {
    try {
      return await call(myDiscountCode, { signal })
    } catch (error) {
      if (error instanceof CallError && error.status === 404) return null
      throw error
    }
  },
})

export const cancel = mutationOptions({
  mutationFn: (id: string) => call(cancelOrder, { params: { id } }),
  onSettled: (_order, _error, _id, _before, { client }) => void refresh(client, 'ordering', 'cycles'),
})

/** What the family may spend, and how it came to that. */
export const creditQuery = { ...endpointQuery('ordering', getCredit, {}), staleTime: staleMs }

/** The whole menu with this user's prices. */
export const menuQuery = endpointQuery('catalogue', listMenu, {})

export const change = endpointMutation(changeOrder, 'ordering')

export const setAbsent = endpointMutation(setAbsence, 'ordering')
