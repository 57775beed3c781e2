import type { QueryClient } from '@tanstack/react-query'
import { type MarkResult, sendMarks, type ServedLunch } from '#contracts/serving'
import { call, CallError } from '../../../lib/call'
import { hasLeft, listQuery, queueQuery, readServingAgain } from '../api'
import {
  changeLunches,
  type HatchUser,
  readQueue,
  settleMarks,
  type ToldAnswer,
  type WaitingMark,
} from './device-store'
import { answeredLunch, byOrder } from './marks'
import { tellOtherTabs } from './other-tabs'

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
    answers.flatMap((answer) => toldOf(answer)),
  )
  await client.invalidateQueries({ queryKey: queueQuery.queryKey })
  tellOtherTabs()
}

const toldOf = ({ user, mark, result: { result, ...rest }, message }: Answered): ToldAnswer[] =>
  result === 'kept'
    ? []
    : [{ ...rest, result, userId: user.id, orderId: mark.orderId, kind: mark.kind, message }]
