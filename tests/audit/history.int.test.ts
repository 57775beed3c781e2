import { auditEntries, maintenanceNow } from '#contracts/audit'
import { attemptHistory, orderHistory } from '#contracts/payments-console'
import { rebuildViews } from '#platform/projections/rebuild-views'
import { refused } from '../ordering/canteen'
import { openFinance, whatHappened, type Finance } from './finance'
import { attemptId as cardAttempt } from './sample-events'

let school: Finance
beforeAll(async () => {
  school = await openFinance()
})
afterAll(() => school.close())

const entries = (query: object = {}) => school.bursar.call(auditEntries, { query })
const historyOf = async (id: string) => (await school.bursar.call(orderHistory, { params: { id } })).data
const attemptOf = async (orderId: string) =>
  (await entries({ about: orderId })).data.find(({ attemptId }) => attemptId !== null)!.attemptId!

test("an order's history is its whole life: checkout, day, payment, cancelling, refund", async () => {
  const history = await historyOf(school.refunded.id)
  expect(history.map(({ schoolTime, who, what, amount }) => [schoolTime, who, what, amount])).toEqual([
    ['2026-09-14 07:00', 'mwila', 'The unpaid meals of the account were counted', null],
    [
      '2026-09-14 07:00',
      'mwila',
      'Checkout of 2 meals for K91.00 begun, to be paid by mobile money or bank',
      91,
    ],
    [
      '2026-09-14 07:00',
      'mwila',
      `Ordered Stew for ${school.mwila.children[0]!.name} on 2026-09-15 (week 1, Tuesday)`,
      45.5,
    ],
    ['2026-09-14 07:00', 'mwila', '2 orders made from the checkout', null],
    [
      '2026-09-14 07:10',
      'superadmin',
      'K45.50 by mobile money or bank confirmed: it pays 1 meal of mwila',
      45.5,
    ],
    ['2026-09-14 07:10', 'superadmin', 'Payment for the order confirmed', 45.5],
    ['2026-09-14 07:10', 'Tuckshop (prove transfers)', 'The payment is on a statement now', null],
    ['2026-09-14 07:20', 'mwila', 'Order cancelled by the parent', 45.5],
    [
      '2026-09-14 07:20',
      expect.stringMatching(/^Tuckshop \(settle refunds?\)$/),
      `K45.50 owed back for Stew (${school.mwila.children[0]!.name}): the order was cancelled`,
      45.5,
    ],
    ['2026-09-14 07:30', 'bursar', 'Order marked as refunded', 45.5],
    ['2026-09-14 07:30', 'bursar', 'K45.50 paid back (cash)', 45.5],
  ])
  expect(history[1]).toMatchObject({ at: '2026-09-14T05:00:00.000Z', details: { Meals: expect.any(String) } })
  expect(history.at(-1)!.details).toEqual({ Note: '=1+1' })
})

test("a sibling order's events are not part of it, those of its attempt are", async () => {
  const what = (await historyOf(school.unpaid.id)).map((entry) => entry.what)
  expect(what).toHaveLength(4)
  expect(what[2]).toContain('2026-09-16')
})

test("an attempt's history has all of its orders and refunds", async () => {
  const what = await whatHappened(school.bursar, await attemptOf(school.unpaid.id))
  expect(what).toHaveLength(12)
  expect(what.filter(([text]) => String(text).startsWith('Ordered'))).toHaveLength(2)
})

test('a card payment is told with the answer of the provider, without its token', async () => {
  const { data } = await school.bursar.call(attemptHistory, { params: { id: cardAttempt } })
  expect(data.map(({ who }) => who)).toEqual(['Tuckshop (sweep payments)', 'Tuckshop (sweep payments)'])
  expect(data[1]).toMatchObject({
    amount: 45,
    details: { 'Provider answer': '000 Transaction Paid for …abcd', Card: 'VISA ending 1234' },
  })
})

test.each([['0199a000-0000-7000-8000-00000000dead'], ['999999999'], ["x' or true--"]])(
  'there is no history of %s',
  async (id) => {
    expect(await refused(school.bursar.call(attemptHistory, { params: { id } }))).toMatchObject({
      status: 404,
      code: 'attempt_not_found',
    })
    expect(await refused(school.bursar.call(orderHistory, { params: { id } }))).toMatchObject({
      status: 404,
      code: 'order_not_found',
    })
  },
)

test('those who look after payments may read it, others may not', async () => {
  const call = (client: Finance['bursar']) =>
    client.call(orderHistory, { params: { id: school.unpaid.id } }).then(
      () => 'read',
      () => 'refused',
    )
  for (const feature of ['live_orders', 'order_recovery', 'refunds', 'history'] as const)
    expect([feature, await call(await school.administrator(`only.${feature}`, feature))]).toEqual([
      feature,
      'read',
    ])
  expect(await call(await school.administrator('only.kitchen', 'kitchen', 'menu'))).toBe('refused')
  expect(await call(school.mwila.parent)).toBe('refused')
})

describe('the list', () => {
  test('is newest first, with each event numbered and hashed', async () => {
    const { data, pagination } = await entries()
    expect(pagination).toMatchObject({ page: 1, totalPages: 1, hasNextPage: false })
    expect(data).toHaveLength(pagination.totalEntries)
    expect(data.map(({ number }) => number)).toEqual(data.map((_entry, index) => data.length - index))
    for (const { hash } of data) expect(hash).toMatch(/^[0-9a-f]{64}$/)
  })

  test.each([
    ['a kind', { kind: 'refund' }, 4],
    ['another kind', { kind: 'provider' }, 0],
    ['a user by part of the name', { who: 'WIL' }, 6],
    ['what did it by itself', { who: 'sweep payments' }, 2],
    ['nobody', { who: 'n%b_dy' }, 0],
    ['an amount', { minAmount: '45.50' }, 10],
    ['a greater amount', { minAmount: '45.51' }, 1],
    ['a day', { from: '2026-09-14', to: '2026-09-14' }, 18],
    ['the day before', { to: '2026-09-13' }, 0],
    ['the day after', { from: '2026-09-15' }, 0],
    ['something that is not there', { about: '7.2026-09-14.1' }, 0],
    ['an attempt', { about: cardAttempt }, 2],
    ['two things at once', { kind: 'payment', who: 'superadmin' }, 2],
  ])('can be asked for by %s', async (_what, query, count) => {
    const { data, pagination } = await entries(query)
    expect([data.length, pagination.totalEntries]).toEqual([count, count])
  })

  test('can be asked for by an order, which brings its attempt with it', async () => {
    expect((await entries({ about: school.refunded.id })).data).toHaveLength(11)
  })

  test.each([
    [{ from: '2026-02-31' }],
    [{ to: 'yesterday' }],
    [{ kind: 'gossip' }],
    [{ minAmount: '-1' }],
    [{ page: 'x' }],
  ])('refuses %j', async (query) => {
    expect((await refused(entries(query))).status).toBe(422)
  })

  test('is for finance', async () => {
    const revenue = await school.administrator('revenue', 'revenue')
    expect((await revenue.call(auditEntries)).data.length).toBeGreaterThan(0)
    const refunds = await school.administrator('refunds', 'refunds')
    expect((await refused(refunds.call(auditEntries))).status).toBe(403)
  })
})

test('rebuilt from the events it is the same, and the chain is left alone', async () => {
  const { database } = school.infrastructure
  const chain = async () => (await database.pool.query('select * from audit.chain order by number')).rows
  const before = [await entries(), await chain()]
  await rebuildViews({
    ...school.infrastructure,
    contexts: school.modules.filter(({ name }) => name === 'audit'),
    onProgress: () => undefined,
  })
  expect([await entries(), await chain()]).toEqual(before)
})

test('every administrator can see what is being done to the school as a whole', async () => {
  const running = async () => (await school.bursar.call(maintenanceNow)).running
  expect(await running()).toBeNull()
  await school.infrastructure.maintenance.run('rebuild', async () => {
    expect(await running()).toEqual({ what: 'rebuild', since: expect.any(String) })
  })
  expect(await running()).toBeNull()
  expect((await refused(school.mwila.parent.call(maintenanceNow))).status).toBe(403)
})
