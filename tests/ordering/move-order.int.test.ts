import { getMenuItem, setSoldOut, updateMenuItem } from '#contracts/catalogue'
import { closeDays, undoClosure } from '#contracts/closures'
import { getCredit, giveCredit } from '#contracts/credit'
import { classList, kitchenChanges, kitchenToday, setOrderStatus } from '#contracts/kitchen'
import { deleteDiscountCode } from '#contracts/order-reports'
import {
  cancelOrder,
  cancelOrders,
  changeOrder,
  getOrderingRules,
  listOrders,
  moveOrder,
  orderForFamily,
  placeOrders,
  type Order,
  saveOrderingRules,
  setAbsence,
} from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import { orderHistory } from '#contracts/payments-console'
import { listRefunds, payOutCredit } from '#contracts/refunds'
import { sendMarks, serving } from '#contracts/serving'
import type { Reactor } from '#platform/module'
import { auditSchool } from '../../src/app/commands/audit-school'
import { readConfig } from '../../src/app/config'
import type { Client } from '../../src/app/demo/client'
import { type AlternativeCanteen, openAlternativeCanteen, order } from '../payments/alternative-canteen'
import { silentLog } from '../support/start-postgres'
import { place, refused } from './canteen'
import { withoutWorker } from './without-worker'

let canteen: AlternativeCanteen
beforeAll(async () => {
  canteen = withoutWorker(await openAlternativeCanteen({ ROLE: 'web' }))
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

const [tuesday, wednesday, thursday] = ['2026-09-15', '2026-09-16', '2026-09-17'] as const

describe('move order', () => {
  beforeAll(async () => {
    const { superadminClient: office } = canteen
    await office.call(saveOrderingRules, {
      body: { ...(await office.call(getOrderingRules)), cancelUntil: 'cutoff', absence: 'credit' },
    })
  })

  /** A family with a stew for K45.50 on Tuesday, paid for or not. */
  const withStew = async (username: string, paid = true) => {
    const family = await canteen.family(username, '9')
    const child = family.children[0]!
    const { orders } = await order(family.parent, [canteen.stewFor(child, 2)])
    const { id } = orders[0]!
    if (paid) await canteen.verify([id])
    return { ...family, child, id, wednesdayId: `${child.id}.${wednesday}.1` }
  }
  const move = (client: Client, id: string, date: string, key?: string): Promise<Order> =>
    client.call(moveOrder, {
      params: { id },
      body: { date },
      headers: key === undefined ? {} : { 'idempotency-key': key },
    })
  const listed = async (parent: Client) => (await parent.call(listOrders)) as Order[]
  const balance = async (parent: Client) => (await parent.call(getCredit)).balance
  const changesOf = async (date: string, student: string) =>
    (await canteen.superadminClient.call(kitchenChanges, { query: { date } })).changes
      .filter((one) => one.student === student)
      .map(({ kind, orderId, moved, from, to }) => ({ kind, orderId, moved, from, to }))
  const inClassList = async (date: string, student: string) =>
    (await canteen.superadminClient.call(classList, { query: { date } })).data
      .filter((one) => one.student === student)
      .map(({ id }) => id)
  const owed = async (id: string) =>
    (await canteen.superadminClient.call(listRefunds)).data.find((one) => one.id === id)?.amount
  const audited = async () => {
    const config = readConfig({ DATABASE_URL: canteen.databaseUrl, DATA_DIR: canteen.dataDir })
    const quietly = { log: silentLog, now: canteen.now, against: null, onProgress: () => undefined }
    return auditSchool(canteen.infrastructure, config, quietly)
  }

  test('the family keeps the id and the price; kitchen and hatch have the new one, on the other day', async () => {
    const { parent, child, id, wednesdayId } = await withStew('anna')
    const [before] = await listed(parent)
    const moved = await move(parent, id, wednesday)
    expect(moved).toMatchObject({
      id,
      orderDate: before!.orderDate,
      mealDate: wednesday,
      weekNumber: 1,
      dayOfWeek: 3,
      discountedPrice: 45.5,
      receiptNumber: before!.receiptNumber,
      paymentStatus: 'confirmed',
      status: 'pending',
      allowed: { cancel: true, change: true, move: true },
    })
    expect(await listed(parent)).toMatchObject([{ id, mealDate: wednesday }])
    expect(await inClassList(tuesday, child.name)).toEqual([])
    expect(await inClassList(wednesday, child.name)).toEqual([wednesdayId])
    expect(await changesOf(tuesday, child.name)).toEqual([
      { kind: 'ordered', orderId: id, moved: undefined, from: null, to: 'Stew, beef' },
      { kind: 'cancelled', orderId: id, moved: wednesday, from: 'Stew, beef', to: null },
    ])
    expect(await changesOf(wednesday, child.name)).toEqual([
      { kind: 'ordered', orderId: wednesdayId, moved: tuesday, from: null, to: 'Stew, beef' },
    ])
    expect(await balance(parent)).toBe(0)
  })

  test('the history of either id shows both', async () => {
    const { parent, id, wednesdayId } = await withStew('agnes')
    await move(parent, id, wednesday)
    const historyOf = (one: string) => canteen.superadminClient.call(orderHistory, { params: { id: one } })
    const { data } = await historyOf(id)
    const moved = data.find(({ what }) =>
      what.startsWith('Stew moved by the parent from 2026-09-15 to 2026-09-16'),
    )
    expect(moved).toMatchObject({ details: { movedTo: wednesdayId } })
    expect((await historyOf(wednesdayId)).data).toEqual(data)
  })

  test('the hatch gives it out, and the kitchen completes it, under the new id alone', async () => {
    const { parent, child, id, wednesdayId } = await withStew('berta')
    await move(parent, id, wednesday)
    canteen.setClock('2026-09-16T12:00:00+02:00')
    const office = canteen.superadminClient
    const { lunches } = await office.call(serving)
    expect(lunches.filter((one) => one.student === child.name)).toMatchObject([{ orderId: wednesdayId }])
    const mark = (orderId: string, markId: string) =>
      office.call(sendMarks, {
        body: { marks: [{ markId, orderId, kind: 'given', at: '2026-09-16T12:00:00+02:00' }] },
      })
    expect((await mark(id, '0199c0de-0000-7000-8000-0000000000f1')).results).toMatchObject([
      { result: 'refused', code: 'order_cancelled' },
    ])
    expect((await mark(wednesdayId, '0199c0de-0000-7000-8000-0000000000f2')).results).toMatchObject([
      { result: 'kept' },
    ])
    expect(await listed(parent)).toMatchObject([{ id, status: 'completed', given: { state: 'given' } }])
    const { lunches: served } = await office.call(serving)
    expect(served.filter((one) => one.student === child.name)).toMatchObject([{ mark: { kind: 'given' } }])
  })

  test('the kitchen completes it by the new id', async () => {
    const { parent, child, id, wednesdayId } = await withStew('clara')
    await move(parent, id, wednesday)
    canteen.setClock('2026-09-16T12:00:00+02:00')
    const office = canteen.superadminClient
    const { data, totals } = await office.call(kitchenToday)
    expect(data.map((one) => one.id)).toContain(wednesdayId)
    expect(totals.flatMap((one) => one.pendingOrderIds)).toContain(wednesdayId)
    const done = await office.call(setOrderStatus, {
      body: { orderIds: [wednesdayId], status: 'completed' },
    })
    expect(done).toMatchObject({ updated: 1, skipped: [] })
    expect(await listed(parent)).toMatchObject([{ id, status: 'completed' }])
    expect(child.grade).toBe('9')
  })

  test('it is completed on the day that it has, by either id, and not on the day it left', async () => {
    const { parent, child, id, wednesdayId } = await withStew('clement')
    const later = await order(parent, [canteen.stewFor(child, 4)])
    const [thursdays] = later.orders
    await move(parent, id, wednesday)
    await listed(parent)
    const kitchen = await canteen.administrator('clements-kitchen', 'kitchen')
    const complete = (one: string) =>
      kitchen.call(setOrderStatus, { body: { orderIds: [one], status: 'completed' } })
    canteen.setClock('2026-09-15T12:00:00+02:00')
    for (const either of [id, wednesdayId])
      expect(await complete(either)).toMatchObject({
        updated: 0,
        skipped: [{ id: either, code: 'day_not_come', message: expect.stringContaining('16 September') }],
      })
    canteen.setClock('2026-09-14T07:00:00+02:00')
    await move(parent, thursdays!.id, tuesday)
    await listed(parent)
    canteen.setClock('2026-09-15T12:00:00+02:00')
    expect(await complete(thursdays!.id)).toMatchObject({ updated: 1, skipped: [] })
  })

  test('the same date changes nothing, and a key once', async () => {
    const { parent, child, id } = await withStew('dora')
    expect(await move(parent, id, tuesday)).toMatchObject({ id, mealDate: tuesday })
    const first = await move(parent, id, wednesday, 'key-1')
    expect(await move(parent, id, wednesday, 'key-1')).toEqual(first)
    expect(await refused(move(parent, id, thursday, 'key-1'))).toMatchObject({
      status: 409,
      code: 'idempotency_key_reused',
    })
    expect(await changesOf(wednesday, child.name)).toHaveLength(1)
  })

  test('the day that it left can be ordered again, the day that it has cannot', async () => {
    const { parent, child, id } = await withStew('emma')
    await move(parent, id, wednesday)
    await order(parent, [canteen.stewFor(child, 2)])
    const twice = await refused(order(parent, [canteen.stewFor(child, 3)]))
    expect(twice).toMatchObject({ code: 'lines_refused', lines: [{ code: 'already_ordered' }] })
    expect(await refused(move(parent, id, tuesday))).toMatchObject({ status: 409, code: 'already_ordered' })
    expect((await listed(parent)).map(({ mealDate }) => mealDate).toSorted()).toEqual([tuesday, wednesday])
  })

  test('once cancelled, its new day can be ordered, and it cannot come back there', async () => {
    const { parent, child, id, wednesdayId } = await withStew('fanny')
    await move(parent, id, wednesday)
    await parent.call(cancelOrder, { params: { id } })
    await order(parent, [canteen.stewFor(child, 3)])
    expect(await inClassList(wednesday, child.name)).toEqual([`${child.id}.${wednesday}.2`])
    const reopened = await canteen.superadminClient.call(setOrderStatus, {
      body: { orderIds: [wednesdayId], status: 'pending' },
    })
    expect(reopened.skipped).toMatchObject([{ id: wednesdayId, code: 'slot_taken' }])
  })

  test('cancelled and set back to pending, it has its new day again', async () => {
    const { parent, child, id, wednesdayId } = await withStew('gloria')
    await move(parent, id, wednesday)
    await parent.call(cancelOrder, { params: { id } })
    const office = canteen.superadminClient
    expect(await office.call(setOrderStatus, { body: { orderIds: [id], status: 'pending' } })).toMatchObject({
      updated: 1,
    })
    expect(await inClassList(wednesday, child.name)).toEqual([wednesdayId])
    const twice = await refused(order(parent, [canteen.stewFor(child, 3)]))
    expect(twice).toMatchObject({ lines: [{ code: 'already_ordered' }] })
  })

  test('moved twice and back to its own day, which then has its own id', async () => {
    const { parent, child, id } = await withStew('hanna')
    await move(parent, id, wednesday)
    await move(parent, id, thursday)
    expect(await inClassList(thursday, child.name)).toEqual([`${child.id}.${thursday}.1`])
    await move(parent, id, wednesday)
    expect(await inClassList(wednesday, child.name)).toEqual([`${child.id}.${wednesday}.2`])
    expect(await move(parent, id, tuesday)).toMatchObject({ id, mealDate: tuesday, status: 'pending' })
    expect(await inClassList(tuesday, child.name)).toEqual([id])
    expect(await changesOf(thursday, child.name)).toMatchObject([
      { kind: 'ordered', moved: wednesday },
      { kind: 'cancelled', moved: wednesday },
    ])
    await order(parent, [canteen.stewFor(child, 3), canteen.stewFor(child, 4)])
    expect(await listed(parent)).toHaveLength(3)
  })

  test('it is checked as an order is, and stays where it was', async () => {
    const { parent, child, id } = await withStew('irene')
    const limited = await canteen.cooked('Pie of irene', '45.50', 1)
    const other = await canteen.family('irene-other', '9')
    await order(other.parent, [canteen.stewFor(other.children[0]!, 4, { menuItemId: limited })])
    const pie = await order(parent, [canteen.stewFor(child, 5, { menuItemId: limited })])
    const office = canteen.superadminClient
    await office.call(setSoldOut, {
      params: { id: canteen.items.stew.id },
      body: { date: '2026-09-21', soldOut: true },
    })
    const cases: [string, string, number, string][] = [
      [id, '2026-09-23', 422, 'day_blocked'],
      [id, '2026-09-12', 422, 'day_moved'],
      [id, '2027-01-04', 422, 'day_moved'],
      [id, '2026-09-19', 422, 'item_not_offered'],
      [id, '2026-09-18', 409, 'already_ordered'],
      [id, '2026-09-21', 409, 'sold_out'],
      [pie.orders[0]!.id, thursday, 409, 'sold_out'],
      [`${child.id}.${thursday}.9`, wednesday, 404, 'order_not_found'],
      ['nothing', wednesday, 404, 'order_not_found'],
    ]
    for (const [order, date, status, code] of cases)
      expect({ date, ...(await refused(move(parent, order, date))) }).toMatchObject({ date, status, code })
    expect((await listed(parent)).map(({ mealDate }) => mealDate).toSorted()).toEqual([tuesday, '2026-09-18'])
    await office.call(setSoldOut, {
      params: { id: canteen.items.stew.id },
      body: { date: '2026-09-21', soldOut: false },
    })
  })

  test('who may not: another family, an office without the history, and a family after the cutoff', async () => {
    const { parent, id } = await withStew('jane')
    const stranger = await canteen.family('jane-stranger', '9')
    expect(await refused(move(stranger.parent, id, wednesday))).toMatchObject({
      status: 404,
      code: 'order_not_found',
    })
    const kitchen = await canteen.administrator('jane-kitchen', 'kitchen')
    expect(await refused(move(kitchen, id, wednesday))).toMatchObject({ status: 403 })
    canteen.setClock('2026-09-15T08:00:00+02:00')
    const late = await refused(move(parent, id, wednesday))
    expect(late).toMatchObject({
      status: 409,
      code: 'cancel_window_over',
      message: 'Meals of Tuesday could be moved until Tuesday 08:00',
    })
    expect(await listed(parent)).toMatchObject([{ allowed: { move: false }, why: { move: late.message } }])
    const history = await canteen.administrator('jane-office', 'history')
    expect(await move(history, id, wednesday)).toMatchObject({ id, mealDate: wednesday })
    expect(await refused(move(history, id, tuesday))).toMatchObject({ code: 'cutoff_passed' })
    await parent.call(cancelOrder, { params: { id } })
    expect(await refused(move(parent, id, thursday))).toMatchObject({
      status: 409,
      code: 'already_cancelled',
    })
  })

  test('the discount of today counts: a cheaper one gives credit, a dearer one takes it or is refused', async () => {
    const { parent, id, userId } = await withStew('kate')
    const code = await canteen.discount(userId, 50)
    expect(await move(parent, id, wednesday)).toMatchObject({ discountedPrice: 22.75, originalPrice: 45.5 })
    expect(await balance(parent)).toBe(22.75)
    await canteen.superadminClient.call(deleteDiscountCode, { params: { id: code.id } })
    await canteen.superadminClient.call(payOutCredit, {
      params: { id: userId },
      body: { amount: 22, method: 'cash', reference: '1' },
    })
    expect(await refused(move(parent, id, thursday))).toMatchObject({
      status: 402,
      code: 'credit_short',
      short: 22,
    })
    await canteen.superadminClient.call(giveCredit, {
      params: { id: userId },
      body: { amount: 22, reason: 'Fête' },
    })
    expect(await move(parent, id, thursday)).toMatchObject({ discountedPrice: 45.5 })
    expect(await balance(parent)).toBe(0)
  })

  test('ill on the day that it leaves: the office takes the absence and its credit back', async () => {
    const { parent, id } = await withStew('laura')
    canteen.setClock('2026-09-15T09:00:00+02:00')
    await parent.call(setAbsence, { params: { id }, body: { absent: true } })
    await canteen.sweepUntil(async () => (await balance(parent)) === 45.5)
    expect(await move(canteen.superadminClient, id, thursday)).toMatchObject({
      absent: false,
      mealDate: thursday,
    })
    expect(await balance(parent)).toBe(0)
    await parent.call(cancelOrder, { params: { id } })
    await canteen.sweepUntil(async () => (await balance(parent)) === 45.5)
  })

  test('ill, and the credit is spent: refused', async () => {
    const { parent, id, userId } = await withStew('mona')
    canteen.setClock('2026-09-15T09:00:00+02:00')
    await parent.call(setAbsence, { params: { id }, body: { absent: true } })
    await canteen.sweepUntil(async () => (await balance(parent)) === 45.5)
    await canteen.superadminClient.call(payOutCredit, {
      params: { id: userId },
      body: { amount: 40, method: 'cash', reference: '1' },
    })
    expect(await refused(move(canteen.superadminClient, id, thursday))).toMatchObject({
      status: 409,
      code: 'credit_spent',
    })
    expect(await listed(parent)).toMatchObject([{ absent: true, mealDate: tuesday }])
  })

  test('the payer is told once when the office moves it, and not of the own move', async () => {
    const { parent, userId, children } = await canteen.payingFamily('xenia', '9')
    const { orders } = await order(parent, [canteen.stewFor(children[0]!, 2)])
    const { id } = orders[0]!
    await move(parent, id, wednesday)
    await move(canteen.superadminClient, id, thursday)
    const { eventStore, database } = canteen.infrastructure
    const reactors = canteen.modules.flatMap((module) => module.reactors)
    const { react } = reactors.find(({ name }) => name === 'tell-payer-when-guardian-acts') as Reactor
    const stream = `mealSlot-${children[0]!.id}.${tuesday}`
    const stored = (await eventStore.read([stream])).get(stream)!
    for (const event of [...stored, ...stored]) await react(event)
    const { rows } = await database.pool.query<{ text: string }>(
      `select text from messaging.mail_outbox where "userId" = $1 and text like '%has moved%'`,
      [userId],
    )
    expect(rows).toEqual([
      {
        text: expect.stringContaining(
          'The school has moved a meal on Wednesday, 16 September 2026 to Thursday, 17 September 2026',
        ),
      },
    ])
  })

  test('moved, it is changed on its new day at once', async () => {
    const { parent, child, id } = await withStew('wendy')
    const soup = await canteen.cooked('Soup of wendy', '30')
    await move(parent, id, wednesday)
    const meal = { menuItemId: soup, category: 'beef', sideDish: null, discountedPrice: 30 }
    const changed = await parent.call(changeOrder, { params: { id }, body: meal })
    expect(changed).toMatchObject({ id, mealDate: wednesday, discountedPrice: 30 })
    expect(await balance(parent)).toBe(15.5)
    expect(await changesOf(wednesday, child.name)).toMatchObject([
      { kind: 'ordered', to: 'Stew, beef' },
      { kind: 'changed', to: 'Soup of wendy, beef' },
    ])
  })

  test('moved and then cancelled by the office: what was paid is owed, under the old id', async () => {
    const { parent, id } = await withStew('nina')
    await move(parent, id, wednesday)
    const done = await canteen.superadminClient.call(cancelOrders, {
      body: { orderIds: [id], reason: 'No stew', remedy: 'refund' },
    })
    expect(done).toMatchObject({ cancelled: 1, owed: 45.5, skipped: [] })
    await canteen.sweepUntil(async () => (await owed(id)) === 45.5)
  })

  const cancelMoved = async (parent: Client, id: string) => {
    await move(parent, id, wednesday)
    await move(parent, id, thursday)
    await parent.call(cancelOrder, { params: { id } })
  }

  test('paid by credit, moved and cancelled: the credit is there again', async () => {
    const { parent, userId, children } = await canteen.family('credit', '9')
    const body = { amount: 50, reason: 'Fête' }
    await canteen.superadminClient.call(giveCredit, { params: { id: userId }, body })
    const cart = { cartItems: [canteen.stewFor(children[0]!, 2)], useCredit: true }
    const { orders } = await parent.call(placeOrders, { body: cart })
    expect(await balance(parent)).toBe(4.5)
    await cancelMoved(parent, orders[0]!.id)
    await canteen.sweepUntil(async () => (await balance(parent)) === 50)
    expect(await owed(orders[0]!.id)).toBeUndefined()
  })

  test('paid at the counter, moved and cancelled: what was paid is owed', async () => {
    const { parent, userId, children } = await canteen.family('counter', '9')
    const cartItems = [canteen.stewFor(children[0]!, 2)]
    const { orders } = await canteen.superadminClient.call(orderForFamily, {
      params: { parentId: userId },
      body: { cartItems, payBy: 'cash', received: true },
    })
    await cancelMoved(parent, orders[0]!.id)
    await canteen.sweepUntil(async () => (await owed(orders[0]!.id)) === 45.5)
  })

  test('paid by card, moved and cancelled: what was paid is owed', async () => {
    await canteen.set({ enabled: false })
    const { parent, children } = await canteen.payingFamily('carded', '9')
    const cartItems = [canteen.stewFor(children[0]!, 2)]
    const { TransToken } = await parent.call(createPayment, { body: { amount: 45.5, cartItems } })
    const paid = new URLSearchParams({ outcome: 'slow', card: '4111111111111111' })
    await canteen.visitor().fetch(`/sandbox/pay/${TransToken}`, { method: 'POST', body: paid })
    canteen.setClock('2026-09-14T07:03:00+02:00')
    await parent.call(verifyPayment, { params: { transactionId: TransToken } })
    const [placed] = await listed(parent)
    expect(placed).toMatchObject({ mealDate: tuesday, payBy: 'card' })
    await cancelMoved(parent, placed!.id)
    await canteen.sweepUntil(async () => (await owed(placed!.id)) === 45.5)
    await canteen.set({})
  })

  test('an unpaid one is paid for after its move, and lapses by its new day', async () => {
    const { parent, id } = await withStew('olive', false)
    await move(parent, id, wednesday)
    canteen.setClock('2026-09-15T12:00:00+02:00')
    expect(await listed(parent)).toMatchObject([{ status: 'pending', paymentStatus: 'pending' }])
    await canteen.verify([id])
    expect(await listed(parent)).toMatchObject([{ mealDate: wednesday, paymentStatus: 'confirmed' }])
  })

  test('a closure of its new day cancels it, and undone brings it back there', async () => {
    const { parent, child, id } = await withStew('petra')
    await move(parent, id, '2026-09-30')
    const office = canteen.superadminClient
    const params = { id: canteen.cycle.id }
    const body = { dates: ['2026-09-30'], reason: 'Sports day', remedy: 'credit' as const }
    const closure = await office.call(closeDays, { params, body })
    await canteen.sweepUntil(async () => (await listed(parent))[0]!.status === 'cancelled')
    await canteen.sweepUntil(async () => (await balance(parent)) === 45.5)
    await office.call(undoClosure, { params: { id: closure.id } })
    await canteen.sweepUntil(async () => (await listed(parent))[0]!.status === 'pending')
    expect(await balance(parent)).toBe(0)
    expect(await inClassList('2026-09-30', child.name)).toHaveLength(1)
  })

  test('two moves and a cancellation at once: it stands on one day, or is cancelled on it', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { parent, child, id } = await withStew(`rita${round}`)
      await Promise.allSettled([
        move(parent, id, wednesday),
        move(parent, id, thursday),
        parent.call(cancelOrder, { params: { id } }),
        order(parent, [canteen.stewFor(child, 3)]),
      ])
      const standing = (await listed(parent)).filter(({ status }) => status === 'pending')
      const dates = standing.map(({ mealDate }) => mealDate)
      expect(new Set(dates).size).toBe(dates.length)
      for (const date of [tuesday, wednesday, thursday])
        expect(await inClassList(date, child.name)).toHaveLength(dates.includes(date) ? 1 : 0)
    }
  })

  test('portions: the day that it left has one more, the other one less', async () => {
    const { parent, child, id: _stew } = await withStew('susan')
    const pie = await canteen.cooked('Pie of susan', '45.50', 1)
    const { orders } = await order(parent, [canteen.stewFor(child, 4, { menuItemId: pie })])
    await move(parent, orders[0]!.id, '2026-09-18')
    const other = await canteen.family('susan-other', '9')
    const asked = (day: number) =>
      order(other.parent, [canteen.stewFor(other.children[0]!, day, { menuItemId: pie })])
    expect(await refused(asked(5))).toMatchObject({ lines: [{ code: 'sold_out', left: 0 }] })
    await asked(4)
  })

  test('a dish that closes earlier is moved by its own cutoff', async () => {
    const { parent, child } = await withStew('vera')
    const office = canteen.superadminClient
    const pie = await canteen.cooked('Pie of vera', '45.50')
    const item = await office.call(getMenuItem, { params: { id: pie } })
    await office.call(updateMenuItem, { params: { id: pie }, body: { ...item, leadDays: 2 } })
    const { orders } = await order(parent, [canteen.stewFor(child, 5, { menuItemId: pie })])
    canteen.setClock('2026-09-14T08:00:00+02:00')
    const { id } = orders[0]!
    expect(await refused(move(parent, id, wednesday))).toMatchObject({ status: 422, code: 'cutoff_passed' })
    expect(await move(parent, id, thursday)).toMatchObject({ mealDate: thursday })
  })

  test('at most twenty times', async () => {
    const { parent, id } = await withStew('tessa')
    for (let time = 0; time < 20; time += 1) await move(parent, id, time % 2 === 0 ? wednesday : tuesday)
    expect(await refused(move(parent, id, wednesday))).toMatchObject({
      status: 409,
      code: 'too_many_changes',
    })
  })

  test('a free meal moves too, and the books balance after all of this', async () => {
    const { parent, children } = await canteen.family('ursula', '3')
    const [free] = await place(parent, [canteen.porridgeFor(children[0]!, 2)])
    expect(await move(parent, free!.id, wednesday)).toMatchObject({ id: free!.id, mealDate: wednesday })
    await canteen.sweep()
    expect(await audited()).toMatchObject({ exitCode: 0 })
  })
})
