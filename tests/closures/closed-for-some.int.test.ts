import { v7 } from 'uuid'
import {
  closeDays,
  cycleDays,
  listClosures,
  previewClosure,
  undoClosure,
  getClosure,
} from '#contracts/closures'
import { getCredit } from '#contracts/credit'
import { createCycle, deactivateCycle, listCycles } from '#contracts/cycles'
import { type Student, updateStudent } from '#contracts/identity'
import { classList, kitchenToday } from '#contracts/kitchen'
import { type CartLine, type Order, listOrders } from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import { listRefunds } from '#contracts/refunds'
import { insertClosure } from '#modules/cycles/closed-days.rows'
import type { Client } from '../../src/app/demo/client'
import { type Canteen, refused } from '../ordering/canteen'
import { withoutWorker } from '../ordering/without-worker'
import { type AlternativeCanteen, openAlternativeCanteen, order } from '../payments/alternative-canteen'
import { mailTo } from '../support/mails'

type Whom = { grades?: ('9' | '10' | '11' | 'teacher')[]; classes?: string[] }

const wordsOf = (canteen: Canteen) => {
  const office = canteen.superadminClient
  const params = { id: canteen.cycle.id }
  return {
    params,
    close: (dates: string[], whom: Whom, more: object = {}, key?: string) =>
      office.call(closeDays, {
        params,
        body: { dates, reason: 'Trip to Livingstone', remedy: 'refund' as const, ...whom, ...more },
        headers: key === undefined ? undefined : { 'idempotency-key': key },
      }),
    preview: (dates: string[], whom: Whom) =>
      office.call(previewClosure, { params, body: { dates, ...whom } }),
    undo: (id: string) => office.call(undoClosure, { params: { id } }),
    dayOf: async (date: string) =>
      (await office.call(cycleDays, { params })).days.find((day) => day.date === date)!,
    moveTo: async (child: Student, inClass: string, grade = child.grade) => {
      const body = { name: child.name, grade: grade as '9', class: inClass }
      await office.call(updateStudent, { params: { id: child.id }, body })
    },
  }
}

/** Days from 8 on lie in the weeks after the first. */
const onDay = (line: CartLine): CartLine => ({
  ...line,
  weekNumber: Math.ceil(line.dayOfWeek / 7),
  dayOfWeek: line.dayOfWeek % 7,
})

const statusesOf = async (parent: Client) =>
  ((await parent.call(listOrders)) as Order[]).map(({ status }) => status)

let canteen: AlternativeCanteen
let words: ReturnType<typeof wordsOf>
beforeAll(async () => {
  canteen = withoutWorker(await openAlternativeCanteen({ ROLE: 'web' }))
  words = wordsOf(canteen)
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

describe('a date closed for some', () => {
  /** A family with an address whose child is in this class. */
  const inClass = async (username: string, grade: '9' | '10' | '11', name: string) => {
    const family = await canteen.payingFamily(username, grade)
    const [child] = family.children
    await words.moveTo(child!, name)
    return { ...family, child: child! }
  }
  const stew = (child: Student, day: number) => onDay(canteen.stewFor(child, day))
  const sweep = () => canteen.sweepNamed('carry-out-closures')

  test('cancels the orders of its grades and classes alone, and tells their families', async () => {
    const [tripping, classmate, other] = [
      await inClass('mwila', '9', '9A'),
      await inClass('natasha', '10', '9a'),
      await inClass('joseph', '11', '9B'),
    ]
    const [paid] = (await order(tripping.parent, [stew(tripping.child, 2)])).orders
    await canteen.verify([paid!.id])
    await order(classmate.parent, [stew(classmate.child, 2)])
    await order(other.parent, [stew(other.child, 2)])
    const date = '2026-09-15'
    expect(await words.preview([date], { classes: ['9A'] })).toEqual({
      orders: 2,
      students: 2,
      families: 2,
      unpaid: 1,
      completed: 0,
      paidAmount: 45.5,
      paymentsUnderWay: 0,
    })
    expect(await words.preview([date], { grades: ['11'], classes: ['9 a'] })).toMatchObject({ orders: 3 })
    expect(await words.preview([date], { grades: [], classes: [] })).toMatchObject({ orders: 3 })
    const closed = await words.close([date], { classes: ['9A'] })
    expect(closed).toMatchObject({ cancelled: 2, unpaidCancelled: 1, owed: 45.5, families: 2, skipped: [] })
    expect(await statusesOf(tripping.parent)).toEqual(['cancelled'])
    expect(await statusesOf(classmate.parent)).toEqual(['cancelled'])
    expect(await statusesOf(other.parent)).toEqual(['pending'])
    await canteen.sweepUntil(async () =>
      (await canteen.superadminClient.call(listRefunds)).data.some(({ id }) => id === paid!.id),
    )
    const mail = await mailTo(canteen, 'mwila@example.org', 'Cancelled, ')
    expect(mail.text).toContain('There is no lunch at school for some children')
    expect(mail.text).toContain('Tuesday, 15 September 2026: a meal, K45.50 will be refunded')

    const { data, grades } = await canteen.superadminClient.call(classList, { query: { date } })
    expect(data.map(({ student }) => student)).toEqual(['joseph 11'])
    expect(grades).toEqual(['11'])
    canteen.setClock('2026-09-15T07:00:00+02:00')
    const cook = await canteen.superadmin()
    expect((await cook.call(kitchenToday)).totals).toMatchObject([{ total: 1, cancelledLate: 0 }])
  })

  test('stays open for the others, and is shown and refused to a matching child with the reason', async () => {
    const { parent, child } = await inClass('chipo', '9', '9A')
    const other = await inClass('bwalya', '9', '9B')
    const date = '2026-09-16'
    const { id } = await words.close([date], { classes: ['Grade 9 A'] })
    expect(await words.dayOf(date)).toMatchObject({
      state: 'open',
      closure: null,
      closures: [
        {
          id,
          reason: 'Trip to Livingstone',
          closedAt: '2026-09-14T05:00:00.000Z',
          canUndo: true,
          grades: [],
          classes: ['9A'],
        },
      ],
    })
    const [active] = await parent.call(listCycles)
    expect(active!.closedFor).toContainEqual({
      date,
      grades: [],
      classes: ['9A'],
      reason: 'Trip to Livingstone',
    })
    expect(active!.blockedDays).toEqual([{ week: 2, day: 3 }])
    expect(await refused(order(parent, [stew(child, 3)]))).toMatchObject({
      status: 422,
      lines: [
        {
          code: 'day_blocked',
          reason: 'Trip to Livingstone',
          message: 'School Closed: Trip to Livingstone',
        },
      ],
    })
    expect((await order(other.parent, [stew(other.child, 3)])).orders).toHaveLength(1)
    const { data } = await canteen.superadminClient.call(listClosures)
    expect(data.find((one) => one.id === id)).toMatchObject({ grades: [], classes: ['9A'] })
  })

  test('may be closed for others and for everybody, and not for the same again', async () => {
    const date = '2026-09-17'
    await words.close([date], { classes: ['9A'], grades: ['9'] })
    for (const whom of [
      { classes: ['9a'], grades: ['9' as const] },
      { classes: ['9 A'] },
      { grades: ['9' as const] },
    ])
      expect(await refused(words.close([date], whom))).toMatchObject({
        status: 422,
        code: 'date_closed',
        fields: { dates: expect.stringContaining(date) },
      })
    await words.close([date], { classes: ['9A', '9B'] })
    await words.close([date], {}, { reason: 'Heroes Day' })
    const day = await words.dayOf(date)
    expect(day).toMatchObject({ state: 'blocked', closure: { reason: 'Heroes Day' } })
    expect(day.closures.map(({ classes }) => classes)).toEqual([['9A'], ['9A', '9B']])
    expect(await refused(words.preview([date], { classes: ['9C'] }))).toMatchObject({ code: 'date_closed' })
  })

  test('two who close it for the same children at once close it once', async () => {
    const both = await Promise.allSettled([
      words.close(['2026-10-09'], { grades: ['9', '10'] }),
      words.close(['2026-10-09'], { grades: ['10', '9'] }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('the same request key closes once, and other classes under it are refused', async () => {
    const first = await words.close(['2026-10-08'], { classes: ['9A'] }, {}, 'some-1')
    expect(await words.close(['2026-10-08'], { classes: ['9A'] }, {}, 'some-1')).toEqual(first)
    expect(await refused(words.close(['2026-10-08'], { classes: ['9B'] }, {}, 'some-1'))).toMatchObject({
      code: 'idempotency_key_reused',
    })
  })

  test('the reason of a closing for everybody is shown first, and undoing it leaves the other', async () => {
    const { parent, child } = await inClass('mutinta', '9', '9A')
    const other = await inClass('kunda', '9', '9B')
    await order(parent, [stew(child, 8)])
    await order(other.parent, [stew(other.child, 8)])
    const date = '2026-09-21'
    const some = await words.close([date], { classes: ['9A'] })
    const whole = await words.close([date], {}, { reason: 'Heroes Day' })
    expect([some.cancelled, whole.cancelled]).toEqual([1, 1])
    expect(await refused(order(parent, [stew(child, 8)]))).toMatchObject({
      lines: [{ code: 'day_blocked', reason: 'Heroes Day' }],
    })
    const [active] = await parent.call(listCycles)
    expect(active!.weeks![1]!.days[0]).toMatchObject({ date, state: 'blocked', reason: 'Heroes Day' })

    expect(await words.undo(whole.id)).toMatchObject({ restored: 1, notRestored: [] })
    expect(await statusesOf(other.parent)).toEqual(['pending'])
    expect(await statusesOf(parent)).toEqual(['cancelled'])
    expect(await refused(order(parent, [stew(child, 8)]))).toMatchObject({
      lines: [{ code: 'day_blocked', reason: 'Trip to Livingstone' }],
    })
    expect(await words.undo(some.id)).toMatchObject({ restored: 1, families: 1 })
    expect(await statusesOf(parent)).toEqual(['pending'])
    const mail = await mailTo(canteen, 'mutinta@example.org', 'Ordered again')
    expect(mail.text).toContain('Monday, 21 September 2026: a meal')
  })

  test('undoing it gives no meal back that another closing stops', async () => {
    const { parent, child } = await inClass('lombe', '9', '9A')
    const [meal] = (await order(parent, [stew(child, 9)])).orders
    const some = await words.close(['2026-09-22'], { classes: ['9A'] })
    await words.close(['2026-09-22'], { grades: ['9'] })
    expect(await words.undo(some.id)).toEqual({
      restored: 0,
      notRestored: [{ orderId: meal!.id, code: 'day_blocked', message: 'The school is closed on this day' }],
      families: 0,
      notTold: 0,
    })
    expect(await statusesOf(parent)).toEqual(['cancelled'])
  })

  test('a day that was blocked when its cycle was made is not opened by undoing a closing for some', async () => {
    await canteen.superadminClient.call(deactivateCycle, { params: { id: canteen.cycle.id } })
    const { id } = await words.close(['2026-10-07'], { classes: ['9A'] })
    canteen.cycle = await canteen.superadminClient.call(createCycle, {
      body: {
        startDate: '2026-09-14',
        cycleLength: 4,
        blockedDays: [
          { week: 2, day: 3 },
          { week: 4, day: 3 },
        ],
      },
    })
    words = wordsOf(canteen)
    expect(await words.dayOf('2026-10-07')).toMatchObject({ state: 'blocked', closures: [{ id }] })
    await words.undo(id)
    expect(await words.dayOf('2026-10-07')).toMatchObject({ state: 'blocked', closures: [] })
  })

  test('a child is judged by the class it has when it orders, and orders that stand stay', async () => {
    const moving = await inClass('zelipa', '9', '9B')
    const date = '2026-09-24'
    const { id } = await words.close([date], { classes: ['9A'] })
    await order(moving.parent, [stew(moving.child, 11)])
    await words.moveTo(moving.child, '9A')
    await sweep()
    expect(await statusesOf(moving.parent)).toEqual(['pending'])
    expect(await canteen.superadminClient.call(getClosure, { params: { id } })).toMatchObject({ total: 0 })
    const late = await inClass('tafadzwa', '9', '9B')
    await words.moveTo(late.child, '9A')
    expect(await refused(order(late.parent, [stew(late.child, 11)]))).toMatchObject({
      lines: [{ code: 'day_blocked' }],
    })
    await words.moveTo(late.child, '9B')
    expect((await order(late.parent, [stew(late.child, 11)])).orders).toHaveLength(1)
  })

  test('an order that slips in while the date is being closed is cancelled, and no other', async () => {
    const slipping = await inClass('lubinda', '9', '9A')
    const other = await inClass('chileshe', '9', '9B')
    await order(slipping.parent, [stew(slipping.child, 15)])
    await order(other.parent, [stew(other.child, 15)])
    const id = v7()
    await canteen.infrastructure.database.knex.transaction(async (transaction) => {
      const closure = { id, cycleId: canteen.cycle.id, dates: ['2026-09-28'], grades: [], classes: ['9A'] }
      const stamp = { actor: 'user:1', correlationId: id, at: canteen.now() }
      const told = { reason: 'Trip', remedy: 'refund' as const, planned: false }
      await insertClosure(transaction, { ...closure, ...told }, stamp)
      await transaction('closures.closures').where({ id }).update({ orders_noted: true })
    })
    await canteen.sweepUntil(async () => (await statusesOf(slipping.parent))[0] === 'cancelled')
    await sweep()
    expect(await statusesOf(other.parent)).toEqual(['pending'])
  })
})

describe('card money for a date closed for some', () => {
  beforeAll(() => canteen.set({ enabled: false }))

  /** A parent on the card provider's page with a stew for a child of each of these classes. */
  const paying = async (username: string, day: number, ...classes: string[]) => {
    const { parent, children } = await canteen.payingFamily(username, ...classes.map(() => '9' as const))
    for (const [place, child] of children.entries()) await words.moveTo(child, classes[place]!)
    const cartItems = children.map((child) => canteen.stewFor(child, day, { weekNumber: 3 }))
    const { TransToken } = await parent.call(createPayment, {
      body: { amount: 45.5 * classes.length, cartItems },
    })
    const pay = async () => {
      const card = new URLSearchParams({ outcome: 'pay', card: '4111111111111111' })
      await canteen.visitor().fetch(`/sandbox/pay/${TransToken}`, { method: 'POST', body: card })
      return parent.call(verifyPayment, { params: { transactionId: TransToken } })
    }
    return { parent, children, pay }
  }
  const owedBy = async (id: string) =>
    (await canteen.superadminClient.call(getClosure, { params: { id } })).owed

  test('is owed for the children it is closed for, and orders the meals of the others', async () => {
    const { parent, children, pay } = await paying('mwape', 2, '9A', '9B')
    const date = '2026-09-29'
    expect(await words.preview([date], { classes: ['9A'] })).toMatchObject({ paymentsUnderWay: 1 })
    expect(await words.preview([date], { classes: ['9C'] })).toMatchObject({ paymentsUnderWay: 0 })
    const { id } = await words.close([date], { classes: ['9A'] })
    // Who has changed classes while paying is judged as it was when it ordered.
    await words.moveTo(children[0]!, '9B')
    await words.moveTo(children[1]!, '9A')
    await pay()
    await canteen.sweepUntil(async () => (await owedBy(id)) === 45.5)
    expect(await parent.call(listOrders)).toMatchObject([{ studentId: children[1]!.id, status: 'pending' }])
    canteen.passMinute()
    const mail = await mailTo(canteen, 'mwape@example.org', 'Paid, but no lunch')
    expect(mail.text).toContain('Tuesday, 29 September 2026: a meal, K45.50 will be refunded')
  })

  test('follows the remedy of the closing, also when the date is open again', async () => {
    const { parent, pay } = await paying('nchimunya', 4, '9A')
    const { id } = await words.close(['2026-10-01'], { grades: ['9'] }, { remedy: 'credit' })
    canteen.setClock('2026-09-14T07:05:00+02:00')
    await words.undo(id)
    await pay()
    await canteen.sweepUntil(async () => (await parent.call(getCredit)).balance === 45.5)
    expect(await parent.call(listOrders)).toEqual([])
  })
})
