import { textOf, insideOf, readXml } from '../../src/modules/payments/providers/dpo-wire'
import { eventually } from '../support/eventually'
import { testDatabase, type TestDatabase } from '../support/postgres'
import { openShop, type Shop } from './shop'

let database: TestDatabase
let shop: Shop

beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  await database.database.pool.query('truncate payments.sandbox_transactions')
  shop = await openShop(database)
})
afterEach(() => shop.close())
afterAll(() => database.close())

const minute = 60_000

const due = async () => {
  const { rows } = await database.database.pool.query<{ push_at: Date | null }>(
    'select push_at from payments.sandbox_transactions where push_at is not null',
  )
  return rows.length
}

test('a paid token is pushed to the shop, which asks itself what has become of it', async () => {
  const { token, ref } = await shop.token({ reference: 'LP-1' })
  await shop.leave(token, { outcome: 'pay' })
  await eventually(async () => (await due()) === 0)
  expect(shop.pushed).toHaveLength(1)
  const { path, headers, body } = shop.pushed[0]!
  expect(path).toBe('/api/payments/push/secret')
  expect(headers['content-type']).toBe('application/xml; charset=utf-8')
  const read = readXml(body)
  const fields = insideOf(read.kind === 'read' ? read.elements : {}, 'API3G')!
  expect(
    ['Result', 'TransactionToken', 'TransactionRef', 'TransactionAmount', 'CompanyRef'].map((name) =>
      textOf(fields, name),
    ),
  ).toEqual(['000', token, ref, '145.00', null])
  await shop.sweep()
  expect(shop.pushed).toHaveLength(1)
})

test('so is one whose browser was closed', async () => {
  const { token } = await shop.token({ reference: 'LP-2' })
  await shop.leave(token, { outcome: 'close' })
  await eventually(() => expect(shop.pushed).toHaveLength(1))
})

test.each(['decline', 'cancel'])('nothing is pushed after %s', async (outcome) => {
  const { token } = await shop.token({ reference: 'LP-3' })
  await shop.leave(token, { outcome })
  await shop.sweep()
  expect(shop.pushed).toEqual([])
})

test.each(['pay', 'close', 'slow'])('a push may be lost: %s with push=off', async (outcome) => {
  const { token } = await shop.token({ reference: 'LP-4' })
  await shop.leave(token, { outcome, push: 'off' })
  shop.later(10 * minute)
  await shop.sweep()
  expect(shop.pushed).toEqual([])
})

test('a slow bank is pushed once it has paid, by the sweep', async () => {
  const { token } = await shop.token({ reference: 'LP-5' })
  await shop.leave(token, { outcome: 'slow' })
  shop.later(89_999)
  await shop.sweep()
  expect(shop.pushed).toEqual([])
  shop.later(1)
  await Promise.all([shop.sweep(), shop.sweep()])
  expect(shop.pushed).toHaveLength(1)
  expect(await due()).toBe(0)
})

test.each([
  [500, 'OK'],
  [200, 'no'],
  [302, 'OK'],
])('a push answered %d %s is repeated by the sweep, five times in all', async (status, push) => {
  Object.assign(shop.answers, { status, push })
  const { token } = await shop.token({ reference: 'LP-6' })
  await shop.leave(token, { outcome: 'pay' })
  await eventually(() =>
    expect(shop.log.lines.some(({ message }) => message.includes('was not taken'))).toBe(true),
  )
  await shop.sweep()
  expect(shop.pushed).toHaveLength(1)
  for (let again = 0; again < 6; again++) {
    shop.later(30_000)
    await shop.sweep()
  }
  expect(shop.pushed).toHaveLength(5)
  expect(await due()).toBe(0)
})

test('a push that was cut off goes out after a restart', async () => {
  Object.assign(shop.answers, { status: 503 })
  const { token } = await shop.token({ reference: 'LP-7' })
  await shop.leave(token, { outcome: 'pay' })
  await eventually(() => expect(shop.pushed).toHaveLength(1))
  await shop.close()
  shop = await openShop(database)
  expect(await shop.verify(token)).toMatchObject({ kind: 'says-paid' })
  shop.later(30_000)
  await shop.sweep()
  expect(shop.pushed.map(({ body }) => body.includes(token))).toEqual([true])
})

test('many payments at once are all pushed, some by the sweep', async () => {
  const tokens = await Promise.all(
    Array.from({ length: 12 }, async (_, one) => (await shop.token({ reference: `LP-8-${one}` })).token),
  )
  await Promise.all(tokens.map((token) => shop.leave(token, { outcome: 'pay' })))
  await shop.sweep()
  await eventually(async () => (await due()) === 0)
  expect(new Set(shop.pushed.map(({ body }) => /<TransactionToken>(.*?)</.exec(body)?.[1]))).toEqual(
    new Set(tokens),
  )
  expect(shop.pushed).toHaveLength(12)
})

test('a shop that never answers holds nothing up, and closing ends the push', async () => {
  shop.answers.silent = true
  const { token } = await shop.token({ reference: 'LP-9' })
  // The push would give up by itself; here it goes on until it is ended.
  jest.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal)
  expect(await shop.leave(token, { outcome: 'pay' })).toMatchObject({ status: 303 })
  await eventually(() => expect(shop.pushed).toHaveLength(1))
  expect(await due()).toBe(1)
  await shop.close()
  expect(shop.log.lines.map(({ message }) => message)).toContain(
    'a push of the sandbox provider was not taken',
  )
  shop = await openShop(database)
})
