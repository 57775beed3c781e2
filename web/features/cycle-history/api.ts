import { listMenu } from '#contracts/catalogue'
import { cycleOrders } from '#contracts/cycle-orders'
import { listCycles } from '#contracts/cycles'
import type { QueryOf } from '#contracts/endpoint'
import { setOrderStatus } from '#contracts/kitchen'
import type { AllergyRule } from '#contracts/eating'
import { getAllergyRule } from '#contracts/health'
import { cancelOrders, substituteOrders } from '#contracts/order-acts'
import { call } from '../../lib/call'
import { endpointMutation, endpointQuery, listQuery } from '../../lib/endpoint-query'

export const ordersQuery = (query: QueryOf<typeof cycleOrders>) =>
  listQuery('ordering', cycleOrders, { query })

export const cyclesQuery = endpointQuery('cycles', listCycles, {})
export const menuQuery = endpointQuery('catalogue', listMenu, {})

/** A page of the export, past the cache. */
export const ordersChunk = (query: QueryOf<typeof cycleOrders>, signal: AbortSignal) =>
  call(cycleOrders, { query, signal })

/** Cancelling makes money due for refund, reopening takes that back. */
export const changeStatus = endpointMutation(setOrderStatus, 'ordering', 'refunds', 'payments', 'cycles')
export const cancelMany = endpointMutation(cancelOrders, 'ordering', 'refunds', 'payments', 'cycles')
/** What the school does about meals that a child is allergic to; `block` while nobody can tell. */
export const readAllergyRule = (): Promise<AllergyRule> =>
  call(getAllergyRule, {}).then(
    ({ rule }) => rule,
    () => 'block',
  )

export const substitute = endpointMutation(substituteOrders, 'ordering', 'catalogue', 'cycles')
