import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { getCycleLength } from '#contracts/cycles'
import type { BodyOf, QueryOf, ReplyOf } from '#contracts/endpoint'
import {
  classList,
  kitchenChanges,
  kitchenPrints,
  kitchenToday,
  kitchenWeek,
  notePrint,
  setOrderStatus,
  undoOrderStatus,
  type KitchenReply,
} from '#contracts/kitchen'
import { call, callUnlessKnown, type Tagged } from '../../lib/call'
import { endpointQuery, listQuery, refreshes, refetchOnMount } from '../../lib/endpoint-query'
import { preloadedAt, takePreloaded } from '../../lib/preloaded-data'
import type { KitchenView } from './kitchen-view'

const firstPage = { page: 1, pageSize: 100 }

/** Every 15 s while visible, and on focus or reconnect; totals cover every order. */
export const kitchenQuery = (view: KitchenView, day: number | null) =>
  queryOptions({
    queryKey: ['ordering', 'kitchen', view, day],
    queryFn: ({ signal, client, queryKey }): Promise<Tagged<KitchenReply & { date?: string }>> => {
      if (view === 'today')
        return callUnlessKnown(kitchenToday, { query: firstPage, signal }, client.getQueryData(queryKey))
      const query = day === null ? firstPage : { ...firstPage, day }
      const input = { params: { week: view }, query, signal }
      return callUnlessKnown(kitchenWeek, input, client.getQueryData(queryKey))
    },
    initialData: () => (view === 'today' ? sentToday() : undefined),
    initialDataUpdatedAt: preloadedAt,
    select: ({ reply }) => reply,
    staleTime: refetchOnMount,
    refetchInterval: 15_000,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
  })

/** Preloaded reply, without an ETag. */
const sentToday = () => {
  const reply = takePreloaded(kitchenToday, { query: firstPage })
  return reply ? { etag: '', reply } : undefined
}

export const classListQuery = (query: QueryOf<typeof classList>) =>
  listQuery('ordering', classList, { query })

/** Since the last print. */
export const changesQuery = (date: string) => ({
  ...endpointQuery('ordering', kitchenChanges, { query: { date } }),
  staleTime: 0,
  refetchInterval: 15_000,
})

/** Read on opening and printing, so that it stays still; goes on from where it began until it is left. `print`: an earlier one's. */
export const slipQuery = (date: string, print: string | null) => {
  const queryKey = ['kitchen-slip', date, print]
  return queryOptions({
    queryKey,
    queryFn: ({ signal, client }): Promise<ReplyOf<typeof kitchenChanges>> => {
      const since = client.getQueryData<ReplyOf<typeof kitchenChanges>>(queryKey)?.since
      const query = { date, ...(print === null ? since && { since } : { until: print }) }
      return call(kitchenChanges, { query, signal })
    },
    gcTime: 0,
  })
}

export const printsQuery = (date: string) => listQuery('ordering', kitchenPrints, { query: { date } })

/** Records what was printed of a day up to `at`, so that the rest counts as new. */
export const notePrintOf = (shown: BodyOf<typeof notePrint>) =>
  call(notePrint, { body: shown, timeoutMs: 3_000 })

export const cycleLengthQuery = endpointQuery('cycles', getCycleLength, {})

const perCall = 5000

const inBatches = (ids: string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / perCall) }, (_, batch) =>
    ids.slice(batch * perCall, (batch + 1) * perCall),
  )

/** Answers changed and skipped orders and the undo id. */
export const completeOrders = mutationOptions({
  mutationFn: async (orderIds: string[]) => {
    const replies = []
    for (const batch of inBatches(orderIds))
      replies.push(await call(setOrderStatus, { body: { orderIds: batch, status: 'completed' } }))
    return {
      updated: replies.reduce((total, reply) => total + reply.updated, 0),
      skipped: replies.flatMap((reply) => reply.skipped),
      batchIds: replies.map((reply) => reply.batchId),
    }
  },
  onSettled: refreshes('ordering'),
})

/** Answers restored and skipped orders. */
export const undoCompletion = mutationOptions({
  mutationFn: async (batchIds: readonly string[]) => {
    const replies = []
    for (const batchId of batchIds) replies.push(await call(undoOrderStatus, { body: { batchId } }))
    return {
      restored: replies.reduce((total, reply) => total + reply.restored, 0),
      skipped: replies.flatMap((reply) => reply.skipped),
    }
  },
  onSettled: refreshes('ordering'),
})
