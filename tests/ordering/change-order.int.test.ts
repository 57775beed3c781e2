import { randomUUID } from 'node:crypto'
import { updateMenuItem as setLead } from '#contracts/catalogue'
import { getCredit, giveCredit } from '#contracts/credit'
import { kitchenToday, setOrderStatus, classList } from '#contracts/kitchen'
import {
  type MealChange,
  type Order,
  type OrderingRules,
  cancelOrder,
  changeOrder,
  listOrders,
  setAbsence,
  getOrderingRules,
  saveOrderingRules,
  cancelOrders,
} from '#contracts/ordering'
import type { Client } from '../../src/app/demo/client'
import { type AlternativeCanteen, openAlternativeCanteen, order } from '../payments/alternative-canteen'
import { writtenTo } from '../support/mails'
import { happenAgain } from './again-and-again'
import { refused, place } from './canteen'
import { withoutWorker } from './without-worker'

let canteen: AlternativeCanteen
beforeAll(async () => {
  canteen = withoutWorker(await openAlternativeCanteen({ ROLE: 'web' }))
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

describe('change order', () => {
  let soup: number
  let steak: number
  beforeAll(async () => {
    const { superadminClient: office } = canteen
    await office.call(saveOrderingRules, {
      body: { ...(await office.call(getOrderingRules)), cancelUntil: 'cutoff' },
    })
    soup = await canteen.cooked('Soup', '30')
    steak = await canteen.cooked('Steak', '60.50')
  })

  /** A family with a stew for K45.50 on Wednesday, paid for or not. */
  const withStew = async (username: string, paid = true) => {
    const family = await canteen.family(username, '9')
    const { orders } = await order(family.parent, [canteen.stewFor(family.children[0]!, 3)])
    const { id } = orders[0]!
    if (paid) await canteen.verify([id])
    return { ...family, id }
  }
  const to = (menuItemId: number, discountedPrice: number, more: Partial<MealChange> = {}): MealChange => ({
    menuItemId,
    discountedPrice,
    category: 'beef',
    sideDish: null,
    comments: '',
    ...more,
  })
  const change = (parent: Client, id: string, body: MealChange, key?: string): Promise<Order> =>
    parent.call(changeOrder, {
      params: { id },
      body,
      headers: key === undefined ? {} : { 'idempotency-key': key },
    })
  const balance = async (parent: Client) => (await parent.call(getCredit)).balance
  const gift = (userId: number, amount: number) =>
    canteen.superadminClient.call(giveCredit, { params: { id: userId }, body: { amount, reason: 'Fête' } })

  test('a cheaper meal gives the difference as credit, and stands in list and kitchen under its old id', async () => {
    const { parent, id } = await withStew('mwaka')
    const [before] = (await parent.call(listOrders)) as Order[]
    const changed = await change(parent, id, to(soup, 30, { comments: 'hot' }))
    expect(changed).toMatchObject({
      id,
      orderDate: before!.orderDate,
      menuItem: { id: soup, name: 'Soup' },
      comments: 'hot',
      discountedPrice: 30,
      status: 'pending',
      allowed: { cancel: true, change: true },
    })
    expect(await parent.call(listOrders)).toMatchObject([{ id, menuItem: { name: 'Soup' } }])
    expect(await parent.call(getCredit)).toMatchObject({
      balance: 15.5,
      entries: [{ kind: 'changed', amount: 15.5, about: { orderId: id } }],
    })
    canteen.setClock('2026-09-16T07:00:00+02:00')
    const { data } = await canteen.superadminClient.call(kitchenToday)
    expect(data.filter((one) => one.id === id)).toMatchObject([
      { menuItem: { name: 'Soup' }, comments: 'hot' },
    ])
  })

  test('a dearer one takes it from credit, and is refused without enough', async () => {
    const { parent, id, userId } = await withStew('mwansa')
    await gift(userId, 10)
    expect(await refused(change(parent, id, to(steak, 60.5)))).toMatchObject({
      status: 402,
      code: 'credit_short',
      short: 5,
    })
    expect(await parent.call(listOrders)).toMatchObject([{ menuItem: { name: 'Stew' } }])
    await gift(userId, 10)
    await change(parent, id, to(steak, 60.5))
    expect(await parent.call(getCredit)).toMatchObject({
      balance: 5,
      entries: [{ kind: 'spent', amount: -15 }, {}, {}],
    })
  })

  test('an unpaid order changes its amount to pay, and what was paid then is owed when it is cancelled', async () => {
    const { parent, id } = await withStew('natalia', false)
    expect(await change(parent, id, to(soup, 30))).toMatchObject({
      discountedPrice: 30,
      paymentStatus: 'pending',
    })
    expect(await balance(parent)).toBe(0)
    await canteen.verify([id])
    canteen.setClock('2026-09-14T09:00:00+02:00')
    await parent.call(cancelOrder, { params: { id } })
    await canteen.sweepUntil(async () => (await balance(parent)) === 30)
  })

  test('the same key and meal once, another meal under it is refused', async () => {
    const { parent, id } = await withStew('olga')
    const first = await change(parent, id, to(soup, 30), 'key-1')
    expect(await change(parent, id, to(soup, 30), 'key-1')).toEqual(first)
    expect(await balance(parent)).toBe(15.5)
    expect(await refused(change(parent, id, to(steak, 60.5), 'key-1'))).toMatchObject({
      status: 409,
      code: 'idempotency_key_reused',
    })
  })

  test('the same item keeps its old price; another has the discount of today', async () => {
    const { parent, id, userId } = await withStew('paula')
    await canteen.discount(userId, 50)
    const same = to(canteen.items.stew.id, 45.5, { comments: 'no salt' })
    expect(await change(parent, id, same)).toMatchObject({ discountedPrice: 45.5, comments: 'no salt' })
    expect(await refused(change(parent, id, to(soup, 30)))).toMatchObject({ code: 'price_changed' })
    expect(await change(parent, id, to(soup, 15))).toMatchObject({ originalPrice: 30, discountedPrice: 15 })
    expect(await balance(parent)).toBe(30.5)
  })

  test('it is checked as an order is', async () => {
    const { parent, id } = await withStew('quincy')
    const stew = canteen.items.stew.id
    const cases: [MealChange, number, string][] = [
      [to(soup, 29), 422, 'price_changed'],
      [to(canteen.items.porridge.id, 0), 422, 'wrong_menu_for_grade'],
      [to(999, 30), 422, 'item_missing'],
      [to(stew, 45.5, { category: null }), 422, 'protein_required'],
    ]
    for (const [body, status, code] of cases)
      expect(await refused(change(parent, id, body))).toMatchObject({ status, code })
    const { parent: other } = await canteen.family('rhoda', '9')
    expect(await refused(change(other, id, to(soup, 30)))).toMatchObject({
      status: 404,
      code: 'order_not_found',
    })
    canteen.setClock('2026-09-16T08:00:00+02:00')
    expect(await refused(change(parent, id, to(soup, 30)))).toMatchObject({
      status: 422,
      code: 'cutoff_passed',
    })
    expect(await parent.call(listOrders)).toMatchObject([
      {
        allowed: { change: false },
        why: { change: 'Meals of Wednesday could be changed until Wednesday 08:00' },
      },
    ])
  })

  test('to a dish with lead days it obeys its own cutoff; away from it, that of the day', async () => {
    const { superadminClient: office } = canteen
    const roast = await canteen.cooked('Roast', '45.50')
    const lead = (leadDays: number) =>
      office.call(setLead, {
        params: { id: roast },
        body: { ...canteen.items.stew, name: 'Roast', price: '45.50', leadDays },
      })
    await lead(1)
    const { parent, id } = await withStew('lusungu')
    canteen.setClock('2026-09-15T07:59:59+02:00')
    expect(await change(parent, id, to(roast, 45.5))).toMatchObject({ menuItem: { name: 'Roast' } })
    canteen.setClock('2026-09-15T08:00:00+02:00')
    expect(await refused(change(parent, id, to(roast, 45.5, { comments: 'no salt' })))).toMatchObject({
      status: 422,
      code: 'cutoff_passed',
      message: 'Orders for Wednesday closed on Tuesday 08:00',
    })
    const other = await canteen.family('mapalo', '9')
    const line = { ...canteen.stewFor(other.children[0]!, 3), menuItemId: roast }
    expect(await refused(place(other.parent, [line]))).toMatchObject({
      lines: [{ code: 'cutoff_passed', message: 'Orders for Wednesday closed on Tuesday 08:00' }],
    })
    canteen.setClock('2026-09-15T09:00:00+02:00')
    expect((await change(parent, id, to(canteen.items.stew.id, 45.5))).allowed).toMatchObject({
      cancel: true,
    })
    await lead(0)
  })

  test('an order is changed twenty times at most; the same meal again is no change', async () => {
    const { parent, id } = await withStew('tiza', false)
    const toSoupAndSteak = async () => {
      await change(parent, id, to(soup, 30))
      await change(parent, id, to(steak, 60.5))
    }
    await toSoupAndSteak()
    await happenAgain(canteen, id, 2, 8, (data) => ({ ...data, changeId: randomUUID() }))
    await toSoupAndSteak()
    expect(await refused(change(parent, id, to(soup, 30)))).toMatchObject({
      status: 409,
      code: 'too_many_changes',
    })
    expect(await parent.call(listOrders)).toMatchObject([
      { allowed: { change: false, cancel: true }, why: { change: expect.stringContaining('20 times') } },
    ])
    expect(await change(parent, id, to(steak, 60.5))).toMatchObject({ menuItem: { name: 'Steak' } })
  })

  test('a cancelled order becomes no other meal', async () => {
    const { parent, id } = await withStew('sarah', false)
    await parent.call(cancelOrder, { params: { id } })
    expect(await refused(change(parent, id, to(soup, 30)))).toMatchObject({ code: 'already_cancelled' })
  })

  test('a limited meal gives its portion back and takes the other', async () => {
    const last = await canteen.cooked('Last pie', '30', 1)
    const { parent, id } = await withStew('theresa')
    await change(parent, id, to(last, 30))
    const { parent: other, id: waiting } = await withStew('ulande')
    expect(await refused(change(other, waiting, to(last, 30)))).toMatchObject({
      status: 409,
      code: 'sold_out',
      left: 0,
    })
    expect(await change(parent, id, to(last, 30, { comments: 'hot' }))).toMatchObject({ comments: 'hot' })
    await change(parent, id, to(soup, 30))
    expect(await change(other, waiting, to(last, 30))).toMatchObject({ menuItem: { name: 'Last pie' } })
  })

  test('a paid meal of a child who is ill gives its share as credit once, and it goes with the mark', async () => {
    const { superadminClient: office } = canteen
    const rules = await office.call(getOrderingRules)
    await office.call(saveOrderingRules, { body: { ...rules, absence: 'credit', absencePercent: 50 } })
    const { parent, id } = await withStew('violet')
    const { parent: unpaid, id: owing } = await withStew('wezi', false)
    canteen.setClock('2026-09-16T09:00:00+02:00')
    expect(await parent.call(setAbsence, { params: { id } })).toMatchObject({ absenceCredit: 22.75 })
    await parent.call(setAbsence, { params: { id } })
    await canteen.sweepUntil(async () => (await balance(parent)) === 22.75)
    const back = await parent.call(setAbsence, { params: { id }, body: { absent: false } })
    expect(back).not.toHaveProperty('absenceCredit')
    await canteen.sweepUntil(async () => (await balance(parent)) === 0)
    const owed = await unpaid.call(setAbsence, { params: { id: owing } })
    expect(owed).not.toHaveProperty('absenceCredit')
    await canteen.verify([owing])
    await canteen.sweepUntil(async () => (await balance(unpaid)) === 22.75)
    expect((await parent.call(getCredit)).entries.map(({ kind }) => kind)).toEqual(['takenBack', 'absent'])
  })
})

describe('two cancel acts', () => {
  const statuses = async (parent: AlternativeCanteen['superadminClient']) =>
    ((await parent.call(listOrders)) as Order[]).map(({ status }) => status).toSorted()

  test('of two administrators who cancel the same orders at once one counts, and the family gets one mail', async () => {
    const one = await canteen.administrator('one', 'history')
    const other = await canteen.administrator('other', 'history')
    const { parent, children, userId } = await canteen.payingFamily('chanda', '9')
    const { orders } = await order(
      parent,
      [2, 3, 4].map((day) => canteen.stewFor(children[0]!, day)),
    )
    const orderIds = orders.map(({ id }) => id)
    await canteen.verify(orderIds)
    const answers = await Promise.all(
      ([one, other] as const).map((who, index) =>
        who.call(cancelOrders, {
          body: { orderIds, reason: 'The oven broke', remedy: index === 0 ? 'credit' : 'refund' },
          headers: { 'idempotency-key': `act-${index}` },
        }),
      ),
    )
    expect(answers.map(({ cancelled }) => cancelled).toSorted()).toEqual([0, 3])
    const late = answers.find(({ cancelled }) => cancelled === 0)!
    expect(late).toMatchObject({ owed: 0, families: 0, notTold: 0 })
    expect(late.skipped).toHaveLength(3)
    expect(new Set(late.skipped.map(({ code }) => code))).toEqual(new Set(['already_cancelled']))
    expect(await statuses(parent)).toEqual(['cancelled', 'cancelled', 'cancelled'])
    const { pool } = canteen.infrastructure.database
    expect(await writtenTo(pool, userId, 'Cancelled by the school')).toBe(1)
  })

  test('orders that were completed are skipped', async () => {
    const { parent, children } = await canteen.payingFamily('mulenga', '9')
    const { orders } = await order(
      parent,
      [2, 3].map((day) => canteen.stewFor(children[0]!, day)),
    )
    const [eaten, waiting] = orders.map(({ id }) => id)
    await canteen.verify([eaten!, waiting!])
    canteen.setClock('2026-09-15T12:30:00+02:00')
    await canteen.superadminClient.call(setOrderStatus, { body: { orderIds: [eaten!], status: 'completed' } })
    const answer = await canteen.superadminClient.call(cancelOrders, {
      body: { orderIds: [eaten!, waiting!], reason: 'The oven broke', remedy: 'refund' },
    })
    expect(answer).toMatchObject({
      cancelled: 1,
      owed: 45.5,
      skipped: [{ orderId: eaten, code: 'already_completed', message: 'This order is already completed' }],
    })
    expect(await statuses(parent)).toEqual(['cancelled', 'completed'])
  })
})

describe('family acts', () => {
  beforeAll(() => rules({ cancelUntil: 'cutoff', absence: 'credit' }))

  const rules = async (changed: Partial<OrderingRules>) => {
    const { superadminClient: office } = canteen
    await office.call(saveOrderingRules, { body: { ...(await office.call(getOrderingRules)), ...changed } })
  }

  test('a family cancels until the cutoff of the day, and is told until when', async () => {
    const { parent, children } = await canteen.family('mutale', '3')
    const [tuesday, wednesday] = await place(parent, [
      canteen.porridgeFor(children[0]!, 2),
      canteen.porridgeFor(children[0]!, 3),
    ])
    expect(tuesday!.cancellableUntil).toBe('2026-09-15T06:00:00.000Z')
    canteen.setClock('2026-09-15T07:59:59.999+02:00')
    const params = { id: tuesday!.id }
    expect(await parent.call(listOrders)).toMatchObject([
      { id: tuesday!.id, allowed: { cancel: true, cancelForMs: 0 }, why: {} },
      { id: wednesday!.id, allowed: { cancel: true } },
    ])
    canteen.setClock('2026-09-15T08:00:00+02:00')
    const why = 'Meals of Tuesday could be cancelled until Tuesday 08:00'
    expect(await refused(parent.call(cancelOrder, { params }))).toMatchObject({
      status: 409,
      code: 'cancel_window_over',
      message: why,
    })
    expect(await parent.call(listOrders)).toMatchObject([
      { id: tuesday!.id, allowed: { cancel: false }, why: { cancel: why } },
      { id: wednesday!.id },
    ])
    const cancelled = await parent.call(cancelOrder, { params: { id: wednesday!.id } })
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      why: { cancel: 'This order is already cancelled' },
    })
  })

  test('"Ill today" is on the kitchen\'s and the class list\'s page until it is taken back', async () => {
    const { parent, children } = await canteen.family('thandi', '3')
    const cook = await canteen.administrator('absencecook', 'kitchen')
    const [order] = await place(parent, [canteen.porridgeFor(children[0]!, 5)])
    const params = { id: order!.id }
    canteen.setClock('2026-09-18T08:30:00+02:00')
    expect(await parent.call(listOrders)).toMatchObject([{ absent: false, allowed: { absent: true } }])
    expect(await parent.call(setAbsence, { params })).toMatchObject({ id: order!.id, absent: true })
    const kitchen = await cook.call(kitchenToday)
    expect(kitchen.data).toMatchObject([{ id: order!.id, absent: true }])
    expect(kitchen.totals).toMatchObject([{ total: 1, absent: 1 }])
    const list = await cook.call(classList, { query: { date: '2026-09-18' } })
    expect(list.data).toMatchObject([{ id: order!.id, absent: true }])

    await cook.call(setOrderStatus, { body: { orderIds: [order!.id], status: 'completed' } })
    const taken = await parent.call(setAbsence, { params, body: { absent: false } })
    expect(taken).toMatchObject({ status: 'completed', absent: false })
    const again = await cook.call(kitchenToday)
    expect(again.data).toMatchObject([{ absent: false }])
    expect(again.totals[0]).not.toHaveProperty('absent')
    canteen.setClock('2026-09-18T12:00:00+02:00')
    expect(await refused(parent.call(setAbsence, { params }))).toMatchObject({
      status: 409,
      code: 'absence_over',
    })
  })

  test('"Ill today" is set and taken back 20 times at most', async () => {
    const { parent, children } = await canteen.family('often', '3')
    const [order] = await place(parent, [canteen.porridgeFor(children[0]!, 4)])
    const params = { id: order!.id }
    canteen.setClock('2026-09-17T08:30:00+02:00')
    const illAndNot = async () => {
      for (const absent of [true, false]) await parent.call(setAbsence, { params, body: { absent } })
    }
    await illAndNot()
    await happenAgain(canteen, order!.id, 2, 8)
    await illAndNot()
    expect(await refused(parent.call(setAbsence, { params }))).toMatchObject({
      status: 409,
      code: 'too_many_changes',
      message: 'Ill was set and taken back 20 times. Ask the office.',
    })
    expect(await parent.call(listOrders)).toMatchObject([
      {
        id: order!.id,
        absent: false,
        allowed: { absent: false },
        why: { absent: 'Ill was set and taken back 20 times. Ask the office.' },
      },
    ])
  })
})
