import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { useOutletContext } from 'react-router-dom'
import { currentUser, portal, type User } from '#contracts/identity'
import { call, CallError } from '../../lib/call'
import { forgetPrivateData } from '../../lib/private-database'
import { sessionKey } from '../../lib/query-client'
import { setSchoolNow, setSchoolZone } from '../../lib/school-moment'

/** The school's name, time zone and clock; read once, before the first page. */
export const portalQuery = queryOptions({
  queryKey: [...sessionKey, 'portal'],
  queryFn: async () => {
    const school = await call(portal, {})
    setSchoolZone(school.timezone)
    setSchoolNow(school.now)
    return school
  },
  networkMode: 'always',
})

const triesAfterMs = [300, 700]

/** Asks again where the question was lost, or the server could not answer it: that says nothing about the session. */
const whoIsSignedIn = async (signal: AbortSignal): Promise<User> => {
  for (const afterMs of triesAfterMs) {
    try {
      return await call(currentUser, { signal })
    } catch (error) {
      const isAnswer = error instanceof CallError && error.status < 500
      if (isAnswer || signal.aborted) throw error
      await new Promise((resolve) => setTimeout(resolve, afterMs))
    }
  }
  return call(currentUser, { signal })
}

/**
 * Who is signed in, or null. Read once when the application starts and never again by itself; a 401, or a failure that
 * lasts, means nobody (parent-and-teacher.md section 4).
 */
export const userQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ client, signal }): Promise<User | null> => {
    const [user] = await Promise.all([
      whoIsSignedIn(signal).catch((error) => {
        if (error instanceof CallError && error.status === 401) void forgetPrivateData()
        return null
      }),
      client.ensureQueryData(portalQuery).catch(() => null),
    ])
    return user
  },
  refetchOnReconnect: false,
  networkMode: 'always',
})

/** Who is signed in, on a page that only somebody signed in sees: the route's guard hands it down. */
export const useUser = (): User => useOutletContext<User>()

/** Reads who is signed in again, after a change that the user's own reply does not carry. */
export const readUserAgain = async (client: QueryClient): Promise<void> => {
  client.setQueryData(userQuery.queryKey, await call(currentUser, {}))
}

/**
 * Sets who is signed in, or nobody, and removes everything that was read for whoever was there before, also what is kept
 * on the device.
 */
export const replaceUser = (client: QueryClient, user: User | null): void => {
  client.setQueryData(userQuery.queryKey, user)
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
  void forgetPrivateData()
}
