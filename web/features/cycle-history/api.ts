import { keepPreviousData, mutationOptions } from '@tanstack/react-query'
import { listMenu } from '#contracts/catalogue'
import { cycleOrders } from '#contracts/cycle-orders'
import { listCycles } from '#contracts/cycles'
import type { BodyOf, QueryOf } from '#contracts/endpoint'
import { setOrderStatus } from '#contracts/ordering'
import { call } from '../../lib/call'
import { endpointQuery, refresh } from '../../lib/endpoint-query'

/** Read again whenever it is opened. */
export const ordersQuery = (query: QueryOf<typeof cycleOrders>) => ({
  ...endpointQuery('ordering', cycleOrders, { query }),
  staleTime: 0,
  placeholderData: keepPreviousData,
})

export const cyclesQuery = endpointQuery('cycles', listCycles, {})
export const menuQuery = endpointQuery('catalogue', listMenu, {})

/** A page of the export, past the cache. */
export const ordersChunk = (query: QueryOf<typeof cycleOrders>, signal: AbortSignal) =>
  call(cycleOrders, { query, signal })

/** Cancelling makes money due for refund, reopening takes that back. */
export const changeStatus = mutationOptions({
  mutationFn: (body: BodyOf<typeof setOrderStatus>) => call(setOrderStatus, { body }),
  onSettled: (_data, _error, _input, _before, { client }) =>
    refresh(client, 'ordering', 'refunds', 'payments', 'cycles'),
})
