import type { QueryOf } from '#contracts/endpoint'
import { setOrderStatus } from '#contracts/kitchen'
import { type Order, cancelOrder, listOrders } from '#contracts/ordering'
import { type RefundSort, completeRefund, listRefunds, ownRefunds, refundSorts } from '#contracts/refunds'
import { checkoutStarted, remainderWaived } from '#modules/payments/attempt/events'
import { paymentAttempt } from '#modules/payments/attempt/fold'
import { stampEvents } from '#platform/event-store/command-handler'
import { noStream } from '#platform/event-store/event-store'
import { openingEvents } from '#platform/event-store/sealed-events'
import type { Client } from '../../src/app/demo/client'
import { refused } from '../ordering/canteen'
import { attempt, tuesdayMeal } from '../ordering/lunches'
import { type AlternativeCanteen, openAlternativeCanteen, order } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import { expectRebuildEqualsLive } from '../support/rebuild-equals-live'

let canteen: AlternativeCanteen
let bursar: Client
beforeAll(async () => {
  canteen = await openAlternativeCanteen()
  bursar = await canteen.administrator('bursar', 'refunds')
})
afterAll(() => canteen.close())

describe('refunds', () => {
  beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

  const listed = async () => (await bursar.call(listRefunds)).data
  const listedOf = async (orderId: string) => (await listed()).find(({ id }) => id === orderId)
  const owed = (orderId: string) => eventually(async () => (await listedOf(orderId)) ?? false)
  const gone = (orderId: string) => eventually(async () => (await listedOf(orderId)) === undefined)
  const cancel = (client: Client, { id }: Order) => client.call(cancelOrder, { params: { id } })
  const complete = (id: string, body: object = {}, key?: string) =>
    bursar.call(completeRefund, {
      params: { id },
      body,
      headers: key === undefined ? undefined : { 'idempotency-key': key },
    })
  const set = async (id: string, status: 'pending' | 'cancelled') =>
    (await canteen.superadminClient.call(setOrderStatus, { body: { orderIds: [id], status } })).skipped.map(
      ({ code }) => code,
    )

  /** A family whose child's stew of Tuesday was ordered and, unless said otherwise, paid for. */
  const stewOf = async (username: string, paid = true) => {
    const family = await canteen.family(username, '9')
    const { orders } = await order(family.parent, [canteen.stewFor(family.children[0]!, 2)])
    if (paid) await canteen.verify([orders[0]!.id])
    return { ...family, stew: orders[0]! }
  }

  test('a paid order that is cancelled is owed back until it is marked as refunded', async () => {
    const { parent, children, stew } = await stewOf('mwila')
    canteen.setClock('2026-09-14T07:05:00+02:00')
    await cancel(parent, stew)
    expect(await owed(stew.id)).toEqual({
      id: stew.id,
      orderDate: '2026-09-14T05:00:00.000Z',
      student: { name: children[0]!.name, grade: '9' },
      menuItem: { name: 'Stew' },
      amount: 45.5,
      status: 'cancelled',
      reason: 'Order cancelled',
      dueSince: '2026-09-14T05:05:00.000Z',
      parent: { id: expect.any(Number), username: 'mwila', name: 'mwila', phone: null },
      payBy: 'other',
      paidFrom: { phone: '+260 97• ••• 111', own: false },
      reference: expect.stringMatching(/^LP-/),
      proof: 'statement',
      card: null,
      creditNote: null,
      approval: null,
      asked: null,
      allowed: { complete: true, card: false, check: false, approve: false, withdraw: false },
    })
    const done = await bursar.call(completeRefund, { params: { id: stew.id } })
    expect(done).toMatchObject({ status: 'refunded', amount: 45.5, allowed: { complete: false } })
    expect(await listedOf(stew.id)).toBeUndefined()
    expect(await parent.call(listOrders)).toMatchObject([{ id: stew.id, status: 'refunded' }])
    expect(await complete(stew.id)).toEqual(done)
    expect(await set(stew.id, 'pending')).toEqual(['already_refunded'])
  })

  const own = async (client: Client) => (await client.call(ownRefunds)).data

  test('a family sees what goes back for its own cancelled orders, and when it did', async () => {
    const { parent, stew } = await stewOf('chileshe')
    canteen.setClock('2026-09-14T07:05:00+02:00')
    await cancel(parent, stew)
    await owed(stew.id)
    const due = { orderId: stew.id, amount: 45.5, owed: 45.5, dueSince: '2026-09-14T05:05:00.000Z' }
    expect(await own(parent)).toEqual([{ ...due, doneAt: null, asCredit: false }])
    canteen.setClock('2026-09-14T09:00:00+02:00')
    await complete(stew.id, { amount: 20 })
    expect(await own(parent)).toMatchObject([{ owed: 25.5, doneAt: null }])
    await complete(stew.id)
    expect(await own(parent)).toMatchObject([{ ...due, owed: 0, doneAt: '2026-09-14T07:00:00.000Z' }])
    const { parent: other } = await canteen.family('other.family', '9')
    expect(await own(other)).toEqual([])
    expect(await refused(bursar.call(ownRefunds))).toMatchObject({ status: 403 })
  })

  test('free and unpaid orders are not owed back', async () => {
    const unpaid = await stewOf('natasha', false)
    const free = await canteen.family('kelvin', '2')
    const { orders } = await order(free.parent, [canteen.porridgeFor(free.children[0]!, 2)])
    await cancel(unpaid.parent, unpaid.stew)
    await cancel(free.parent, orders[0]!)
    const paid = await stewOf('joseph')
    await cancel(paid.parent, paid.stew)
    // Heard in order: once the third is owed, the first two have been looked at.
    await owed(paid.stew.id)
    expect(await listedOf(unpaid.stew.id)).toBeUndefined()
    expect(await listedOf(orders[0]!.id)).toBeUndefined()
  })

  test('a reopened order is owed nothing, cancelled again it is', async () => {
    const { parent, stew } = await stewOf('grace')
    await cancel(parent, stew)
    await owed(stew.id)
    expect(await set(stew.id, 'pending')).toEqual([])
    const answer = await refused(complete(stew.id))
    expect([answer.status, ['not_cancelled', 'refund_withdrawn'].includes(answer.code)]).toEqual([409, true])
    await gone(stew.id)
    expect(await refused(complete(stew.id))).toMatchObject({ status: 409, code: 'refund_withdrawn' })
    expect(await set(stew.id, 'cancelled')).toEqual([])
    await owed(stew.id)
  })

  test('in parts, by request, and never more than is owed', async () => {
    const { parent, stew } = await stewOf('chola')
    await cancel(parent, stew)
    await owed(stew.id)
    expect(await refused(complete(stew.id, { amount: 45.51 }))).toMatchObject({
      status: 422,
      code: 'refund_exceeds_due',
    })
    expect((await refused(complete(stew.id, { amount: 0 }))).status).toBe(422)
    expect((await refused(complete(stew.id, { amount: 1.005 }))).status).toBe(422)
    expect((await refused(complete(stew.id, { method: 'cow' }))).status).toBe(422)
    const part = { amount: 10.1, method: 'mobile_money', reference: 'MM-1' }
    const first = await complete(stew.id, part, 'chola-1')
    expect(first).toMatchObject({ amount: 35.4, status: 'cancelled', allowed: { complete: true } })
    expect(await complete(stew.id, part, 'chola-1')).toEqual(first)
    expect(await refused(complete(stew.id, { ...part, amount: 10 }, 'chola-1'))).toMatchObject({
      status: 409,
      code: 'idempotency_key_reused',
    })
    expect(await listedOf(stew.id)).toMatchObject({ amount: 35.4 })
    expect(await complete(stew.id, { note: 'rest in cash', method: 'cash' })).toMatchObject({
      amount: 45.5,
      status: 'refunded',
    })
  })

  test('how, by whom and with what reference is in the books', async () => {
    const { parent, stew } = await stewOf('mutinta')
    await cancel(parent, stew)
    await owed(stew.id)
    await complete(stew.id, { method: 'bank', reference: ' TT-77 ', note: 'to the father' })
    const stream = `refund-${stew.id}`
    const { eventStore, familyKeys } = canteen.infrastructure
    const events = (await openingEvents(eventStore, familyKeys).read([stream])).get(stream)!
    expect(events.map(({ type }) => type)).toEqual(['refunds.refund-due.v1', 'refunds.refund-paid-back.v1'])
    const { data, metadata } = events[1]!
    expect(data).toMatchObject({ amount: 4550, method: 'bank', reference: 'TT-77', note: 'to the father' })
    expect(metadata.actor).toBe(`user:${(data as { by: number }).by}`)
  })

  test('only administrators with the feature see and complete refunds', async () => {
    const { parent, stew } = await stewOf('luyando')
    await cancel(parent, stew)
    await owed(stew.id)
    const cook = await canteen.administrator('cook', 'kitchen', 'pending_payments')
    for (const client of [parent, cook]) {
      expect((await refused(client.call(listRefunds))).status).toBe(403)
      expect((await refused(client.call(completeRefund, { params: { id: stew.id } }))).status).toBe(403)
    }
    expect((await refused(canteen.visitor().call(listRefunds))).status).toBe(401)
  })

  test('what is owed to nobody is not found', async () => {
    for (const id of ['118.2026-09-15.1', 'lunch', 'x'.repeat(80)])
      expect(await refused(complete(id))).toMatchObject({ status: 404, code: 'refund_not_found' })
  })

  test('lines that were paid for and given up are owed back without an order', async () => {
    const at = canteen.now().toISOString()
    const { parent, userId } = await canteen.family('never.ordered', '9')
    const started = checkoutStarted({
      attemptId: attempt,
      kind: 'card',
      userId,
      lines: [tuesdayMeal],
      total: 4550,
      companyRef: 'LP-7K3QW9ZD2M',
      bodyHash: 'hash-1',
      at,
    })
    const lines = [{ index: 0, amount: 4550 }]
    const waived = remainderWaived({ attemptId: attempt, lines, surplus: 0, reason: 'day blocked', at })
    const stamp = { actor: 'user:1', correlationId: 'request-1', at: canteen.now() }
    await canteen.infrastructure.eventStore.append([
      {
        stream: paymentAttempt.streamOf(attempt),
        expectedRevision: noStream,
        events: stampEvents([started, waived], stamp),
      },
    ])
    const id = `${attempt}.0`
    expect(await owed(id)).toMatchObject({ amount: 45.5, reason: 'Paid, but could not be ordered' })
    expect(await own(parent)).toMatchObject([
      {
        orderId: null,
        mealDate: tuesdayMeal.mealDate,
        student: { name: tuesdayMeal.student.name },
        owed: 45.5,
      },
    ])
    expect(await complete(id)).toMatchObject({ status: 'refunded', amount: 45.5 })
    await eventually(async () => {
      const stream = paymentAttempt.streamOf(attempt)
      const told = (await canteen.infrastructure.eventStore.read([stream])).get(stream)!
      expect(told.slice(2)).toMatchObject([
        { type: 'payments.refund-recorded.v1', data: { part: 0, amount: 4550 } },
      ])
    })
  })

  test('the sweep, over the real tables, leaves what is as it should be', async () => {
    const { parent, stew } = await stewOf('bupe')
    await cancel(parent, stew)
    await owed(stew.id)
    await canteen.sweepNamed('settle-refunds')
    expect(await listedOf(stew.id)).toMatchObject({ amount: 45.5 })
  })

  test('oldest debt first, fifty a page', async () => {
    const { data, metadata } = await bursar.call(listRefunds, { query: { page: 1 } })
    expect(data.map(({ dueSince }) => dueSince)).toEqual(data.map(({ dueSince }) => dueSince).toSorted())
    expect(metadata).toEqual({
      total: data.length,
      page: 1,
      pageSize: 50,
      totalPages: 1,
      hasNextPage: false,
      hasPreviousPage: false,
    })
    expect(await bursar.call(listRefunds, { query: { page: 2 } })).toMatchObject({
      data: [],
      metadata: { page: 2, hasPreviousPage: true },
    })
    expect(data.length).toBeGreaterThan(1)
    const second = await bursar.call(listRefunds, { query: { page: 2, limit: 1 } })
    expect(second.data.map(({ id }) => id)).toEqual([data[1]!.id])
    expect(second.metadata).toMatchObject({ total: data.length, pageSize: 1, totalPages: data.length })
  })

  test('refunds rebuilt from the events equal the live ones', async () => {
    const contexts = canteen.modules.filter(({ name }) => name === 'refunds')
    await expectRebuildEqualsLive({ ...canteen.infrastructure, contexts, filled: ['refunds.refunds'] })
  })
})

describe('refund list', () => {
  // A dish of its own: each list is read by its name.
  const dish = 'Listed stew'
  let menuItemId: number
  const ids: Record<string, string> = {}

  const at = (minute: number) => canteen.setClock(`2026-09-14T07:${String(minute).padStart(2, '0')}:00+02:00`)

  /** A stew ordered at this minute and paid for, with this discount in percent. */
  const stewOf = async (username: string, minute: number, discount: number) => {
    at(minute)
    const { parent, children, userId } = await canteen.family(username, '9')
    if (discount > 0) await canteen.discount(userId, discount)
    const { orders } = await order(parent, [
      canteen.stewFor(children[0]!, 2, {
        menuItemId,
        discountedPrice: (45.5 * (100 - discount)) / 100,
        discountPercentage: discount,
      }),
    ])
    await canteen.verify([orders[0]!.id])
    ids[username] = orders[0]!.id
    return { parent, id: orders[0]!.id }
  }

  type Query = QueryOf<typeof listRefunds>
  const read = (query: Query = {}) => bursar.call(listRefunds, { query: { text: dish, ...query } })
  const students = async (query: Query = {}) =>
    (await read(query)).data.map(({ student }) => student.name.split(' ')[0])

  /** Ordered by zita, Abel and mary in this order, cancelled by mary, Abel and zita; Abel paid half, mary has it back. */
  beforeAll(async () => {
    menuItemId = await canteen.cooked(dish, '45.50')
    const families = [await stewOf('zita', 0, 0), await stewOf('Abel', 1, 50), await stewOf('mary', 2, 0)]
    for (const [place, { parent, id }] of families.toReversed().entries()) {
      at(10 + place)
      await parent.call(cancelOrder, { params: { id } })
      await eventually(
        async () => (await read({ status: 'all' })).data.some((refund) => refund.id === id),
        20_000,
      )
    }
    await bursar.call(completeRefund, { params: { id: ids.mary! } })
  })

  const ascending: Record<RefundSort, string[]> = {
    due: ['mary', 'Abel', 'zita'],
    date: ['zita', 'Abel', 'mary'],
    student: ['Abel', 'mary', 'zita'],
    item: ['zita', 'Abel', 'mary'],
    amount: ['Abel', 'zita', 'mary'],
    status: ['zita', 'Abel', 'mary'],
  }

  test.each(refundSorts)('refunds are sorted by %s both ways, equal ones by their ids', async (sort) => {
    const status = 'all'
    expect(await students({ status, sort, direction: 'asc' })).toEqual(ascending[sort])
    expect(await students({ status, sort, direction: 'desc' })).toEqual(ascending[sort].toReversed())
    expect(await students({ status, sort, direction: 'asc', page: 2, limit: 2 })).toEqual(
      ascending[sort].slice(2),
    )
  })

  test('without an order what is owed longest is first', async () => {
    expect(await students()).toEqual(['Abel', 'zita'])
  })

  test('what was paid back is listed on request, and cannot be paid back again', async () => {
    const { data, metadata } = await read({ status: 'refunded' })
    expect(data).toMatchObject([
      { id: ids.mary, status: 'refunded', amount: 45.5, allowed: { complete: false } },
    ])
    expect(metadata.total).toBe(1)
    expect((await read({ status: 'cancelled' })).data.every(({ allowed }) => allowed.complete)).toBe(true)
  })

  test('each says whose it is, how it was paid for, and our reference of the payment', async () => {
    const { data } = await read({ text: 'abel' })
    expect(data).toMatchObject([
      {
        parent: { username: 'Abel', name: expect.any(String) },
        payBy: 'other',
        reference: expect.stringMatching(/^LP-/),
      },
    ])
  })

  test('a text is found in student, item and id', async () => {
    expect(await students({ text: 'ABEL' })).toEqual(['Abel'])
    expect(await students({ text: dish.toLowerCase() })).toEqual(['Abel', 'zita'])
    expect(await students({ text: ids.zita! })).toEqual(['zita'])
    expect(await students({ text: 'mary' })).toEqual([])
    expect(await students({ text: 'mary', status: 'all' })).toEqual(['mary'])
  })

  test.each([{ sort: 'id' }, { direction: 'up' }, { limit: 101 }, { status: 'pending' }])(
    'a query of %j is refused',
    async (query) => {
      expect(await refused(read(query as never))).toMatchObject({ status: 422, code: 'validation_failed' })
    },
  )
})
