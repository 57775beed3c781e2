import type { QueryOf } from '#contracts/endpoint'
import { addStudent } from '#contracts/identity'
import { type CartLine, cancelOrder, placeOrders } from '#contracts/ordering'
import { createPayment, verifyPayment, openPayments } from '#contracts/payments'
import { type RecoverySort, listFailedOrders, recoverySorts } from '#contracts/payments-console'
import { paymentMeasures } from '#modules/payments/settlement/unfinished.rows'
import type { Client } from '../../src/app/demo/client'
import { refused } from '../ordering/canteen'
import { mailTo } from '../support/mails'
import { type AlternativeCanteen, openAlternativeCanteen, order } from './alternative-canteen'

let canteen: AlternativeCanteen
beforeAll(async () => {
  canteen = await openAlternativeCanteen({}, { whole: true })
  await canteen.set({ enabled: false, beside: true })
})
afterAll(() => canteen.close())

describe('recovery list', () => {
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
    office = await canteen.administrator('office', 'order_recovery')
    token = await paid('zita', 0, [2], underpaid)
    await paid('Abel', 1, [2, 3], underpaid)
    await paid('mary', 2, [4], blocked)
  })

  type Query = QueryOf<typeof listFailedOrders>
  const read = (query: Query = {}) => office.call(listFailedOrders, { query })
  const customers = async (query: Query = {}) => (await read(query)).data.map(({ customer }) => customer)

  const ascending: Record<Exclude<RecoverySort, 'reference'>, string[]> = {
    date: ['zita', 'Abel', 'mary'],
    customer: ['Abel', 'mary', 'zita'],
    amount: ['zita', 'mary', 'Abel'],
    status: ['mary', 'zita', 'Abel'],
  }

  test('those that only a person gets on with are asked for together', async () => {
    expect(await customers({ status: 'waiting', sort: 'date', direction: 'asc' })).toEqual([
      'zita',
      'Abel',
      'mary',
    ])
    await pool().query(`update payments.attempts set status = 'declined' where token = $1`, [token])
    expect(await customers({ status: 'waiting', sort: 'date', direction: 'asc' })).toEqual(['Abel', 'mary'])
    await pool().query(`update payments.attempts set status = 'review' where token = $1`, [token])
  })

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
      cartItems: [
        expect.objectContaining({ code: 'day_blocked', reason: 'The school is closed on this day' }),
      ],
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
})

describe('open payments', () => {
  beforeEach(() => canteen.set({ enabled: false, beside: true }))

  const open = async (client: Client) => (await client.call(openPayments)).data
  const payByAirtel = (client: Client, cartItems: CartLine[]) =>
    client.call(placeOrders, { body: { cartItems, payBy: 'airtel' } })

  test('what a family has yet to pay is there with reference, amount and number, as in its mail, until it is verified', async () => {
    const parent = await canteen.parent('mwila', { email: 'mwila@example.com' })
    const child = await parent.call(addStudent, { body: { name: 'mwila', grade: '9' } })
    expect(await open(parent)).toEqual([])
    const { orders, payment } = await payByAirtel(
      parent,
      [2, 3].map((day) => canteen.stewFor(child, day)),
    )
    const [shown, ...others] = await open(parent)
    expect(others).toEqual([])
    expect(shown).toMatchObject({
      reference: payment!.reference,
      amount: 91,
      payBy: 'airtel',
      placedAt: orders[0]!.orderDate,
      lapsesAt: null,
      orders: orders.map(({ id }) => ({ id, payBy: 'airtel', paymentStatus: 'pending' })),
      instructions: payment!.instructions,
    })
    const { text } = await mailTo(canteen, 'mwila@example.com', 'How to pay')
    for (const said of [shown!.reference, 'K91.00', shown!.instructions.airtelMoney!.number])
      expect(text).toContain(said)
    await canteen.verify([orders[0]!.id])
    expect(await open(parent)).toMatchObject([{ amount: 45.5, orders: [{ id: orders[1]!.id }] }])
    await canteen.verify([orders[1]!.id])
    expect(await open(parent)).toEqual([])
  })

  test('each checkout stands by itself, the oldest first; what is cancelled is not to be paid', async () => {
    const { parent, children } = await canteen.family('grace', '9')
    const first = await payByAirtel(parent, [canteen.stewFor(children[0]!, 2)])
    await canteen.set({ enabled: true, beside: false })
    const second = await order(parent, [canteen.stewFor(children[0]!, 3)])
    await canteen.set({ enabled: false, beside: false })
    expect((await open(parent)).map(({ reference, payBy }) => [reference, payBy])).toEqual([
      [first.payment!.reference, 'airtel'],
      [second.payment!.reference, 'other'],
    ])
    expect((await open(parent))[1]!.instructions).toMatchObject({ airtelMoney: {}, bankTransfer: {} })
    await parent.call(cancelOrder, { params: { id: first.orders[0]!.id } })
    expect((await open(parent)).map(({ reference }) => reference)).toEqual([second.payment!.reference])
  })

  test('nobody sees what another family has to pay, and an administrator has a list of their own', async () => {
    const { parent, children } = await canteen.family('chola', '9')
    await payByAirtel(parent, [canteen.stewFor(children[0]!, 5)])
    const { parent: other } = await canteen.family('luyando')
    expect(await open(other)).toEqual([])
    expect(await refused(canteen.superadminClient.call(openPayments))).toMatchObject({ status: 403 })
  })
})

describe('measures', () => {
  let token: string

  const scraped = async (name: string) => {
    const page = await (await canteen.visitor().fetch('/metrics')).text()
    return page
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1)
  }

  test('a payment that waits for its parent is counted where a scraper looks', async () => {
    expect(await scraped('tuckshop_attempts{state="initiated"}')).toBe('0')
    const parent = await canteen.parent('measured', { email: 'measured@example.org' })
    const child = await parent.call(addStudent, { body: { name: 'Chipo', grade: '9' } })
    const body = { amount: 45.5, cartItems: [canteen.stewFor(child, 2)] }
    ;({ TransToken: token } = await parent.call(createPayment, { body }))
    expect(await scraped('tuckshop_attempts{state="initiated"}')).toBe('1')
    expect(await scraped('tuckshop_attempts_paid_without_orders')).toBe('0')
  })

  test('money that waits for its orders for more than five minutes is an alert', async () => {
    const { database } = canteen.infrastructure
    const paidAt = new Date('2026-09-14T05:00:00Z')
    // The row as the view writes it; nothing else reads it before this test file ends.
    await database.pool.query(
      `update payments.attempts set status = 'paid', since_at = $1 where token = $2`,
      [paidAt, token],
    )
    const waiting = (minutes: number) => {
      const now = () => new Date(paidAt.getTime() + minutes * 60_000)
      const alert = paymentMeasures({ database, now }).find(({ name }) =>
        name.endsWith('paid_without_orders'),
      )
      return alert!.label === undefined ? alert!.value() : 'labelled'
    }
    expect(await waiting(5)).toBe(0)
    expect(await waiting(5.01)).toBe(1)
  })
})
