import type { QueryClient } from '@tanstack/react-query'
import { currentUser, portal } from '#contracts/identity'
import type { User } from '#contracts/identity'
import { call } from '../../lib/call'

/**
 * Who is signed in, or null. Asked once when the application starts and never again by itself; a 401 or any other
 * failure means nobody (parent-and-teacher.md section 4).
 */
export const userQuery = {
  queryKey: ['session'] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<User | null> => {
    try {
      return await call(currentUser, { signal })
    } catch {
      return null
    }
  },
  refetchOnReconnect: false,
  networkMode: 'always',
} as const

/** Holds this user, or nobody, and forgets everything read for whoever was there before. */
export const holdUser = (client: QueryClient, user: User | null): void => {
  client.setQueryData(userQuery.queryKey, user)
  client.removeQueries({
    predicate: ({ queryKey }) => queryKey[0] !== userQuery.queryKey[0] && queryKey[1] !== portal.path,
  })
}
