import { queryOptions, type QueryClient } from '@tanstack/react-query'
import {
  notCollected,
  serving,
  type Serving,
  type MarkResult,
  sendMarks,
  type ServedLunch,
} from '#contracts/serving'
import { callUnlessKnown, type Tagged, call, CallError } from '../../lib/call'
import { endpointQuery, sessionKey } from '../../lib/endpoint-query'
import { readSchoolClock, recallSchoolClock, toldSchoolDate } from '../../lib/school-moment'
import {
  confirmList,
  isTooOld,
  type DeviceList,
  type HatchUser,
  keepList,
  listOnDevice,
  readQueue,
  changeLunches,
  settleMarks,
  type ToldAnswer,
  type WaitingMark,
} from './device/device-store'
import { answeredLunch, byOrder } from './device/marks'
import { tellOtherTabs } from './device/this-device'

const onDevice = { staleTime: Infinity, networkMode: 'always' } as const

/** The list as this device has it: what the screen shows, with a connection or without. */
export const listQuery = (user: HatchUser) =>
  queryOptions({
    ...onDevice,
    queryKey: ['hatch', 'list', user.id],
    queryFn: async ({ client, queryKey }): Promise<DeviceList | null> => {
      const list = await listOnDevice(user.id, Date.now(), toldSchoolDate()).catch(() => null)
      if (list) recallSchoolClock(list.source)
      // A device without room keeps none: what is shown stays while the page is open, until it is too old.
      const shown = client.getQueryData<DeviceList>(queryKey)
      return list ?? (shown && !isTooOld(shown.source, Date.now()) ? shown : null)
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
const hasLeft = (client: QueryClient, user: HatchUser) => {
  const session = client.getQueryData<{ id: number } | null>(sessionKey)
  return session !== undefined && session?.id !== user.id
}

/** Has the list be read whole: it may say other than what the answers to marks have made of it. */
const readServingAgain = (client: QueryClient, user: HatchUser): Promise<void> => {
  client.setQueryData<Tagged<Serving>>(servingKey(user), (known) => known && { ...known, etag: '' })
  return client.invalidateQueries({ queryKey: servingKey(user) })
}

/** The lunches that nobody came for; read while they are looked at. */
export const notCollectedQuery = (date: string) => ({
  ...endpointQuery('ordering', notCollected, { query: { date } }),
  staleTime: 0,
  refetchInterval: 60_000,
})

/** The most marks that one call takes. */
const perCall = 500
const answerWithinMs = 15_000

/** One sender at a time, whichever tab it is in; where the browser cannot promise that, the server keeps each mark once. */
const alone = <Result>(act: () => Promise<Result>): Promise<Result> =>
  navigator.locks ? navigator.locks.request('tuckshop-hatch-sending', act) : act()

/**
 * Sends the marks of this user that wait, in their order, until none is left. Each leaves the queue when its answer came
 * and not before: throws what the call threw, with all that was not answered still waiting.
 */
export const sendWaiting = async (client: QueryClient, user: HatchUser): Promise<void> => {
  const answered = await alone(async () => {
    for (let count = 0; ;) {
      const { waiting } = await readQueue()
      const batch = waiting.filter((one) => one.user.id === user.id).slice(0, perCall)
      if (batch.length === 0 || hasLeft(client, user)) return count > 0
      count += await sendBatch(client, user, batch)
    }
  })
  if (answered) await readServingAgain(client, user)
}

/** Sends these marks; answers how many were answered. Where the server cannot read one of them, that one is found. */
const sendBatch = async (
  client: QueryClient,
  user: HatchUser,
  batch: readonly WaitingMark[],
): Promise<number> => {
  try {
    const marks = batch.map(({ mark }) => mark)
    const { results } = await call(sendMarks, { body: { marks }, timeoutMs: answerWithinMs })
    const answers = batch.flatMap((one) => {
      const result = results.find(({ markId }) => markId === one.mark.markId)
      return result ? [{ ...one, result, message: null }] : []
    })
    if (answers.length === 0) throw new Error('The server answered none of the marks')
    await settle(client, user, answers)
    return answers.length
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return batch.length > 1 ? sendHalves(client, user, batch) : refuse(client, user, batch, error)
  }
}

const isUnreadable = (error: unknown): error is CallError =>
  error instanceof CallError && error.reply !== null && [400, 413, 422].includes(error.status)

const sendHalves = async (client: QueryClient, user: HatchUser, batch: readonly WaitingMark[]) => {
  const half = Math.ceil(batch.length / 2)
  const first = await sendBatch(client, user, batch.slice(0, half))
  return first + (await sendBatch(client, user, batch.slice(half)))
}

const refuse = async (
  client: QueryClient,
  user: HatchUser,
  batch: readonly WaitingMark[],
  error: CallError,
) => {
  const refused = batch.map((one) => ({
    ...one,
    result: { markId: one.mark.markId, result: 'refused' as const, code: error.code, other: null },
    message: error.reply?.message ?? null,
  }))
  await settle(client, user, refused)
  return refused.length
}

type Answered = WaitingMark & { result: MarkResult; message: string | null }

/** The list takes over what the answers say before the marks leave the queue, so that what was given is always shown. */
const settle = async (client: QueryClient, user: HatchUser, answers: readonly Answered[]) => {
  const answersTo = byOrder(answers)
  const changed = (lunch: ServedLunch) =>
    (answersTo.get(lunch.orderId) ?? []).reduce((now, one) => answeredLunch(now, one, one.result), lunch)
  await changeLunches(user.id, changed).catch(() => undefined)
  client.setQueryData(
    listQuery(user).queryKey,
    (list) => list && { ...list, lunches: list.lunches.map(changed) },
  )
  await settleMarks(
    answers.map(({ mark }) => mark.markId),
    answers.flatMap((answer) => toldAnswers(answer)),
  )
  await client.invalidateQueries({ queryKey: queueQuery.queryKey })
  tellOtherTabs()
}

const toldAnswers = ({ user, mark, result: { result, ...rest }, message }: Answered): ToldAnswer[] =>
  result === 'kept'
    ? []
    : [{ ...rest, result, userId: user.id, orderId: mark.orderId, kind: mark.kind, message }]
