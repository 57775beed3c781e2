import {
  keepPreviousData,
  mutationOptions,
  queryOptions,
  QueryClient,
  type QueryKey,
  MutationCache,
  QueryCache,
} from '@tanstack/react-query'
import type { Endpoint, ReplyOf } from '#contracts/endpoint'
import { call, type CallInput } from './call'
import { sentAt, takePreloaded } from './sent'

/** The context that owns the data; a change refreshes everything read from the contexts it touched. */
type DataContext = 'identity' | 'catalogue' | 'cycles' | 'ordering' | 'payments' | 'refunds' | 'audit'

/**
 * A read of the contract as query options: one value for components, loaders and tests. Key: context, path, input. What
 * came with the page is not read once more.
 */
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
    initialDataUpdatedAt: sentAt,
    queryFn: ({ signal }): Promise<ReplyOf<E>> => call(endpoint, { ...input, signal }),
  })

const newMs = 30_000

/** The `staleTime` of a read that is made again whenever its screen is opened. What came with the page was read just now. */
export const refetchOnMount = ({ state }: { state: { dataUpdateCount: number } }): number =>
  state.dataUpdateCount === 0 ? newMs : 0

/** A read of a list: made again whenever the list is opened; the last page is shown until the next one has come. */
export const listQuery = <E extends Endpoint>(context: DataContext, endpoint: E, input: CallInput<E>) => ({
  ...endpointQuery(context, endpoint, input),
  staleTime: refetchOnMount,
  placeholderData: keepPreviousData,
})

/** A change of the contract as mutation options; when it has ended these contexts are read again. */
export const endpointMutation = <E extends Endpoint>(endpoint: E, ...contexts: DataContext[]) =>
  mutationOptions({
    mutationFn: (input: CallInput<E>) => call(endpoint, input),
    onSettled: refreshes(...contexts),
  })

/** For the `onSettled` of a mutation: reads these contexts again, whether it failed or not. */
export const refreshes =
  (...contexts: DataContext[]) =>
  (_data: unknown, _error: unknown, _input: unknown, _before: unknown, { client }: { client: QueryClient }) =>
    refresh(client, ...contexts)

/** Reads again, now, whatever is on screen from these contexts; the rest when it is next shown. */
export const refresh = async (client: QueryClient, ...contexts: DataContext[]): Promise<void> => {
  await Promise.all(contexts.map((context) => client.invalidateQueries({ queryKey: [context] })))
}

const minutes = 60_000

/** Where the cache has who is signed in: a user, null for nobody, undefined while that is not known. */
export const sessionKey = ['session'] as const

/**
 * The cache with the defaults of the spec (parent-and-teacher.md section 9): never stale, no interval or focus refetch,
 * no retries, unused data kept five minutes. A read that failed for want of a connection is repeated once it is back.
 * `onError` gets every failed call, reads and changes alike.
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
