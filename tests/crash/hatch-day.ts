import { addStudent, createAdmin } from '#contracts/identity'
import { placeOrders } from '#contracts/ordering'
import type { MarkResult, SentMark, ServedLunch } from '#contracts/serving'
import { markEventTypes } from '#modules/ordering/slot/lunch-marks'
import { readLog } from '#platform/event-store/event-store'
import { registerParent } from '../../src/app/demo/client'
import type { Broken } from './kept-promises'
import { openCrashSchool } from './school'
import { monday, type Stage } from './stage'
import { openBesides } from './whole-school'

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
