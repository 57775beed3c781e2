import { setOrderStatus } from '#contracts/kitchen'
import { cancelOrder, listOrders, type Order } from '#contracts/ordering'
import { openingEvents } from '#platform/event-store/sealed-events'
import { completeRefund, listRefunds, ownRefunds } from '#contracts/refunds'
import type { Client } from '../../src/app/demo/client'
import { checkoutStarted, remainderWaived } from '#modules/payments/attempt/events'
import { paymentAttempt } from '#modules/payments/attempt/fold'
import { noStream } from '#platform/event-store/event-store'
import { stampEvents } from '#platform/event-store/command-handler'
import { refused } from '../ordering/canteen'
import { attempt, tuesdayMeal } from '../ordering/lunches'
import { openAlternativeCanteen, order, type AlternativeCanteen } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import { expectRebuildEqualsLive } from '../support/rebuild-equals-live'

let canteen: AlternativeCanteen
let bursar: Client
beforeAll(async () => {
  canteen = await openAlternativeCanteen()
  bursar = await canteen.administrator('bursar', 'refunds')
})
afterAll(() => canteen.close())
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
    reference: expect.stringMatching(/^LP-/),
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
  const started = checkoutStarted({
    attemptId: attempt,
    kind: 'card',
    userId: 1,
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
  const school = canteen.modules.find(({ name }) => name === 'refunds')!
  const { parent, stew } = await stewOf('bupe')
  await cancel(parent, stew)
  await owed(stew.id)
  await school.sweeps[0]!.run()
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
