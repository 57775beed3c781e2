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
import { readSchoolClock, recallSchoolClock, knownSchoolDate } from '../../lib/school-moment'
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
  type MarkNotice,
  type WaitingMark,
} from './device/device-store'
import { answeredLunch, byOrder } from './device/marks'
import { tellOtherTabs } from './device/this-device'

const onDevice = { staleTime: Infinity, networkMode: 'always' } as const

/** This device's copy, shown online and offline. */
export const listQuery = (user: HatchUser) =>
  queryOptions({
    ...onDevice,
    queryKey: ['hatch', 'list', user.id],
    queryFn: async ({ client, queryKey }): Promise<DeviceList | null> => {
      const list = await listOnDevice(user.id, Date.now(), knownSchoolDate()).catch(() => null)
      if (list) recallSchoolClock(list.source)
      // Without storage the list lives as long as the page.
      const shown = client.getQueryData<DeviceList>(queryKey)
      return list ?? (shown && !isTooOld(shown.source, Date.now()) ? shown : null)
    },
  })

/** The marks that wait on this device, and what is to be told of others. */
export const queueQuery = queryOptions({ ...onDevice, queryKey: ['hatch', 'queue'], queryFn: readQueue })

const servingKey = (user: HatchUser) => ['ordering', 'serving', user.id]

/** Fetches the day's lunches every 15 s while visible and stores them. */
export const servingQuery = (user: HatchUser) =>
  queryOptions({
    queryKey: servingKey(user),
    queryFn: async ({ signal, client }): Promise<Tagged<Serving>> => {
      const known = client.getQueryData<Tagged<Serving>>(servingKey(user))
      const answer = await callUnlessKnown(serving, { signal }, known)
      // A superseded answer may lack marks answered since.
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
  // Without storage the list still shows while the page is open.
  await (shown ? confirmList(source) : keepList({ ...reply, source })).catch(() => undefined)
  const list: DeviceList = { ...(shown ?? reply), source }
  if (!hasLeft(client, user)) client.setQueryData(queryKey, list)
}

/** Signed out: removes the list and sends no marks. */
const hasLeft = (client: QueryClient, user: HatchUser) => {
  const session = client.getQueryData<{ id: number } | null>(sessionKey)
  return session !== undefined && session?.id !== user.id
}

/** Refetches in full: marks may have changed it otherwise. */
const readServingAgain = (client: QueryClient, user: HatchUser): Promise<void> => {
  client.setQueryData<Tagged<Serving>>(servingKey(user), (known) => known && { ...known, etag: '' })
  return client.invalidateQueries({ queryKey: servingKey(user) })
}

/** Read while shown. */
export const notCollectedQuery = (date: string) => ({
  ...endpointQuery('ordering', notCollected, { query: { date } }),
  staleTime: 0,
  refetchInterval: 60_000,
})

/** The most marks that one call takes. */
const perCall = 500
const answerWithinMs = 15_000

/** One sender across tabs by Web Locks; without them the server deduplicates marks. */
const alone = <Result>(act: () => Promise<Result>): Promise<Result> =>
  navigator.locks ? navigator.locks.request('tuckshop-hatch-sending', act) : act()

/** Sends waiting marks in order. A mark leaves the queue only when answered; throws the call's error with the rest still waiting. */
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

/** Answers how many were answered; isolates a mark the server rejects. */
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

/** Updates the list before removing marks, so that a given lunch always shows. */
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

const toldAnswers = ({ user, mark, result: { result, ...rest }, message }: Answered): MarkNotice[] =>
  result === 'kept'
    ? []
    : [{ ...rest, result, userId: user.id, orderId: mark.orderId, kind: mark.kind, message }]
