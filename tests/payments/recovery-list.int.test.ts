import type { QueryOf } from '#contracts/endpoint'
import { createPayment, verifyPayment } from '#contracts/payments'
import { listFailedOrders, recoverySorts, type RecoverySort } from '#contracts/payments-console'
import type { Client } from '../../src/app/demo/client'
import { openCanteen, refused, type Canteen } from '../ordering/canteen'

let canteen: Canteen
let office: Client

const pool = () => canteen.infrastructure.database.pool

/** Stew on these days of week 1, begun at this minute and paid; `meanwhile` happens before anybody can know. */
const paid = async (
  username: string,
  minute: number,
  days: number[],
  meanwhile: (token: string) => Promise<unknown>,
) => {
  canteen.setClock(`2026-09-14T07:0${minute}:00+02:00`)
  const { parent, children } = await canteen.payingFamily(username, '9')
  const cartItems = days.map((day) => canteen.stewFor(children[0]!, day))
  const body = { amount: days.length * 45.5, cartItems }
  const { TransToken } = await parent.call(createPayment, { body })
  await canteen.visitor().fetch(`/sandbox/pay/${TransToken}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'outcome=slow&card=4111111111111111',
  })
  await meanwhile(TransToken)
  canteen.setClock(`2026-09-14T07:0${minute + 2}:30+02:00`)
  await parent.call(verifyPayment, { params: { transactionId: TransToken } })
  return TransToken
}
const underpaid = (token: string) =>
  pool().query(
    `update payments.sandbox_transactions set state = jsonb_set(state, '{tag}', '"UNDER"') where token = $1`,
    [token],
  )
const blocked = () => pool().query('insert into cycles.blocked_days values ($1, 1, 4)', [canteen.cycle.id])

let token: string
/** zita's and Abel's payments do not match what was asked for, mary's day is blocked meanwhile. */
beforeAll(async () => {
  canteen = await openCanteen()
  office = await canteen.administrator('office', 'order_recovery')
  token = await paid('zita', 0, [2], underpaid)
  await paid('Abel', 1, [2, 3], underpaid)
  await paid('mary', 2, [4], blocked)
})
afterAll(() => canteen.close())

type Query = QueryOf<typeof listFailedOrders>
const read = (query: Query = {}) => office.call(listFailedOrders, { query })
const customers = async (query: Query = {}) => (await read(query)).data.map(({ customer }) => customer)

const ascending: Record<Exclude<RecoverySort, 'reference'>, string[]> = {
  date: ['zita', 'Abel', 'mary'],
  customer: ['Abel', 'mary', 'zita'],
  amount: ['zita', 'mary', 'Abel'],
  status: ['mary', 'zita', 'Abel'],
}

test.each(Object.entries(ascending))(
  'failed attempts are sorted by %s both ways, equal ones as they were begun',
  async (key, expected) => {
    const sort = key as RecoverySort
    expect(await customers({ sort, direction: 'asc' })).toEqual(expected)
    expect(await customers({ sort, direction: 'desc' })).toEqual(expected.toReversed())
  },
)

test.each(recoverySorts)('sorted by %s a page goes on where the one before ended', async (sort) => {
  const all = await customers({ sort })
  expect(await customers({ sort, limit: 2 })).toEqual(all.slice(0, 2))
  expect(await customers({ sort, limit: 2, page: 2 })).toEqual(all.slice(2))
})

test('by reference', async () => {
  const { data, metadata } = await read({ sort: 'reference', direction: 'asc' })
  const references = data.map(({ paymentRef }) => paymentRef)
  expect(references).toEqual(references.toSorted())
  expect(metadata).toMatchObject({ total: 3, page: 1, pageSize: 50, totalPages: 1 })
})

test('without an order the newest are first, with everything that the whole list says', async () => {
  expect(await customers()).toEqual(ascending.date.toReversed())
  expect((await read()).data[0]).toMatchObject({
    status: 'Cannot create orders for blocked days',
    error: 'The school is closed on this day',
    code: 'day_blocked',
    codes: ['day_blocked'],
    cartItems: [expect.objectContaining({ code: 'day_blocked', reason: 'The school is closed on this day' })],
    students: [expect.objectContaining({ name: 'mary 9' })],
    allowed: { retry: true, amend: true, accept: false, waive: true },
  })
})

test('a row that nothing hinders but the money has no code', async () => {
  const { code, codes, cartItems } = (await read({ text: 'zita' })).data[0]!
  expect([code, codes]).toEqual([undefined, undefined])
  expect(cartItems).toEqual([expect.not.objectContaining({ code: expect.anything() })])
})

test('a status and a text narrow it', async () => {
  expect(await customers({ status: 'Payment verification failed' })).toEqual(['Abel', 'zita'])
  expect(await customers({ text: 'ABEL' })).toEqual(['Abel'])
  expect(await customers({ text: 'mary 9' })).toEqual(['mary'])
  expect(await customers({ text: token.toLowerCase() })).toEqual(['zita'])
  const { paymentRef } = (await read({ text: 'zita' })).data[0]!
  expect(await customers({ text: paymentRef.toLowerCase() })).toEqual(['zita'])
  expect(await customers({ text: 'abel', status: 'Recovery in progress' })).toEqual([])
})

test.each([{ sort: 'error' }, { direction: 'up' }, { limit: 0 }, { status: 'Failed' }])(
  'a query of %j is refused',
  async (query) => {
    expect(await refused(read(query as never))).toMatchObject({ status: 422, code: 'validation_failed' })
  },
)

test('without the feature it is refused', async () => {
  const other = await canteen.administrator('kitchen', 'kitchen')
  expect((await refused(other.call(listFailedOrders))).status).toBe(403)
})
