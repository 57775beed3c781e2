import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sendMarks, serving, type MarkResult, type SentMark } from '#contracts/serving'
import { staySignedIn, type Client } from '../../src/app/demo/client'
import { acknowledgements, type Acknowledged } from './acknowledged'
import { untilAnswered } from './asking'
import { brokenTruths, deviceAccounts, notWrittenOnce, openHatchDay } from './hatch-day'
import type { Random } from './random'
import { deathNames, monday, onStage, type Stage } from './stage'
import { lookThoroughly } from './whole-school'

export type HatchDrill = {
  /** Of twelve children each, who all have a lunch on Monday. */
  families: number
  kills: number
  seed: number
  /** More of the program's variables, e.g. EVENTSTORE_URL. */
  variables?: Record<string, string>
}

/** What became of the marks: how many were made, and how many of them were answered with what. */
export type HatchFigures = { lunches: number; marks: number; askedAgain: number } & Record<
  MarkResult['result'],
  number
>

const hourMs = 3_600_000
const maxMarks = 500

/**
 * Two devices hand out the same lunches, one of them without a connection for an hour and with a clock that is two hours
 * wrong, and the program is killed while their queues are sent, again and again. Throws PromiseBroken with what does not
 * hold afterwards.
 */
export const handOutTwice = (drill: HatchDrill): Promise<HatchFigures> =>
  onStage(drill, (stage) => handOut(stage, drill))

const handOut = async (stage: Stage, drill: HatchDrill): Promise<HatchFigures> => {
  const url = `http://127.0.0.1:${stage.place.port}`
  const { office, orderIds } = await openHatchDay(stage, url, drill.families)
  const acknowledged = acknowledgements()
  for (const id of orderIds) acknowledged.placed.set(id, { key: id })
  const devices = await Promise.all(
    deviceAccounts.map(({ username, password }) => staySignedIn(url, username, password)),
  )
  const lunches = stage.random.shuffled(orderIds)
  const atDevice = (wrongMs: number) => new Date(stage.clock().getTime() + wrongMs).toISOString()
  const queues = [
    queueFor(stage.random, lunches, atDevice(0)),
    queueFor(stage.random, lunches, atDevice(-2 * hourMs)),
  ]
  // The first device sends as it goes, the second all at once when it has its connection again.
  const going = sendAll(stage.random, devices[0]!, queues[0]!, 20, acknowledged)
  await killWithin(stage, 600)
  stage.putClockOn(hourMs)
  await stage.start()
  const back = sendAll(stage.random, devices[1]!, queues[1]!, maxMarks, acknowledged)
  for (let kill = 1; kill < drill.kills; kill += 1) {
    await killWithin(stage, 600)
    await stage.start()
  }
  const sending = Promise.all([going, back])
  const first = (await sending).flat()
  const again = [
    ...(await sendAll(stage.random, devices[1]!, queues[0]!, maxMarks, acknowledged)),
    ...(await sendAll(stage.random, devices[0]!, queues[1]!, maxMarks, acknowledged)),
  ]
  const { lunches: served } = (await untilAnswered(acknowledged, () =>
    office.call(serving, { query: { date: monday } }),
  ))!
  for (const { orderId, mark } of served) if (mark?.kind === 'given') acknowledged.completed.add(orderId)
  const told = queues.flat()
  const broken = [
    ...(JSON.stringify(first) === JSON.stringify(again)
      ? []
      : ['marks that were sent again were answered otherwise']),
    ...brokenTruths(told, first, served),
    ...(await notWrittenOnce(stage, told)),
    ...(await lookThoroughly(stage.place, stage.clock, acknowledged)).broken,
  ]
  if (broken.length > 0) throw new Error(broken.join('\n'))
  const count = (result: MarkResult['result']) => first.filter((one) => one.result === result).length
  return {
    lunches: served.length,
    marks: told.length,
    askedAgain: acknowledged.askedAgain,
    kept: count('kept'),
    already: count('already'),
    conflict: count('conflict'),
    refused: count('refused'),
  }
}

const killWithin = async (stage: Stage, ms: number): Promise<void> => {
  await pause(40 + stage.random.below(ms))
  await stage.kill(stage.random.pick(deathNames))
}

/** What one device tells of the lunches: nearly all are given out, some marks are taken back, some children do not come. */
const queueFor = (random: Random, lunches: readonly string[], at: string): SentMark[] =>
  lunches.flatMap((orderId) => {
    const markId = randomUUID()
    const kind = random.chance(0.8) ? 'given' : random.pick(['absent', 'problem'] as const)
    const mark: SentMark = { markId, orderId, kind, at, note: kind === 'problem' ? 'cold' : null }
    if (!random.chance(0.1)) return [mark]
    const undone: SentMark = { markId: randomUUID(), orderId, kind: 'undone', undoes: markId, at }
    return random.chance(0.5) ? [mark, undone] : [mark, undone, { ...mark, markId: randomUUID() }]
  })

/** Sends a queue in its order; some answers get lost on the way, and their marks are sent again. */
const sendAll = async (
  random: Random,
  device: Client,
  queue: readonly SentMark[],
  atOnce: number,
  acknowledged: Acknowledged,
): Promise<MarkResult[]> => {
  const results: MarkResult[] = []
  while (results.length < queue.length) {
    const marks = queue.slice(results.length, results.length + atOnce)
    const answer = await untilAnswered(acknowledged, () => device.call(sendMarks, { body: { marks } }))
    await pause(random.below(200))
    if (!random.chance(0.2)) results.push(...answer!.results)
  }
  return results
}
