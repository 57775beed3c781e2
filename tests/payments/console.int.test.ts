import { createMenuItem, deleteMenuItem } from '#contracts/catalogue'
import type { QueryOf } from '#contracts/endpoint'
import { addStudent, deleteStudent } from '#contracts/identity'
import { listOrders } from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import {
  type LiveSort,
  acceptMismatch,
  failedOrders,
  listFailedOrders,
  paidMeanwhile,
  liveOrders,
  retryAttempt,
  setAttemptStatus,
  waiveRemainder,
  liveSorts,
} from '#contracts/payments-console'
import type { Client } from '../../src/app/demo/client'
import { payByCard } from '../../src/app/demo/ordering'
import { type Canteen, openCanteen, refused, place } from '../ordering/canteen'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen({ ROLE: 'web' })
})
afterAll(() => canteen.close())

describe('console', () => {
  beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

  const pool = () => canteen.infrastructure.database.pool

  /** Blocks a day of the cycle after meals were sold for it, for which there is no screen. */
  const block = (day: number) =>
    pool().query('insert into cycles.blocked_days values ($1, 1, $2)', [canteen.cycle.id, day])
  const unblock = (day: number) =>
    pool().query('delete from cycles.blocked_days where week = 1 and day = $1', [day])

  /** Makes the provider tell otherwise of a token (payments.md section 10). */
  const tagged = (tag: string) => (token: string) =>
    pool().query(
      `update payments.sandbox_transactions set state = jsonb_set(state, '{tag}', to_jsonb($2::text))
     where token = $1`,
      [token, tag],
    )

  /** Stew on these days of week 1, paid on the provider's page; `meanwhile` happens before anybody can know. */
  const paid = async (
    username: string,
    days: number[],
    meanwhile: (token: string) => Promise<unknown> = async () => {},
  ) => {
    const parent = await canteen.parent(username, { email: `${username}@example.org` })
    const child = await parent.call(addStudent, { body: { name: `Child of ${username}`, grade: '9' } })
    const cartItems = days.map((day) => canteen.stewFor(child, day))
    const body = { amount: days.length * 45.5, cartItems }
    const { TransToken } = await parent.call(createPayment, { body })
    await canteen.visitor().fetch(`/sandbox/pay/${TransToken}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'outcome=slow&card=4111111111111111',
    })
    await meanwhile(TransToken)
    canteen.setClock('2026-09-14T07:03:00+02:00')
    return { parent, child, TransToken }
  }
  const verify = (client: Client, transactionId: string) =>
    client.call(verifyPayment, { params: { transactionId } })
  const live = async (transactionId: string) =>
    (await canteen.superadminClient.call(liveOrders, { query: { transactionId } })).data[0]!
  const recovered = {
    success: true,
    status: 'Orders created successfully',
    message: 'Order recovery initiated successfully',
  }

  test('an underpaid payment is looked at by a person, and accepted with a reason', async () => {
    const { parent, TransToken } = await paid('mwila', [2], tagged('UNDER'))
    expect(await verify(parent, TransToken)).toMatchObject({ success: false, TransactionStatus: 'initiated' })
    const attempt = await live(TransToken)
    expect(attempt).toMatchObject({ status: 'Failed', state: 'review', isRecovered: false })
    expect(attempt).toMatchObject({ amount: 45.5, receivedAmount: expect.any(Number) })
    expect(attempt.receivedAmount).toBeLessThan(45.5)
    const [listed] = await canteen.superadminClient.call(failedOrders, { query: {} })
    expect(listed).toMatchObject({ amount: 45.5, receivedAmount: attempt.receivedAmount })
    expect(attempt.allowed).toEqual({ retry: true, verify: false, abandon: false, accept: true, waive: true })
    const recovery = await canteen.administrator('recovery', 'order_recovery')
    const accept = (reason: string) =>
      recovery.call(acceptMismatch, { params: { id: attempt.id }, body: { reason } })
    expect((await refused(accept('no'))).status).toBe(422)
    expect(await accept('Bank fee of one ngwee')).toEqual(recovered)
    expect(await parent.call(listOrders)).toHaveLength(1)
    expect(await live(TransToken)).toMatchObject({ status: 'Orders created successfully', isRecovered: true })
    expect(await refused(accept('once more'))).toMatchObject({ status: 409, code: 'nothing_to_accept' })
  })

  test('a blocked day: the rest is ordered, the parent told, and the remainder waived', async () => {
    const { parent, TransToken } = await paid('grace', [2, 3], () => block(3))
    const answer = await verify(parent, TransToken)
    expect(answer).toMatchObject({
      success: true,
      attention: [expect.stringContaining('closed on this day')],
    })
    const attempt = await live(TransToken)
    expect(attempt.cartItems.map(({ orderId, reason }) => [orderId !== null, reason])).toEqual([
      [true, null],
      [false, 'The school is closed on this day'],
    ])
    const [listed] = await canteen.superadminClient.call(failedOrders, { query: { status: 'BLOCKED DAYS' } })
    expect(listed).toMatchObject({
      id: attempt.id,
      error: 'The school is closed on this day',
      customer: 'grace',
    })
    const params = { id: attempt.id }
    expect(await canteen.superadminClient.call(retryAttempt, { params })).toEqual({
      success: false,
      status: 'Cannot create orders for blocked days',
      message: expect.stringMatching(
        /^1 of 2 meals could not be ordered: The school is closed on this day\. /,
      ),
    })
    const waived = await canteen.superadminClient.call(waiveRemainder, {
      params,
      body: { reason: 'School closed' },
    })
    expect(waived).toEqual({ message: 'Refund of K45.50 due' })
    expect(await live(TransToken)).toMatchObject({ status: 'Failed', isRecovered: true, state: 'refund_due' })
    await unblock(3)
  })

  test('a retry of a declined payment says that it made nothing, and the parent can pay anew', async () => {
    const { parent, TransToken } = await paid('chola', [2], tagged('CODE901'))
    await verify(parent, TransToken)
    const { id, state } = await live(TransToken)
    expect(state).toBe('declined')
    expect(await canteen.superadminClient.call(retryAttempt, { params: { id } })).toEqual({
      success: false,
      status: 'Payment verification failed',
      message: expect.stringContaining('The parent can order and pay again.'),
    })
    expect(await parent.call(listOrders)).toEqual([])
  })

  test('a declined payment whose meals another has paid for since says so, and offers no retry', async () => {
    const { parent, child, TransToken } = await paid('luyando', [2, 3], tagged('CODE901'))
    await verify(parent, TransToken)
    const failed = async () =>
      (await canteen.superadminClient.call(failedOrders, { query: {} })).find(
        ({ customer }) => customer === 'luyando',
      )
    const offers = async () => {
      const [shown, listed] = [await live(TransToken), await failed()]
      return [shown, listed].map((one) => [one?.paidWith, one?.allowed.retry])
    }
    const recoverable = async () => {
      const totals: number[] = []
      for (const query of [{ text: 'luyando' }, { text: 'luyando', status: paidMeanwhile } as const])
        totals.push((await canteen.superadminClient.call(listFailedOrders, { query })).metadata.total)
      return totals
    }
    canteen.setClock('2026-09-14T07:04:00+02:00')
    await payByCard(parent, [canteen.stewFor(child, 2)], 'pay')
    expect(await recoverable()).toEqual([1, 0])
    // One of its two meals is not paid.
    expect(await offers()).toEqual([
      [null, true],
      [null, true],
    ])
    await payByCard(parent, [canteen.stewFor(child, 3)], 'pay')
    const { data } = await canteen.superadminClient.call(liveOrders, { query: { parent: 'luyando' } })
    const references = data.filter(({ state }) => state === 'fulfilled').map(({ reference }) => reference)
    expect(references).toHaveLength(2)
    const said = [expect.arrayContaining(references), false]
    expect(await offers()).toEqual([said, said])
    expect(await recoverable()).toEqual([0, 1])
    expect(data.map(({ parentName, username }) => [username, parentName])).toContainEqual([
      'luyando',
      expect.stringMatching(/\w/),
    ])
  })

  test('Order Recovery moves a meal to another day, and the parent cannot', async () => {
    const { parent, child, TransToken } = await paid('natasha', [4], () => block(4))
    await verify(parent, TransToken)
    const { id } = await live(TransToken)
    const item = { menuItemId: canteen.items.stew.id, studentId: child.id, weekNumber: 1, category: 'beef' }
    const retry = (client: Client, dayOfWeek: number) =>
      client.call(retryAttempt, { params: { id }, body: { cartItems: [{ ...item, dayOfWeek }] } })
    expect((await refused(retry(parent, 5))).status).toBe(403)
    const sister = await parent.call(addStudent, { body: { name: 'A sister', grade: '10' } })
    const shown = await canteen.superadminClient.call(failedOrders, { query: {} })
    expect(shown.find((one) => one.id === id)?.students?.map((one) => one.id)).toEqual([child.id, sister.id])
    const office = await canteen.administrator('mover', 'order_recovery')
    expect(await retry(office, 5)).toEqual(recovered)
    expect(await parent.call(listOrders)).toMatchObject([{ dayOfWeek: 5, discountedPrice: 45.5 }])
    expect(await refused(retry(office, 5))).toMatchObject({ status: 409, code: 'nothing_to_recover' })
    await unblock(4)
  })

  test('a meal that is being paid for keeps its item and its child from being deleted', async () => {
    const parent = await canteen.parent('keeper', { email: 'keeper@example.org' })
    const child = await parent.call(addStudent, { body: { name: 'Kept', grade: '9' } })
    const { id: _id, isArchived: _archived, ...fields } = canteen.items.stew
    const soup = await canteen.superadminClient.call(createMenuItem, { body: { ...fields, name: 'Soup' } })
    const line = { ...canteen.stewFor(child, 2), menuItemId: soup.id }
    const { TransToken } = await parent.call(createPayment, { body: { amount: 45.5, cartItems: [line] } })
    const remove = () => canteen.superadminClient.call(deleteMenuItem, { params: { id: soup.id } })
    const removeChild = () => parent.call(deleteStudent, { params: { id: child.id } })
    expect((await refused(remove())).status).toBe(409)
    expect((await refused(removeChild())).status).toBe(409)
    await verify(parent, TransToken)
    const params = { transactionId: TransToken }
    const other = canteen.superadminClient.call(setAttemptStatus, { params, body: { status: 'Failed' } })
    expect(await refused(other)).toMatchObject({ status: 400, code: 'unknown_status' })
    await canteen.superadminClient.call(setAttemptStatus, {
      params,
      body: { status: 'Payment Abandoned' },
    })
    await remove()
    await removeChild()
  })

  test("an attempt that is nobody's is not found", async () => {
    const params = { id: '0199c0de-0000-7000-8000-00000000dead' }
    const body = { reason: 'because' }
    for (const calling of [
      () => canteen.superadminClient.call(retryAttempt, { params }),
      () => canteen.superadminClient.call(acceptMismatch, { params, body }),
      () => canteen.superadminClient.call(waiveRemainder, { params, body }),
      () => canteen.superadminClient.call(retryAttempt, { params: { id: 'nonsense' } }),
    ])
      expect(await refused(calling())).toMatchObject({ status: 404, code: 'attempt_not_found' })
  })

  const found = async (query: Record<string, string>) =>
    (await canteen.superadminClient.call(liveOrders, { query })).data.map(
      ({ transactionId }) => transactionId,
    )

  describe('the filters of Live Orders', () => {
    let token: string
    beforeAll(async () => {
      const { parent, TransToken } = await paid('Filtered', [1, 5])
      await verify(parent, TransToken)
      token = TransToken
    })
    test.each([
      ['parent', 'FILTER', true],
      ['parent', 'nobody-like-this', false],
      ['student', 'child OF filt', true],
      ['student', 'child of nobody', false],
      ['items', 'stew', true],
      ['items', 'porridge', false],
      ['amount', '91', true],
      ['amount', 'K 91.00', true],
      ['amount', '91.01', false],
      ['amount', 'cheap', false],
      ['status', 'successfully', true],
      ['status', 'abandoned', false],
      ['week', '1', true],
      ['week', '2', false],
      ['day', '5', true],
      ['day', 'friday', true],
      ['day', 'Tuesday', false],
      ['day', "1'; drop table", false],
      ['time', '2026-09-14', true],
      ['time', '14 Sep 2026', true],
      ['time', '07:00', true],
      ['time', '2026-09-15', false],
      ['page', '99', false],
    ])('%s %s: %s', async (filter, text, isFound) =>
      expect((await found({ [filter]: text })).includes(token)).toBe(isFound),
    )

    test('pages and totals; a page beyond the last still tells how many there are', async () => {
      const { data, pagination } = await canteen.superadminClient.call(liveOrders)
      expect(pagination).toEqual({
        page: 1,
        totalOrders: data.length,
        totalPages: 1,
        hasPreviousPage: false,
        hasNextPage: false,
      })
      const beyond = await canteen.superadminClient.call(liveOrders, { query: { page: 2 } })
      expect(beyond).toMatchObject({
        data: [],
        pagination: { totalOrders: data.length, hasPreviousPage: true },
      })
    })
  })
})

describe('live orders list', () => {
  type Query = QueryOf<typeof liveOrders>

  let office: Client

  // The fourth week is theirs.
  const weekNumber = 4
  const pay = (client: Client, cartItems: ReturnType<Canteen['stewFor']>[]) =>
    client.call(createPayment, { body: { amount: cartItems.length * 45.5, cartItems } })

  /** At seven zita's stew by card, then a minute apart Abel's two stews by card, Abel's free porridge, mary's stew by card. */
  beforeAll(async () => {
    office = await canteen.administrator('office', 'live_orders')
    const zita = await canteen.payingFamily('zita', '9')
    const abel = await canteen.payingFamily('Abel', '9', '1')
    const mary = await canteen.payingFamily('mary', '9')
    const second = (at: number) => canteen.setClock(`2026-09-14T07:00:0${at}+02:00`)
    const stewOf = ({ children }: typeof zita, day: number) =>
      canteen.stewFor(children[0]!, day, { weekNumber })
    second(0)
    await pay(zita.parent, [stewOf(zita, 2)])
    second(1)
    await pay(abel.parent, [stewOf(abel, 2), stewOf(abel, 3)])
    second(2)
    await place(abel.parent, [canteen.porridgeFor(abel.children[1]!, 2, { weekNumber })])
    second(3)
    await pay(mary.parent, [stewOf(mary, 2)])
  })

  const read = (query: Query = {}) =>
    office.call(liveOrders, { query: { week: String(weekNumber), ...query } })
  const begun = ['zita :00', 'Abel :01', 'Abel :02', 'mary :03'] as const
  const names = async (query: Query = {}) =>
    (await read(query)).data.map(({ username, createdAt }) => `${username} :${createdAt.slice(17, 19)}`)

  const [zita, twoStews, porridge, mary] = begun
  const ascending: Record<Exclude<LiveSort, 'transactionId'>, string[]> = {
    time: [zita, twoStews, porridge, mary],
    parent: [twoStews, porridge, mary, zita],
    student: [porridge, twoStews, mary, zita],
    items: [porridge, zita, twoStews, mary],
    amount: [porridge, zita, mary, twoStews],
    status: [porridge, zita, twoStews, mary],
  }

  test.each(Object.entries(ascending))(
    'attempts are sorted by %s both ways, equal ones as they were begun',
    async (key, expected) => {
      const sort = key as LiveSort
      expect(await names({ sort, direction: 'asc' })).toEqual(expected)
      expect(await names({ sort, direction: 'desc' })).toEqual(expected.toReversed())
    },
  )

  test('by transaction id those without one come first', async () => {
    const { data } = await read({ sort: 'transactionId', direction: 'asc' })
    const ids = data.map(({ transactionId }) => transactionId ?? '')
    expect(ids[0]).toBe('')
    expect(ids).toEqual(ids.toSorted())
    expect(await names({ sort: 'transactionId', direction: 'desc' })).toEqual(
      data.map(({ username, createdAt }) => `${username} :${createdAt.slice(17, 19)}`).toReversed(),
    )
  })

  test('without an order the newest are first', async () => {
    expect(await names()).toEqual(begun.toReversed())
  })

  test.each(liveSorts)('sorted by %s a page goes on where the one before ended', async (sort) => {
    const all = await names({ sort, direction: 'asc' })
    const pages = [1, 2, 3].map((page) => names({ sort, direction: 'asc', page, limit: 2 }))
    expect(await Promise.all(pages)).toEqual([all.slice(0, 2), all.slice(2), []])
    expect((await read({ sort, page: 2, limit: 3 })).pagination).toEqual({
      page: 2,
      totalOrders: 4,
      totalPages: 2,
      hasPreviousPage: true,
      hasNextPage: false,
    })
  })

  test('what is filtered is sorted alike', async () => {
    expect(await names({ parent: 'ABEL', sort: 'amount', direction: 'asc' })).toEqual([porridge, twoStews])
    expect(await names({ items: 'stew', sort: 'parent', direction: 'desc' })).toEqual([zita, mary, twoStews])
    expect((await read({ items: 'stew', sort: 'parent' })).pagination.totalOrders).toBe(3)
    expect(await names({ parent: 'nobody', sort: 'parent' })).toEqual([])
  })

  test.each([{ sort: 'week' }, { direction: 'up' }, { limit: 0 }, { limit: 101 }, { page: 'two' }])(
    'a query of %j is refused',
    async (query) => {
      expect(await refused(read(query as never))).toMatchObject({ status: 422, code: 'validation_failed' })
    },
  )
})
