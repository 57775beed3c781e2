import { randomUUID } from 'node:crypto'
import { createMenuItem } from '#contracts/catalogue'
import { createCycle, listCycles } from '#contracts/cycles'
import { addStudent, currentUser, gradeNames } from '#contracts/identity'
import { createDiscountCode } from '#contracts/order-reports'
import type { CartLine } from '#contracts/ordering'
import { registerParent, signIn, type Client } from '../src/app/demo/client'
import { cartForEverybody } from '../src/app/demo/ordering'
import { demoMenu } from '../src/app/demo/sample-data'
import { lineTo, type Answer, type Line } from './load'
import { superadminPassword } from './program'

/** Monday of the first week of a six-week cycle, before the kitchen opens: every day of it is open. */
export const monday = '2026-11-16'
export const opening = `${monday}T05:00:00+02:00`

const days = [1, 2, 3, 4, 5]
const weeks = [1, 2, 3, 4, 5, 6]

/** A family with its own connection, session and unused carts of five meals. */
export type Family = {
  client: Client
  line: Line
  cookie: string
  carts: CartLine[][]
  userId: number
  cycleId: number
}

export type Office = { client: Client; line: Line; cookie: string }

/** The menu of the demonstration and an active cycle of six weeks. */
export const openSchool = async (url: string): Promise<Office> => {
  const client = await signIn(url, 'superadmin', superadminPassword)
  for (const item of demoMenu)
    await client.call(createMenuItem, {
      body: { ...item, weekNumbers: weeks, daysOfWeek: days, leadDays: 0 },
    })
  await client.call(createCycle, { body: { startDate: monday, cycleLength: 6, blockedDays: [] } })
  return signedInLine(url, client, 'superadmin', superadminPassword)
}

export const signedInLine = async (
  url: string,
  client: Client,
  username: string,
  password: string,
): Promise<Office> => {
  const line = lineTo(url)
  const { headers } = await line.send(
    'POST',
    '/api/login',
    { 'content-type': 'application/json' },
    JSON.stringify({ username, password }),
  )
  const cookie = [headers['set-cookie'] ?? []]
    .flat()
    .map((one) => one.split(';')[0])
    .join('; ')
  return { client, line, cookie }
}

export const openFamily = async (
  url: string,
  office: Office,
  { name, children, free }: { name: string; children: number; free: boolean },
): Promise<Family> => {
  const password = 'bench-parent'
  const client = await registerParent(url, {
    username: name,
    password,
    name: 'Bwalya Phiri',
    email: `${name}@example.com`,
  })
  const userId = (await client.call(currentUser)).id
  for (let child = 0; child < children; child += 1)
    await office.client.call(addStudent, {
      body: {
        name: `Child ${child + 1} of ${name}`,
        grade: gradeNames[child % gradeNames.length]!,
        parentId: userId,
      },
    })
  if (free)
    await office.client.call(createDiscountCode, {
      body: { code: `FREE-${name}`, userId, discountPercentage: 100, isActive: true },
    })
  const cycleId = (await client.call(listCycles)).find(({ isActive }) => isActive)!.id
  const asked = weeks.flatMap((week) => days.map((day) => ({ week, day })))
  const lines = await cartForEverybody(client, { seed: userId, days: asked })
  return {
    userId,
    cycleId,
    carts: inWeeks(lines),
    ...(await signedInLine(url, client, name, password)),
  }
}

// Lines are ordered by child, then week, five days each.
const inWeeks = (lines: CartLine[]): CartLine[][] =>
  Array.from({ length: lines.length / days.length }, (_, week) =>
    lines.slice(week * days.length, (week + 1) * days.length),
  )

const nextCart = (family: Family): CartLine[] => {
  const cart = family.carts.shift()
  if (!cart) throw new Error('The family has ordered every meal there is')
  return cart
}

const json = (family: Family, key: string) => ({
  'content-type': 'application/json',
  'idempotency-key': key,
  cookie: family.cookie,
})

const expectStatus = (answer: Answer, wanted: number) => {
  if (answer.status !== wanted) throw new Error(`Answered ${answer.status}: ${answer.body.slice(0, 500)}`)
  return answer
}

/** Five meals that cost nothing: the one call of the cart. */
export const orderForFree = async (family: Family): Promise<void> => {
  const cart = JSON.stringify(nextCart(family))
  expectStatus(await family.line.send('POST', '/api/orders', json(family, randomUUID()), cart), 201)
}

/** Pays by card: creates the payment, pays on the sandbox's page, verifies on the return page. */
export const payByCard = async (family: Family): Promise<void> => {
  const cartItems = nextCart(family)
  const cents = cartItems.map(({ discountedPrice, originalPrice }) =>
    Math.round((discountedPrice ?? originalPrice) * 100),
  )
  const amount = cents.reduce((total, price) => total + price, 0) / 100
  const { line } = family
  const made = expectStatus(
    await line.send(
      'POST',
      '/api/payments/create',
      json(family, randomUUID()),
      JSON.stringify({ amount, currency: 'ZMW', paymentMethod: 'CC', cartItems }),
    ),
    200,
  )
  const { TransToken } = JSON.parse(made.body) as { TransToken: string }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expectStatus(await line.send('POST', `/sandbox/pay/${TransToken}`, form, 'outcome=pay'), 303)
  const verified = await line.send(
    'POST',
    `/api/payments/verify/${TransToken}`,
    json(family, randomUUID()),
    '{}',
  )
  expectStatus(verified, 200)
}

export const read = async (who: Pick<Family, 'line' | 'cookie'>, path: string): Promise<string> =>
  expectStatus(await who.line.send('GET', path, { cookie: who.cookie }), 200).body
