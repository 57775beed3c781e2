import { mutationOptions, queryOptions } from '@tanstack/react-query'
import {
  classList,
  kitchenChanges,
  kitchenToday,
  kitchenWeek,
  notePrint,
  setOrderStatus,
  undoOrderStatus,
  type KitchenReply,
} from '#contracts/kitchen'
import { getCycleLength } from '#contracts/cycles'
import type { BodyOf, QueryOf } from '#contracts/endpoint'
import { call, callUnlessKnown, type Tagged } from '../../lib/call'
import { endpointQuery, listQuery, refreshes, refetchOnMount } from '../../lib/endpoint-query'
import { sentAt, takePreloaded } from '../../lib/sent'
import type { KitchenView } from './kitchen-view'

const firstPage = { page: 1, pageSize: 100 }

/**
 * Read again when the view is opened, every 15 s while it is seen, and when the page is seen or the connection is there
 * again; its totals hold every order whatever the page size.
 */
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
    initialDataUpdatedAt: sentAt,
    select: ({ reply }) => reply,
    staleTime: refetchOnMount,
    refetchInterval: 15_000,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
  })

/** Today as it came with the page; it has no ETag there. */
const sentToday = () => {
  const reply = takePreloaded(kitchenToday, { query: firstPage })
  return reply ? { etag: '', reply } : undefined
}

export const classListQuery = (query: QueryOf<typeof classList>) =>
  listQuery('ordering', classList, { query })

/** What changed on a day since its list was last printed; read beside the list. */
export const changesQuery = (date: string) => ({
  ...endpointQuery('ordering', kitchenChanges, { query: { date } }),
  staleTime: 0,
  refetchInterval: 15_000,
})

/** The same for the slip: read when it is opened and when it is printed, so that it stays while it is looked at. */
export const slipQuery = (date: string) => ({
  ...endpointQuery('ordering', kitchenChanges, { query: { date } }),
  queryKey: ['kitchen-slip', date],
  gcTime: 0,
})

/** Tells the server that what was `shown` of a day until `at` is being printed: the rest is new to who reads the paper. */
export const notePrintOf = (shown: BodyOf<typeof notePrint>) =>
  call(notePrint, { body: shown, timeoutMs: 3_000 })

export const cycleLengthQuery = endpointQuery('cycles', getCycleLength, {})

/** The most order ids that one call takes. */
const perCall = 5000

const inBatches = (ids: string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / perCall) }, (_, batch) =>
    ids.slice(batch * perCall, (batch + 1) * perCall),
  )

/** Marks these orders complete; answers how many changed, which did not, with the reason, and what undoes it. */
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

/** Takes a completion back; answers how many lunches are pending again and which are not, with the reason. */
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
