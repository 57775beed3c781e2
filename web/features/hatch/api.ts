import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { notCollected, serving, type Serving } from '#contracts/serving'
import { callUnlessKnown, type Tagged } from '../../lib/call'
import { endpointQuery } from '../../lib/endpoint-query'
import { sessionKey } from '../../lib/query-client'
import { readSchoolClock, recallSchoolClock, toldSchoolDate } from '../../lib/school-moment'
import {
  confirmList,
  type DeviceList,
  type HatchUser,
  keepList,
  listOnDevice,
  readQueue,
} from './device/device-store'

const onDevice = { staleTime: Infinity, networkMode: 'always' } as const

/** The list as this device has it: what the screen shows, with a connection or without. */
export const listQuery = (user: HatchUser) =>
  queryOptions({
    ...onDevice,
    queryKey: ['hatch', 'list', user.id],
    queryFn: async ({ client, queryKey }): Promise<DeviceList | null> => {
      const list = await listOnDevice(user.id, Date.now(), toldSchoolDate()).catch(() => null)
      if (list) recallSchoolClock(list.source)
      // A device without room keeps none: what is shown stays as long as the page is open.
      return list ?? client.getQueryData<DeviceList>(queryKey) ?? null
    },
  })

/** The marks that wait on this device, and what is to be told of others. */
export const queueQuery = queryOptions({ ...onDevice, queryKey: ['hatch', 'queue'], queryFn: readQueue })

const servingKey = (user: HatchUser) => ['ordering', 'serving', user.id]

/**
 * Reads the lunches of the day from the server, when the hatch is opened, every 15 s while it is seen, and when it is
 * seen again; what came is put on the device.
 */
export const servingQuery = (user: HatchUser) =>
  queryOptions({
    queryKey: servingKey(user),
    queryFn: async ({ signal, client }): Promise<Tagged<Serving>> => {
      const known = client.getQueryData<Tagged<Serving>>(servingKey(user))
      const answer = await callUnlessKnown(serving, { signal }, known)
      // One that a later question has overtaken may not know of marks that were answered since.
      if (!signal.aborted) await putOnDevice(client, user, answer, answer === known)
      return answer
    },
    staleTime: 0,
    refetchInterval: 15_000,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: false,
  })

const putOnDevice = async (
  client: QueryClient,
  user: HatchUser,
  { reply }: Tagged<Serving>,
  isKnown: boolean,
) => {
  if (hasLeft(client, user)) return
  const { id, name } = user
  const source = { user: { id, name }, readAt: Date.now(), ...readSchoolClock() }
  const { queryKey } = listQuery(user)
  const shown = isKnown ? client.getQueryData(queryKey) : null
  // A device without room shows the list all the same, as long as the page is open.
  await (shown ? confirmList(source) : keepList({ ...reply, source })).catch(() => undefined)
  const list: DeviceList = { ...(shown ?? reply), source }
  if (!hasLeft(client, user)) client.setQueryData(queryKey, list)
}

/** Whether this user is known not to be signed in any more: then no list stays behind and no mark is sent. */
export const hasLeft = (client: QueryClient, user: HatchUser) => {
  const session = client.getQueryData<{ id: number } | null>(sessionKey)
  return session !== undefined && session?.id !== user.id
}

/** Has the list be read whole: it may say other than what the answers to marks have made of it. */
export const readServingAgain = (client: QueryClient, user: HatchUser): Promise<void> => {
  client.setQueryData<Tagged<Serving>>(servingKey(user), (known) => known && { ...known, etag: '' })
  return client.invalidateQueries({ queryKey: servingKey(user) })
}

/** The lunches that nobody came for; read while they are looked at. */
export const notCollectedQuery = (date: string) => ({
  ...endpointQuery('ordering', notCollected, { query: { date } }),
  staleTime: 0,
  refetchInterval: 60_000,
})
