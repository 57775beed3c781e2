import { createMenuItem } from '#contracts/catalogue'
import { saveAllergyRule, saveHealth } from '#contracts/health'
import { convertToTeacher, listStudents } from '#contracts/identity'
import { setOrderStatus } from '#contracts/kitchen'
import { stopReminders, saveMessageSettings, saveUserMessages } from '#contracts/messages'
import {
  type Order,
  type OrderingRules,
  cancelOrder,
  listOrders,
  substituteOrders,
  getOrderingRules,
  saveOrderingRules,
} from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import type { Client } from '../../src/app/demo/client'
import { closeOutbox } from '../support/mails'
import { happenAgain } from './again-and-again'
import { type Canteen, openCanteen, place, refused } from './canteen'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen({ ROLE: 'web' })
})
afterAll(() => canteen.close())

describe('own orders', () => {
  beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

  test('a parent cancels within the hour, and the day is free again', async () => {
    const { parent, children } = await canteen.family('mwila', '3')
    const lines = [canteen.porridgeFor(children[0]!, 2)]
    const [order] = await place(parent, lines)
    expect(order).toMatchObject({
      allowed: { cancel: true, cancelForMs: 3_600_000 },
      cancellableUntil: '2026-09-14T06:00:00.000Z',
    })
    canteen.setClock('2026-09-14T08:00:00+02:00')
    const cancelled = await parent.call(cancelOrder, { params: { id: order!.id } })
    expect(cancelled).toMatchObject({ id: order!.id, status: 'cancelled', allowed: { cancel: false } })
    expect(await parent.call(listOrders)).toEqual([cancelled])
    expect(await parent.call(cancelOrder, { params: { id: order!.id } })).toEqual(cancelled)

    const [next] = await place(parent, lines)
    expect(next!.id).toBe(`${order!.id.slice(0, -1)}2`)
  })

  test("a child's lunch of one date is ordered 30 times at most", async () => {
    const { parent, children } = await canteen.family('undecided', '3')
    const lines = [canteen.porridgeFor(children[0]!, 2)]
    const [first] = await place(parent, lines)
    await parent.call(cancelOrder, { params: { id: first!.id } })
    const numbered = (turn: number) => first!.id.replace(/1$/, String(turn + 2))
    await happenAgain(canteen, first!.id, 2, 28, (data, turn) => ({ ...data, orderId: numbered(turn) }))
    const [last] = await place(parent, lines)
    expect(last!.id).toMatch(/\.30$/)
    await parent.call(cancelOrder, { params: { id: last!.id } })
    const message = `${children[0]!.name}'s lunch of 15 September was ordered and cancelled 30 times. Ask the office.`
    expect(await refused(place(parent, lines))).toMatchObject({
      status: 409,
      code: 'lines_refused',
      message,
      lines: [{ index: 0, code: 'too_many_orders', message }],
    })
    expect(await place(parent, [canteen.porridgeFor(children[0]!, 3)])).toHaveLength(1)
  })

  test('a moment after the hour it is too late, and the list says so', async () => {
    const { parent, children } = await canteen.family('grace', '3')
    const [order] = await place(parent, [canteen.porridgeFor(children[0]!, 2)])
    canteen.setClock('2026-09-14T08:00:00.001+02:00')
    expect(await refused(parent.call(cancelOrder, { params: { id: order!.id } }))).toMatchObject({
      status: 409,
      code: 'cancel_window_over',
    })
    expect(await parent.call(listOrders)).toMatchObject([{ status: 'pending', allowed: { cancel: false } }])
  })

  test("someone else's order, one that never was and what is no id are not found", async () => {
    const { parent, children } = await canteen.family('kelvin', '3')
    const { parent: other } = await canteen.family('natasha', '3')
    const [order] = await place(parent, [canteen.porridgeFor(children[0]!, 2)])
    for (const id of [order!.id, `${order!.id.slice(0, -1)}9`, 'lunch'])
      expect(await refused(other.call(cancelOrder, { params: { id } }))).toMatchObject({
        status: 404,
        code: 'order_not_found',
      })
    expect(await other.call(listOrders)).toEqual([])
    expect(await parent.call(listOrders)).toMatchObject([{ status: 'pending' }])
  })

  test('the newest orders come first', async () => {
    const { parent, children } = await canteen.family('chola', '3')
    await place(parent, [canteen.porridgeFor(children[0]!, 4), canteen.porridgeFor(children[0]!, 2)])
    canteen.setClock('2026-09-14T07:10:00+02:00')
    await place(parent, [canteen.porridgeFor(children[0]!, 3)])
    const orders = (await parent.call(listOrders)) as Order[]
    expect(orders.map(({ dayOfWeek }) => dayOfWeek)).toEqual([3, 2, 4])
  })

  test('a teacher orders for themselves, without a side dish', async () => {
    const { parent, userId } = await canteen.family('mr-phiri')
    await parent.call(convertToTeacher)
    const teacher = await canteen.signIn('mr-phiri', 'parent-password')
    const [staff] = await teacher.call(listStudents)
    const lunch = canteen.stewFor(staff!, 2, { sideDish: 'Chips' })
    expect((await refused(place(teacher, [lunch]))).code).toBe('payment_required')
    await canteen.discount(userId, 100)
    const [order] = await place(teacher, [{ ...lunch, discountedPrice: 0 }])
    expect(order).toMatchObject({ student: { grade: 'teacher' }, sideDish: null })
    expect(await teacher.call(listOrders, { query: { unpaginated: 'true' } })).toEqual({ data: [order] })
  })

  test('orders are for parents and teachers', async () => {
    expect((await refused(canteen.superadminClient.call(listOrders))).status).toBe(403)
    expect((await refused(canteen.visitor().call(listOrders))).status).toBe(401)
    const cancelling = canteen.superadminClient.call(cancelOrder, { params: { id: '1.2026-09-14.1' } })
    expect((await refused(cancelling)).status).toBe(403)
  })
})

describe('history alone', () => {
  let historian: Client
  beforeAll(async () => {
    historian = await canteen.administrator('historian', 'history')
  })
  beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

  const set = (client: Client, id: string, status: 'pending' | 'cancelled') =>
    client.call(setOrderStatus, { body: { orderIds: [id], status } })

  test('the history alone does not take back a lunch that was eaten; with refunds it does', async () => {
    const { parent, children } = await canteen.payingFamily('eater', '9')
    const body = { amount: 45.5, cartItems: [canteen.stewFor(children[0]!, 1)] }
    const { TransToken } = await parent.call(createPayment, { body })
    await canteen.visitor().fetch(`/sandbox/pay/${TransToken}`, {
      method: 'POST',
      body: new URLSearchParams({ outcome: 'pay', card: '4111111111111111' }),
    })
    await parent.call(verifyPayment, { params: { transactionId: TransToken } })
    const [order] = (await parent.call(listOrders)) as Order[]
    await canteen.superadminClient.call(setOrderStatus, {
      body: { orderIds: [order!.id], status: 'completed' },
    })
    for (const day of ['2026-09-14T13:00:00+02:00', '2026-09-15T08:00:00+02:00']) {
      canteen.setClock(day)
      for (const status of ['cancelled', 'pending'] as const)
        expect(await set(historian, order!.id, status)).toMatchObject({
          updated: 0,
          skipped: [{ id: order!.id, code: 'already_completed' }],
        })
    }
    const bursar = await canteen.administrator('bursar', 'history', 'refunds')
    expect(await set(bursar, order!.id, 'cancelled')).toMatchObject({ updated: 1, skipped: [] })
  })

  test('the history alone does not learn what a child is allergic to', async () => {
    const office = canteen.superadminClient
    const { id: _id, isArchived: _isArchived, ...form } = canteen.items.porridge
    const nutty = await office.call(createMenuItem, {
      body: { ...form, name: 'Nutty porridge', allergens: ['Peanuts'] },
    })
    const { parent, children } = await canteen.payingFamily('allergic', '4', '5')
    await parent.call(saveHealth, {
      params: { id: children[0]!.id },
      body: { allergies: ['Peanuts'], diet: 'none', medicalNote: '', noteConsent: false },
    })
    const [order, other] = await place(
      parent,
      children.map((child) => canteen.porridgeFor(child, 3)),
    )
    const cook = await canteen.administrator('cook', 'history', 'kitchen')
    const meal = { menuItemId: nutty.id, category: 'chicken', sideDish: 'Banana' }
    const substitute = (client: Client, acknowledged?: boolean, orderId = order!.id) =>
      client.call(substituteOrders, { body: { ...meal, orderIds: [orderId], acknowledged } })
    for (const rule of ['block', 'warn'] as const) {
      await office.call(saveAllergyRule, { body: { rule } })
      for (const acknowledged of [undefined, true]) {
        const { updated, skipped } = await substitute(historian, acknowledged)
        expect([updated, skipped]).toEqual([
          0,
          [{ orderId: order!.id, code: 'item_unavailable', message: expect.stringContaining('allergens') }],
        ])
      }
      // A child without an allergy is skipped too: who is skipped tells nothing of the child.
      expect(await substitute(historian, undefined, other!.id)).toMatchObject({
        updated: 0,
        skipped: [{ orderId: other!.id, code: 'item_unavailable' }],
      })
      expect((await substitute(cook)).skipped).toMatchObject([
        { code: 'allergen_conflict', allergens: ['Peanuts'] },
      ])
    }
    expect((await substitute(cook, true)).updated).toBe(1)
    // A dish with no more in it than the one that stands is given to either child.
    await substitute(cook, undefined, other!.id)
    const give = async (name: string, allergens: string[]) => {
      const { id } = await office.call(createMenuItem, { body: { ...form, name, allergens } })
      const body = { ...meal, menuItemId: id, orderIds: [order!.id, other!.id] }
      return historian.call(substituteOrders, { body })
    }
    expect((await give('Nut bread', ['groundnuts'])).updated).toBe(2)
    expect((await give('Nut milk', ['Peanuts', 'Milk'])).skipped).toMatchObject([
      { code: 'item_unavailable' },
      { code: 'item_unavailable' },
    ])
    const plain = await office.call(createMenuItem, {
      body: { ...form, name: 'Plain porridge', allergens: [] },
    })
    const { updated } = await historian.call(substituteOrders, {
      body: { ...meal, menuItemId: plain.id, orderIds: [order!.id, other!.id] },
    })
    expect(updated).toBe(2)
  })
})

describe('ordering rules', () => {
  const asFirst: OrderingRules = {
    cancelUntil: 'hour',
    lateRemedy: 'credit',
    absence: 'none',
    absencePercent: 100,
    lowPortions: 10,
    plans: false,
    buyingMargin: 5,
  }
  const other: OrderingRules = {
    cancelUntil: 'cutoff',
    lateRemedy: 'refund',
    absence: 'credit',
    absencePercent: 0,
    lowPortions: 3,
    plans: false,
    buyingMargin: 5,
  }
  const withVersion = (rules: OrderingRules) => ({ ...rules, version: expect.any(String) as string })

  test('until they are set, the rules are those of the first documents; everybody signed in reads them', async () => {
    const { parent } = await canteen.family('rita')
    expect(await parent.call(getOrderingRules)).toEqual(withVersion(asFirst))
    expect((await refused(canteen.visitor().call(getOrderingRules))).status).toBe(401)
  })

  test('who has the feature settings sets them, and everybody reads them at once', async () => {
    const { parent } = await canteen.family('rosa')
    const cook = await canteen.administrator('rulescook', 'kitchen')
    const office = await canteen.administrator('rulesoffice', 'settings')
    expect((await refused(cook.call(saveOrderingRules, { body: other }))).status).toBe(403)
    expect(await office.call(saveOrderingRules, { body: other })).toEqual(withVersion(other))
    expect(await parent.call(getOrderingRules)).toEqual(withVersion(other))
    await office.call(saveOrderingRules, { body: asFirst })
    expect(await parent.call(getOrderingRules)).toEqual(withVersion(asFirst))
  })

  test.each([
    [{ cancelUntil: 'never' }, 'cancelUntil'],
    [{ lateRemedy: 'cash' }, 'lateRemedy'],
    [{ absence: 'refund' }, 'absence'],
    [{ absencePercent: 101 }, 'absencePercent'],
    [{ absencePercent: 0.5 }, 'absencePercent'],
    [{ lowPortions: -1 }, 'lowPortions'],
  ])('%j is refused', async (wrong, field) => {
    const body = { ...asFirst, ...wrong } as OrderingRules
    const answer = await refused(canteen.superadminClient.call(saveOrderingRules, { body }))
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.fields ?? {})).toEqual([field])
    expect(await canteen.superadminClient.call(getOrderingRules)).toEqual(withVersion(asFirst))
  })

  const switchReminders = (reminders: boolean) =>
    canteen.superadminClient.call(saveMessageSettings, {
      body: { sms: false, dailyCeiling: null, orderWithPhone: false, reminders },
    })

  const subject = 'No lunch ordered for next week'
  const remind = () => canteen.sweepNamed('remind-to-order')
  const reminded = async () => {
    const { rows } = await canteen.infrastructure.database.pool.query<{ username: string }>(
      `select account.username from messaging.mail_outbox
     join identity.users account on account.id = "userId"
     where subject = $1 and username = any($2) order by account.id`,
      [subject, ['nothing.ordered', 'one.ordered', 'this.week', 'opted.out', 'no.children']],
    )
    return rows.map(({ username }) => username)
  }
  describe('on Thursday at 17:00', () => {
    test('families without a lunch for next week are reminded, once, through crashes and sweeps at once', async () => {
      await canteen.payingFamily('nothing.ordered', '3', '9')
      const ordered = await canteen.payingFamily('one.ordered', '3', '9')
      const thisWeek = await canteen.payingFamily('this.week', '3')
      const optedOut = await canteen.payingFamily('opted.out', '3')
      await canteen.payingFamily('no.children')
      await place(ordered.parent, [canteen.porridgeFor(ordered.children[0]!, 1, { weekNumber: 2 })])
      await place(thisWeek.parent, [canteen.porridgeFor(thisWeek.children[0]!, 5)])
      await optedOut.parent.call(saveUserMessages, { body: { channel: 'mail', reminders: false } })

      canteen.setClock('2026-09-17T17:00:00+02:00')
      await remind()
      // The school does not remind until it says so.
      expect(await reminded()).toEqual([])
      canteen.setClock('2026-09-17T16:59:59+02:00')
      await switchReminders(true)
      await remind()
      expect(await reminded()).toEqual([])

      const outbox = await closeOutbox(canteen.infrastructure.database.pool, thisWeek.userId)
      canteen.setClock('2026-09-17T17:00:00+02:00')
      await expect(remind()).rejects.toThrow('killed')
      expect(await reminded()).toEqual(['nothing.ordered'])
      await outbox.open()
      await Promise.all([remind(), remind()])
      canteen.setClock('2026-09-18T16:59:59+02:00')
      await remind()
      expect(await reminded()).toEqual(['nothing.ordered', 'this.week'])
    })

    test('the link in a reminder stops them, and without an open week there are none', async () => {
      const { rows } = await canteen.infrastructure.database.pool.query<{ text: string }>(
        `select text from messaging.mail_outbox join identity.users account on account.id = "userId"
         where subject = $1 and username = 'nothing.ordered'`,
        [subject],
      )
      const { text } = rows[0]!
      expect(text).toContain(
        'no lunch is ordered for next week yet. The first day is Monday, 21 September 2026.',
      )
      const [, token] = /\/stop\/(\S+)/.exec(text)!
      await canteen.visitor().call(stopReminders, { body: { token: token! } })
      canteen.setClock('2026-09-24T17:00:00+02:00')
      await remind()
      // Whoever had ordered for that week has not for the one after it.
      expect(await reminded()).toEqual(['nothing.ordered', 'one.ordered', 'this.week', 'this.week'])
      // The cycle ends with the week of 5 October.
      canteen.setClock('2026-10-08T17:00:00+02:00')
      await remind()
      expect(await reminded()).toHaveLength(4)
    })
  })
})
