import type { QueryClient, QueryFunctionContext } from '@tanstack/react-query'
import { currentUser, portal, type User } from '#contracts/identity'
import { call } from '../../lib/call'
import { keepSchoolZone } from '../../lib/school-zone'

/** Which school this is, and by which clock it lives; asked once, before the first screen. */
export const portalQuery = {
  queryKey: ['session', 'portal'],
  queryFn: async () => {
    const school = await call(portal, {})
    keepSchoolZone(school.timezone)
    return school
  },
  networkMode: 'always',
} as const

/**
 * Who is signed in, or null. Asked once when the application starts and never again by itself; a 401 or any other
 * failure means nobody (parent-and-teacher.md section 4).
 */
export const userQuery = {
  queryKey: ['session'],
  queryFn: async ({ client, signal }: QueryFunctionContext): Promise<User | null> => {
    const [user] = await Promise.all([
      call(currentUser, { signal }).catch(() => null),
      client.ensureQueryData(portalQuery).catch(() => null),
    ])
    return user
  },
  refetchOnReconnect: false,
  networkMode: 'always',
} as const

/** Holds this user, or nobody, and forgets everything read for whoever was there before. */
export const holdUser = (client: QueryClient, user: User | null): void => {
  client.setQueryData(userQuery.queryKey, user)
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== userQuery.queryKey[0] })
}
