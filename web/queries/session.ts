import { focusManager, queryOptions, type QueryClient } from '@tanstack/react-query'
import { useOutletContext } from 'react-router-dom'
import type { ReplyOf } from '#contracts/endpoint'
import { currentUser, portal, type User } from '#contracts/identity'
import { call, CallError } from '../lib/call'
import { forgetPrivateData } from '../lib/device-storage'
import { sessionKey } from '../lib/endpoint-query'
import { forgetSent, sentAt, takePreloaded } from '../lib/sent'
import { setSchoolNow, setSchoolZone } from '../lib/school-moment'

type School = ReplyOf<typeof portal>

const takeClock = (school: School, deviceMs?: number): School => {
  setSchoolZone(school.timezone)
  setSchoolNow(school.now, deviceMs)
  return school
}

/** The school's name, time zone and clock; comes with the page, or is read once before the first page. */
export const portalQuery = queryOptions({
  queryKey: [...sessionKey, 'portal'],
  queryFn: async () => takeClock(await call(portal, {})),
  networkMode: 'always',
})

/** Asks the server for its clock whenever the page is seen again: the device's own may have been set meanwhile. */
export const renewClock = (client: QueryClient): (() => void) =>
  focusManager.subscribe((isSeen) => {
    if (isSeen) void client.fetchQuery({ ...portalQuery, staleTime: 0 }).catch(() => undefined)
  })

const triesAfterMs = [300, 700]
const laterTriesMs = 3_000
const answerWithinMs = 10_000

/** After how many tries without an answer whoever waits is told. */
export const quietTries = triesAfterMs.length

const isSignedOut = (error: unknown) => error instanceof CallError && error.status === 401

/**
 * Who is signed in, or null. Comes with the page, or is read when the application starts, and never again by itself.
 * Only a 401 means nobody: whatever else is answered says nothing about the session, and it is asked again until it is
 * known (families.md section 1).
 */
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

/** Takes from the page who is signed in, and where and when; nothing where it came without. */
export const takeSession = (client: QueryClient): void => {
  const user = takePreloaded(currentUser)
  const school = takePreloaded(portal)
  if (user === null) void forgetPrivateData()
  if (user !== undefined) client.setQueryData(userQuery.queryKey, user)
  if (school) client.setQueryData(portalQuery.queryKey, takeClock(school, sentAt()))
}

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
  forgetSent()
  void forgetPrivateData()
}
