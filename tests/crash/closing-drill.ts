import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import { closeDays, getClosure } from '#contracts/closures'
import { addStudent } from '#contracts/identity'
import { placeOrders } from '#contracts/ordering'
import { createPayment } from '#contracts/payments'
import type { Remedy } from '#kernel/money'
import { listMails } from '../../src/adapters/mail'
import { registerParent, type Client } from '../../src/app/demo/client'
import { type Acknowledged, acknowledgements, untilAnswered } from './family'
import { openCrashSchool, type CrashSchool } from './school'
import { deathNames, monday, onStage, within, type Broken, type Stage } from './stage'
import { lookThoroughly, openBesides } from './whole-school'

export type ClosingDrill = {
  remedy: Remedy
  /** Families of one child each; this many of them pay by card, the others order what costs nothing. */
  families: number
  cards: number
  kills: number
  seed: number
  /** More of the program's variables, e.g. EVENTSTORE_URL. */
  variables?: Record<string, string>
}

/** What became of the families: whose orders were placed, whose cards were charged, and what the closing answered. */
export type ClosingFigures = {
  ordered: number
  refused: number
  paid: number
  events: number
}

const tuesday = '2026-11-17'
const day = { weekNumber: 1, dayOfWeek: 2 }
const hourMs = 3_600_000
const settlePatienceMs = 90_000

/**
 * A day is closed while families order and pay for it, and the program is killed meanwhile, again and again. Throws
 * PromiseBroken with what does not hold afterwards.
 */
export const closeWhileFamiliesOrder = (drill: ClosingDrill): Promise<ClosingFigures> =>
  onStage(drill, (stage) => closeOn(stage, drill))

type Family = { client: Client; address: string; studentId: number; token: string | null }

const closeOn = async (stage: Stage, drill: ClosingDrill): Promise<ClosingFigures> => {
  const url = `http://127.0.0.1:${stage.place.port}`
  const school = await openCrashSchool(url, monday)
  const acknowledged = acknowledgements()
  const families: Family[] = []
  for (let number = 0; number < drill.families; number += 1)
    families.push(await familyAt(url, school, number, number < drill.cards))
  const paying = families.filter(({ token }) => token !== null)
  const ordering = families.filter(({ token }) => token === null)
  const [early, late] = [paying.slice(0, paying.length / 2), paying.slice(paying.length / 2)]
  await Promise.all(early.map((family) => pay(family, acknowledged)))
  const ordered = ordering.map((family) => orderSoon(stage, school, family, acknowledged))
  const paid = late.map((family) => payWithin(stage, family, acknowledged))
  const closed = closeAndWait(stage, school, acknowledged, drill.remedy)
  for (let kill = 0; kill < drill.kills; kill += 1) {
    await pause(40 + stage.random.below(400))
    await stage.kill(stage.random.pick(deathNames))
    await stage.start()
  }
  const answers = await Promise.all(ordered)
  await Promise.all([closed, ...paid])
  stage.putClockOn(hourMs)
  await stage.kill('server')
  await stage.start()
  const told = new Set([...paying, ...ordering.filter((_family, index) => answers[index])])
  const brokenThere = async () => [
    ...(await openBesides(stage.place, stage.clock, ({ database }) =>
      brokenOnClosedDay(database.pool, drill),
    )),
    ...(await notToldOnce(stage.place.dataDir, families, told)),
  ]
  await within(settlePatienceMs, async () => (await brokenThere()).length === 0)
  const looked = await lookThoroughly(stage.place, stage.clock, acknowledged)
  const broken = [...looked.broken, ...(await brokenThere())]
  if (broken.length > 0) throw new Error(broken.join('\n'))
  const orders = answers.filter(Boolean).length
  return {
    ordered: orders,
    refused: ordering.length - orders,
    paid: acknowledged.paid.size,
    events: looked.events,
  }
}

/** One that will pay by card is on the provider's page already, the day held for it. */
const familyAt = async (
  url: string,
  { paid }: CrashSchool,
  number: number,
  byCard: boolean,
): Promise<Family> => {
  const name = `family${number}`
  const address = `${name}@example.org`
  const account = { username: name, password: 'parent-password', name, email: address }
  const client = await registerParent(url, account)
  const { id: studentId } = await client.call(addStudent, { body: { name: 'Child', grade: '3' } })
  if (!byCard) return { client, address, studentId, token: null }
  const body = { amount: Number(paid.price), cartItems: [lineOf(paid, studentId)] }
  const { TransToken: token } = await client.call(createPayment, { body })
  return { client, address, studentId, token }
}

const lineOf = ({ id, price }: CrashSchool['paid'], studentId: number) => ({
  ...day,
  studentId,
  menuItemId: id,
  category: 'vegetarian',
  sideDish: null,
  comments: '',
  originalPrice: Number(price),
})

/** Nobody comes back from the provider's page: the shop hears of the money by a push, or asks. */
const pay = async ({ client, token }: Family, acknowledged: Acknowledged): Promise<void> => {
  const form = new URLSearchParams({ outcome: 'close', card: '4111111111111111' })
  await untilAnswered(acknowledged, async () => {
    const answer = await client.fetch(`/sandbox/pay/${token}`, { method: 'POST', body: form })
    if (answer.status >= 500) throw new Error(`The payment page answered ${answer.status}`)
  })
  acknowledged.paid.add(token!)
}

const payWithin = async ({ random }: Stage, family: Family, acknowledged: Acknowledged): Promise<void> => {
  await pause(random.below(1_500))
  await pay(family, acknowledged)
}

/** Whether it was ordered; the day may be closed already. */
const orderSoon = async (
  { random }: Stage,
  { free }: CrashSchool,
  { client, studentId }: Family,
  acknowledged: Acknowledged,
): Promise<boolean> => {
  await pause(random.below(1_500))
  const headers = { 'idempotency-key': randomUUID() }
  const body = [lineOf(free, studentId)]
  const placed = await untilAnswered(acknowledged, () => client.call(placeOrders, { body, headers }))
  for (const { id } of placed?.orders ?? []) acknowledged.placed.set(id, { key: headers['idempotency-key'] })
  return placed !== null
}

const closeAndWait = async (
  stage: Stage,
  { office, cycleId }: CrashSchool,
  acknowledged: Acknowledged,
  remedy: Remedy,
): Promise<void> => {
  await pause(stage.random.below(1_500))
  const body = { dates: [tuesday], reason: 'The oven is broken', remedy }
  const headers = { 'idempotency-key': randomUUID() }
  const params = { id: cycleId }
  let closure = await untilAnswered(acknowledged, () => office.call(closeDays, { params, body, headers }))
  for (; closure!.done < closure!.total; await pause(100)) {
    const { id } = closure!
    closure = await untilAnswered(acknowledged, () => office.call(getClosure, { params: { id } }))
  }
}

const brokenOnClosedDay = async (pool: Pool, { remedy, cards }: ClosingDrill): Promise<Broken> => {
  const count = async (text: string) => Number((await pool.query<{ count: string }>(text)).rows[0]!.count)
  const standing = await count(`select count(*) from ordering.orders
    where meal_date = '${tuesday}' and status in ('pending', 'completed')`)
  const refunds = await count('select coalesce(sum(owed), 0) as count from refunds.refunds')
  const credit = await count('select coalesce(sum(balance), 0) as count from credit.accounts')
  const wanted = cards * 2_500
  const [owed, other] = remedy === 'refund' ? [refunds, credit] : [credit, refunds]
  return [
    ...(standing === 0 ? [] : [`${standing} orders stand on the closed day`]),
    ...(owed === wanted && other === 0
      ? []
      : [`${wanted} ngwee were paid, ${refunds} are owed as refunds and ${credit} as credit`]),
  ]
}

const notToldOnce = async (
  dataDir: string,
  families: readonly Family[],
  told: ReadonlySet<Family>,
): Promise<Broken> => {
  const mails = (await listMails(dataDir, 1_000)).filter(({ subject }) => subject.includes('no lunch'))
  return families.flatMap((family) => {
    const had = mails.filter(({ to }) => to.includes(family.address)).length
    const wanted = told.has(family) ? 1 : 0
    return had === wanted ? [] : [`${family.address} had ${had} messages and not ${wanted}`]
  })
}
