import { getFamily } from '#contracts/families'
import { familyFeatures, find } from '#contracts/find'
import { featureNames, type FeatureName } from '#contracts/identity'
import { updateParent } from '#contracts/parents'
import { placeOrders } from '#contracts/ordering'
import type { Client } from '../../src/app/demo/client'
import { payByCard } from '../../src/app/demo/ordering'
import { refused } from '../ordering/canteen'
import { openAlternativeCanteen, type AlternativeCanteen } from '../payments/alternative-canteen'

let canteen: AlternativeCanteen
let mutinta: { id: number; reference: string; orders: string[] }
let grace: { id: number; token: string; providerReference: string; reference: string }

/** Mutinta Chisenga owes two stews by Airtel since Monday at seven; Grace Banda pays one by card a minute later. */
beforeAll(async () => {
  canteen = await openAlternativeCanteen({}, { sweepEveryMs: 3_600_000 })
  await canteen.set({ enabled: false, beside: true })
  const moyo = await canteen.payingFamily('mutinta.moyo', '9', '3')
  await canteen.superadminClient.call(updateParent, {
    params: { id: moyo.userId },
    body: {
      username: 'mutinta.moyo',
      name: 'Mutinta Chisenga',
      email: 'mutinta@example.org',
      phone: '+260 97 712 3456',
    },
  })
  const cartItems = [2, 3].map((day) => canteen.stewFor(moyo.children[0]!, day))
  const { orders, payment } = await moyo.parent.call(placeOrders, { body: { cartItems, payBy: 'airtel' } })
  mutinta = { id: moyo.userId, reference: payment!.reference, orders: orders.map(({ id }) => id) }
  canteen.setClock('2026-09-14T07:01:00+02:00')
  const banda = await canteen.payingFamily('grace', '9')
  await payByCard(banda.parent, [canteen.stewFor(banda.children[0]!, 4)], 'pay')
  const { rows } = await canteen.infrastructure.database.pool.query<{
    token: string
    ref: string
    reference: string
  }>(`select token, attempt->'token'->>'ref' as ref, reference from payments.attempts where kind = 'card'`)
  grace = {
    id: banda.userId,
    token: rows[0]!.token,
    providerReference: rows[0]!.ref,
    reference: rows[0]!.reference,
  }
})
afterAll(() => canteen.close())

const search = (q: string, by: Client = canteen.superadminClient) => by.call(find, { query: { q } })
const found = async (q: string, by?: Client) => {
  const { families, payments, orders } = await search(q, by)
  return {
    families: families.map(({ username }) => username),
    payments: payments.map(({ username }) => username),
    orders: orders.map(({ username }) => username),
  }
}
const moyos = {
  families: ['mutinta.moyo'],
  payments: ['mutinta.moyo'],
  orders: ['mutinta.moyo', 'mutinta.moyo'],
}
const bandas = { families: ['grace'], payments: ['grace'], orders: ['grace'] }

test('a payment is found by our reference, however it is written', async () => {
  const signs = mutinta.reference.slice(3)
  for (const q of [mutinta.reference, signs, signs.toLowerCase(), `lp${signs}`, `LP - ${signs}`])
    expect({ q, found: await found(q) }).toEqual({ q, found: moyos })
  expect(await found(grace.reference)).toEqual(bandas)
})

test("it is found by the provider's token and reference", async () => {
  for (const q of [grace.token, grace.token.toLowerCase(), grace.providerReference])
    expect(await found(q)).toEqual(bandas)
})

test('a family is found by username, name, e-mail address, phone number in any form, and the name of a child', async () => {
  const typed = ['mutinta.moyo', 'chisenga mutinta', 'MUTINTA@example.org']
  const numbers = ['+260977123456', '0977 123 456', '977-123-456', '00260 977123456', '0977123']
  for (const q of [...typed, ...numbers, 'mutinta.moyo 9'])
    expect({ q, found: await found(q) }).toEqual({ q, found: moyos })
  // Nothing was ordered for this one.
  expect(await found('mutinta.moyo 3')).toEqual({ ...moyos, orders: [] })
})

test('an amount finds payments of it and orders at this price, unpaid ones first', async () => {
  expect(await found('K91.00')).toEqual({ families: [], payments: ['mutinta.moyo'], orders: [] })
  expect(await found('45.50')).toEqual({
    families: [],
    payments: ['grace'],
    orders: ['mutinta.moyo', 'mutinta.moyo', 'grace'],
  })
  const { payments } = await search('mutinta.moyo')
  expect(payments).toMatchObject([{ amount: 91, unpaid: 91, reference: mutinta.reference, payBy: 'airtel' }])
  await canteen.verify([mutinta.orders[0]!])
  expect((await search('mutinta.moyo')).families).toMatchObject([{ unpaid: 45.5 }])
  expect((await search('45.50')).orders.map(({ paymentStatus }) => paymentStatus)).toEqual([
    'pending',
    'confirmed',
    'confirmed',
  ])
  // What is left of a payment is an amount that somebody may look for.
  expect((await found('45.50')).payments).toEqual(['mutinta.moyo', 'grace'])
})

test.each<[FeatureName, Partial<typeof moyos>, boolean]>([
  ['live_orders', { payments: moyos.payments, orders: moyos.orders }, false],
  ['order_recovery', { payments: moyos.payments, orders: moyos.orders }, false],
  ['pending_payments', { families: moyos.families, orders: moyos.orders }, true],
  ['refunds', { families: moyos.families, orders: moyos.orders }, true],
  ['parents_students', { families: moyos.families, orders: moyos.orders }, true],
])('who has %s is shown %j', async (feature, shown, mayOpen) => {
  const by = await canteen.administrator(`office-${feature.replace('_', '-')}`, feature)
  for (const q of ['mutinta.moyo', mutinta.reference, '0977 123 456']) {
    expect({ q, found: await found(q, by) }).toEqual({
      q,
      found: { families: [], payments: [], orders: [], ...shown },
    })
    const { payments, orders } = await search(q, by)
    for (const { familyId } of [...payments, ...orders]) expect(familyId).toBe(mayOpen ? mutinta.id : null)
  }
})

test('who may not see contacts does not learn them piece by piece', async () => {
  const by = await canteen.administrator('live', 'live_orders')
  const nothing = { families: [], payments: [], orders: [] }
  for (const q of ['0977123', '12345', 'mutinta@', 'example.org', 'inta Chis', 'chisenga']) {
    expect({ q, found: await found(q, by) }).toEqual({ q, found: nothing })
  }
  for (const q of ['mutinta@example.org', 'Mutinta Chisenga', '+260 977 123456'])
    expect((await found(q, by)).payments).toEqual(['mutinta.moyo'])
})

test.each<FeatureName>(['menu', 'kitchen', 'cycles', 'history', 'revenue', 'admins', 'settings'])(
  'who has %s alone may not search',
  async (feature) => {
    const by = await canteen.administrator(`only-${feature}`, feature)
    expect(await refused(search('mutinta', by))).toMatchObject({ status: 403 })
  },
)

test('two characters are too few, and signs of patterns are characters', async () => {
  expect(await refused(search(' mo '))).toMatchObject({ status: 422 })
  for (const q of ['%%%', '___', "';--", '\\\\\\'])
    expect(await found(q)).toEqual({ families: [], payments: [], orders: [] })
})

test('a search that takes too long ends, in words', async () => {
  const { pool } = canteen.infrastructure.database
  const client = await pool.connect()
  try {
    await client.query('begin; lock table payments.attempts in access exclusive mode')
    const slow = await refused(search('mutinta'))
    expect(slow).toMatchObject({ status: 503, code: 'find_took_too_long' })
  } finally {
    await client.query('rollback')
    client.release()
  }
})

const page = (id: number, by: Client = canteen.superadminClient) => by.call(getFamily, { params: { id } })

test('the page of a family says in plain sentences what became of its payments, and what helps', async () => {
  const moyo = await page(mutinta.id)
  expect(moyo).toMatchObject({
    parent: { id: mutinta.id, username: 'mutinta.moyo', phone: '+260 97 712 3456' },
    children: [{ name: 'mutinta.moyo 9' }, { name: 'mutinta.moyo 3' }],
    status: [
      `Paid K45.50 by Airtel, one meal; K45.50 by Airtel not paid yet, one meal, reference ${mutinta.reference}`,
    ],
    upcoming: [
      {
        id: mutinta.orders[0],
        mealDate: '2026-09-15',
        paymentStatus: 'confirmed',
        reference: mutinta.reference,
      },
      { id: mutinta.orders[1], mealDate: '2026-09-16', paymentStatus: 'pending', payBy: 'airtel' },
    ],
    money: {
      unpaid: 45.5,
      owedBack: 0,
      help: { what: 'verify', about: mutinta.reference },
      payments: [{ reference: mutinta.reference, amount: 91, unpaid: 45.5 }],
      refunds: [],
    },
    credit: { balance: 0, held: 0, entries: [] },
  })
  expect((await page(grace.id)).status).toEqual(['Paid K45.50 by card, one meal'])
})

test('its messages say whether they left, and its history names people, children and meals, never ids', async () => {
  const moyo = await page(mutinta.id)
  expect(moyo.messages.map(({ to, subject, state }) => ({ to, subject, state }))).toContainEqual({
    to: 'mutinta@example.org',
    subject: expect.stringContaining('How to pay'),
    state: 'sent',
  })
  expect(moyo.history.map(({ what }) => what)).toContainEqual(
    expect.stringContaining('Ordered Stew for mutinta.moyo 9 on 2026-09-15'),
  )
  const told = JSON.stringify([...moyo.history, ...(await page(grace.id)).history])
  expect(told).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|\d\.\d{4}-\d\d-\d\d|student \d|item \d|user \d/)
})

test('it is for the features that show families, and there is none of an administrator', async () => {
  for (const feature of featureNames) {
    const by = await canteen.administrator(`page-${feature}`, feature)
    const status = await page(mutinta.id, by).then(
      () => 200,
      (error: { status: number }) => error.status,
    )
    expect({ feature, status }).toEqual({ feature, status: isFor(feature) ? 200 : 403 })
  }
  expect(await refused(page(1))).toMatchObject({ status: 404, code: 'family_not_found' })
  expect(await refused(page(999_999))).toMatchObject({ status: 404, code: 'family_not_found' })
})
const isFor = (feature: FeatureName): boolean => familyFeatures.some((one) => one === feature)
