import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

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
