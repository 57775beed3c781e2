import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { addStudent, createAdmin } from '#contracts/identity'
import { placeOrders } from '#contracts/ordering'
import { type MarkResult, type SentMark, type ServedLunch, sendMarks, serving } from '#contracts/serving'
import { markEventTypes } from '#modules/ordering/slot/lunch-marks'
import { readLog } from '#platform/event-store/event-store'
import { type Client, registerParent, staySignedIn } from '../../src/app/demo/client'
import { type Acknowledged, acknowledgements, untilAnswered } from './family'
import { openCrashSchool } from './school'
import { type Broken, type Stage, type Random, monday, deathNames, onStage } from './stage'
import { openBesides, lookThoroughly } from './whole-school'

export const deviceAccounts = ['tablet', 'phone'].map((username) => ({
  username,
  password: 'device-password',
}))

const children = 12
const hourMs = 3_600_000

/** Monday at noon in a school of families of twelve children, each with a lunch to hand out, and two administrators for it. */
export const openHatchDay = async (stage: Stage, url: string, families: number) => {
  const { office, free } = await openCrashSchool(url, monday)
  for (const account of deviceAccounts)
    await office.call(createAdmin, { body: { ...account, allowedFeatures: ['kitchen'] } })
  const orderIds: string[] = []
  for (let number = 0; number < families; number += 1)
    orderIds.push(...(await orderForFamily(url, number, free.id)))
  stage.putClockOn(5 * hourMs)
  await stage.kill('server')
  await stage.start()
  return { office, orderIds }
}

/** The ids of the family's orders for Monday. */
const orderForFamily = async (url: string, number: number, menuItemId: number): Promise<string[]> => {
  const name = `family${number}`
  const account = { username: name, password: 'parent-password', name, email: `${name}@example.org` }
  const client = await registerParent(url, account)
  const lines = []
  for (let child = 0; child < children; child += 1) {
    const { id: studentId } = await client.call(addStudent, {
      body: { name: `Child ${number} ${child}`, grade: '3' },
    })
    const line = { category: 'vegetarian', sideDish: null, comments: '', originalPrice: 0 }
    lines.push({ menuItemId, studentId, weekNumber: 1, dayOfWeek: 1, ...line })
  }
  const { orders } = await client.call(placeOrders, { body: lines })
  return orders.map(({ id }) => id)
}

/** Each lunch has the one truth that the answers tell, and what was given out is never lost. */
export const brokenTruths = (
  told: readonly SentMark[],
  results: readonly MarkResult[],
  served: readonly ServedLunch[],
): Broken => {
  const answers = new Map(results.map((result) => [result.markId, result]))
  const isKept = ({ markId }: SentMark) => answers.get(markId)?.result === 'kept'
  const undone = new Set(told.filter(isKept).map(({ undoes }) => undoes))
  return served.flatMap(({ orderId, mark }) => {
    const ofLunch = told.filter((one) => one.orderId === orderId)
    const counting = ofLunch.filter((one) => isKept(one) && one.kind !== 'undone' && !undone.has(one.markId))
    const given = counting.filter(({ kind }) => kind === 'given')
    const standing = given[0] ?? counting[0]
    const isOne = given.length <= 1 && counting.length - given.length <= 1
    const unanswered = ofLunch.filter(({ markId }) => !answers.has(markId))
    return isOne && unanswered.length === 0 && standing?.markId === mark?.markId
      ? []
      : [`${orderId} is ${mark?.kind}, and was told to be ${counting.map(({ kind }) => kind).join(', ')}`]
  })
}

/** Every mark is written once, with the time of its device. */
export const notWrittenOnce = (stage: Stage, told: readonly SentMark[]): Promise<Broken> =>
  openBesides(stage.place, stage.clock, async ({ eventStore }) => {
    const types = new Set<string>(markEventTypes.map(({ type }) => type))
    const written: string[] = []
    await readLog(eventStore, await eventStore.end(), 1_000, async (events) => {
      for (const { type, data } of events) {
        const { markId, deviceAt } = data as { markId: string; deviceAt: string }
        if (types.has(type)) written.push(`${markId} ${deviceAt}`)
      }
    })
    const wanted = told.map(({ markId, at }) => `${markId} ${at}`)
    return JSON.stringify(written.toSorted()) === JSON.stringify(wanted.toSorted())
      ? []
      : [
          `${wanted.length} marks were told, and ${written.length} (${new Set(written).size} different) are written`,
        ]
  })

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
