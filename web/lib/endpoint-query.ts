import {
  keepPreviousData,
  mutationOptions,
  queryOptions,
  QueryClient,
  type QueryKey,
  useQuery,
  type UseQueryOptions,
  MutationCache,
  QueryCache,
} from '@tanstack/react-query'
import { useState } from 'react'
import type { Endpoint, ReplyOf } from '#contracts/endpoint'
import { call, type CallInput } from './call'
import { preloadedAt, takePreloaded } from './preloaded-data'

/** Owner of the data; a change refetches the contexts it touched. */
type DataContext =
  | 'identity'
  | 'catalogue'
  | 'cycles'
  | 'ordering'
  | 'payments'
  | 'refunds'
  | 'audit'
  | 'today'

/** One value for components, loaders and tests. Key: context, path, input. Uses preloaded data. */
export const endpointQuery = <E extends Endpoint>(context: DataContext, endpoint: E, input: CallInput<E>) =>
  queryOptions({
    queryKey: [
      context,
      endpoint.path,
      input.params ?? null,
      input.query ?? null,
      input.body ?? null,
    ] as QueryKey,
    initialData: (): ReplyOf<E> | undefined =>
      takePreloaded(endpoint, input as { params?: object; query?: object }) ?? undefined,
    initialDataUpdatedAt: preloadedAt,
    queryFn: ({ signal }): Promise<ReplyOf<E>> => call(endpoint, { ...input, signal }),
  })

const newMs = 30_000

/** `staleTime` for reads repeated whenever opened, except preloaded data. */
export const refetchOnMount = ({ state }: { state: { dataUpdateCount: number } }): number =>
  state.dataUpdateCount === 0 ? newMs : 0

/** For a form: what was read after it opened, never an earlier copy. Later reads do not take it away. */
export const useFresh = <Data>(options: UseQueryOptions<Data, Error, Data, QueryKey>) => {
  const query = useQuery({ ...options, staleTime: 0 })
  const isRead = query.isFetchedAfterMount && query.isSuccess
  const [wasRead, setRead] = useState(false)
  if (isRead && !wasRead) setRead(true)
  return { ...query, data: isRead || wasRead ? query.data : undefined }
}

/** Refetched when opened; shows the last page until the next arrives. */
export const listQuery = <E extends Endpoint>(context: DataContext, endpoint: E, input: CallInput<E>) => ({
  ...endpointQuery(context, endpoint, input),
  staleTime: refetchOnMount,
  placeholderData: keepPreviousData,
})

/** Refetches these contexts when settled. */
export const endpointMutation = <E extends Endpoint>(endpoint: E, ...contexts: DataContext[]) =>
  mutationOptions({
    mutationFn: (input: CallInput<E>) => call(endpoint, input),
    onSettled: refreshes(...contexts),
  })

/** For `onSettled`, on success and failure. */
export const refreshes =
  (...contexts: DataContext[]) =>
  (_data: unknown, _error: unknown, _input: unknown, _before: unknown, { client }: { client: QueryClient }) =>
    refresh(client, ...contexts)

/** Refetches visible data now, the rest when next shown; any act may change what waits. */
export const refresh = async (client: QueryClient, ...contexts: DataContext[]): Promise<void> => {
  void client.invalidateQueries({ queryKey: ['today' satisfies DataContext] })
  await Promise.all(contexts.map((context) => client.invalidateQueries({ queryKey: [context] })))
}

const minutes = 60_000

/** A user, null for nobody, undefined while unknown. */
export const sessionKey = ['session'] as const

/**
 * Spec defaults (parent-and-teacher.md section 9): never stale, no interval or focus refetch, no retries, unused data kept five minutes.
 * Failed reads repeat on reconnect. `onError` gets every failure.
 */
export const makeQueryClient = (onError: (error: unknown) => void): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        gcTime: 5 * minutes,
        retry: false,
        refetchInterval: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
