import { focusManager, queryOptions, skipToken, type Query, type QueryClient } from '@tanstack/react-query'
import { useOutletContext } from 'react-router-dom'
import type { ReplyOf } from '#contracts/endpoint'
import { currentUser, portal, type User } from '#contracts/identity'
import { call, CallError } from '../lib/call'
import { forgetPrivateData } from '../lib/device-storage'
import { sessionKey } from '../lib/endpoint-query'
import { forgetPreloaded, preloadedAt, takePreloaded } from '../lib/preloaded-data'
import { setSchoolNow, setSchoolZone } from '../lib/school-moment'
import { isSomethingTyped } from '../lib/typed-forms'

type School = ReplyOf<typeof portal>

const takeClock = (school: School, deviceMs?: number): School => {
  setSchoolZone(school.timezone)
  setSchoolNow(school.now, deviceMs)
  return school
}

/** Preloaded, or read before the first page. */
export const portalQuery = queryOptions({
  queryKey: [...sessionKey, 'portal'],
  queryFn: async () => takeClock(await call(portal, {})),
  networkMode: 'always',
})

/** On focus: the device's clock may have been set. */
export const renewClock = (client: QueryClient): (() => void) =>
  focusManager.subscribe((isSeen) => {
    if (isSeen) void client.fetchQuery({ ...portalQuery, staleTime: 0 }).catch(() => undefined)
  })

const triesAfterMs = [300, 700]
const laterTriesMs = 3_000
const answerWithinMs = 10_000

/** Failed tries before the user is told. */
export const quietTries = triesAfterMs.length

const isSignedOut = (error: unknown) => error instanceof CallError && error.status === 401

/** The user or null; preloaded or read once. Only a 401 means nobody: other failures are retried (families.md section 1). */
export const userQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ client, signal }): Promise<User | null> => {
    const [user] = await Promise.all([
      call(currentUser, { signal, timeoutMs: answerWithinMs }).catch((error) => {
        if (!isSignedOut(error)) throw error
        void forgetPrivateData()
        return null
      }),
      client.ensureQueryData(portalQuery).catch(() => null),
    ])
    return user
  },
  retry: true,
  retryDelay: (failures) => triesAfterMs[failures] ?? laterTriesMs,
  refetchOnReconnect: false,
  networkMode: 'always',
})

/** Preloaded session and clock, if present. */
export const takeSession = (client: QueryClient): void => {
  const user = takePreloaded(currentUser)
  const school = takePreloaded(portal)
  if (user === null) void forgetPrivateData()
  if (user !== undefined) client.setQueryData(userQuery.queryKey, user)
  if (school) client.setQueryData(portalQuery.queryKey, takeClock(school, preloadedAt()))
}

/** Handed down by the route guard. */
export const useUser = (): User => useOutletContext<User>()

/** When a reply lacks the user. */
export const readUserAgain = async (client: QueryClient): Promise<void> => {
  client.setQueryData(userQuery.queryKey, await call(currentUser, {}))
}

/** The server knows no session any more, and the screen stays for what was typed on it. */
export const sessionEndedQuery = queryOptions({
  queryKey: [...sessionKey, 'ended'],
  queryFn: skipToken,
  initialData: false,
})

/** Where a 401 is met: keeps what was typed, else shows the way in. */
export const endSession = (client: QueryClient): void => {
  if (isSomethingTyped()) client.setQueryData(sessionEndedQuery.queryKey, true)
  else replaceUser(client, null)
}

/** After sign-in. The screen of the same user goes on, with everything read again. */
export const beginSession = (client: QueryClient, user: User): void => {
  if (client.getQueryData(userQuery.queryKey)?.id !== user.id) return replaceUser(client, user)
  client.setQueryData(sessionEndedQuery.queryKey, false)
  client.setQueryData(userQuery.queryKey, user)
  void client.invalidateQueries({ predicate: isNotOfSession })
}

const isNotOfSession = ({ queryKey }: Query) => queryKey[0] !== sessionKey[0]

/** Clears all data of the previous user, also on the device. */
export const replaceUser = (client: QueryClient, user: User | null): void => {
  client.setQueryData(sessionEndedQuery.queryKey, false)
  client.setQueryData(userQuery.queryKey, user)
  client.removeQueries({ predicate: isNotOfSession })
  forgetPreloaded()
  void forgetPrivateData()
}
