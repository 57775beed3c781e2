import {
  closeDays,
  cycleDays,
  getClosure,
  listClosures,
  previewClosure,
  undoClosure,
} from '#contracts/closures'
import { getCredit } from '#contracts/credit'
import { listCycles, previewCycle } from '#contracts/cycles'
import { addStudent } from '#contracts/identity'
import { setOrderStatus } from '#contracts/kitchen'
import { type CartLine, type Order, cancelOrder, listOrders } from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import { payOutCredit, completeRefund, listRefunds } from '#contracts/refunds'
import type { ClosuresNeeds } from '#modules/closures/closed-orders.rows'
import { listMails } from '../../src/adapters/mail'
import type { Client } from '../../src/app/demo/client'
import { refused } from '../ordering/canteen'
import { withoutWorker } from '../ordering/without-worker'
import { type AlternativeCanteen, openAlternativeCanteen, order } from '../payments/alternative-canteen'
import { mailTo } from '../support/mails'

let canteen: AlternativeCanteen
beforeAll(async () => {
  canteen = withoutWorker(await openAlternativeCanteen({ ROLE: 'web' }))
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

describe('closures', () => {
  let planner: Client
  let office: Client
  beforeAll(async () => {
    planner = await canteen.administrator('planner', 'cycles')
    office = canteen.superadminClient
  })

  const holiday = { reason: 'Public holiday', remedy: 'refund' as const }
  const params = () => ({ id: canteen.cycle.id })
  const close = (dates: string[], more: object = {}, key?: string, by = planner) =>
    by.call(closeDays, {
      params: params(),
      body: { dates, ...holiday, ...more },
      headers: key === undefined ? undefined : { 'idempotency-key': key },
    })
  const undo = (id: string) => planner.call(undoClosure, { params: { id } })
  const dayOf = async (date: string) =>
    (await planner.call(cycleDays, { params: params() })).days.find((day) => day.date === date)!
  const statusesOf = async (parent: Client) =>
    ((await parent.call(listOrders)) as Order[]).map(({ id, status }) => [id, status])

  /** Days from 8 on lie in the weeks after the first. */
  const onDay = (line: CartLine): CartLine => ({
    ...line,
    weekNumber: Math.ceil(line.dayOfWeek / 7),
    dayOfWeek: line.dayOfWeek % 7,
  })

  /** A family with an address, whose child's stew of that day, counted from the cycle's first Monday, is paid for, or not. */
  const stewOn = async (username: string, day: number, paid = true) => {
    const family = await canteen.payingFamily(username, '9')
    const { orders } = await order(family.parent, [onDay(canteen.stewFor(family.children[0]!, day))])
    if (paid) await canteen.verify([orders[0]!.id])
    return { ...family, stew: orders[0]! }
  }

  const balanceOf = async ({ parent }: { parent: Client }) => (await parent.call(getCredit)).balance

  test('closing a day cancels what is pending on it, tells how the money goes back, and tells each family once', async () => {
    const paid = await stewOn('mwila', 2)
    await stewOn('natasha', 2, false)
    const eaten = await stewOn('joseph', 2)
    await office.call(setOrderStatus, { body: { orderIds: [eaten.stew.id], status: 'completed' } })
    expect(await planner.call(previewClosure, { params: params(), body: { dates: ['2026-09-15'] } })).toEqual(
      {
        orders: 2,
        students: 2,
        families: 2,
        unpaid: 1,
        completed: 1,
        paidAmount: 45.5,
        paymentsUnderWay: 0,
      },
    )
    const closed = await close(['2026-09-15'])
    expect(closed).toEqual({
      id: expect.any(String),
      dates: ['2026-09-15'],
      done: 3,
      total: 3,
      cancelled: 2,
      unpaidCancelled: 1,
      owed: 45.5,
      families: 2,
      notTold: 0,
      skipped: [
        { orderId: eaten.stew.id, code: 'already_completed', message: 'This order is already completed' },
      ],
    })
    expect(await statusesOf(paid.parent)).toEqual([[paid.stew.id, 'cancelled']])
    expect(await statusesOf(eaten.parent)).toEqual([[eaten.stew.id, 'completed']])
    await canteen.sweepUntil(async () =>
      (await office.call(listRefunds)).data.some(({ id, amount }) => id === paid.stew.id && amount === 45.5),
    )
    const mail = await mailTo(canteen, 'mwila@example.org', 'Cancelled, ')
    expect(mail.text).toContain('Tuesday, 15 September 2026: a meal, K45.50 will be refunded')
    // The address is not confirmed: what the office typed stays out.
    expect(mail.text).not.toContain('Public holiday')
    const other = await mailTo(canteen, 'natasha@example.org', 'Cancelled, ')
    expect(other.text).toContain('it was not paid for, you owe nothing')
    expect(await planner.call(getClosure, { params: { id: closed.id } })).toEqual(closed)

    expect(await dayOf('2026-09-15')).toEqual({
      date: '2026-09-15',
      week: 1,
      day: 2,
      state: 'blocked',
      closure: {
        id: closed.id,
        reason: 'Public holiday',
        closedAt: '2026-09-14T05:00:00.000Z',
        closedBy: 'planner',
        canUndo: true,
      },
      closures: [],
      orders: 1,
      unpaid: 0,
      amount: 45.5,
    })
    const late = await canteen.family('chipo', '9')
    expect(await refused(order(late.parent, [canteen.stewFor(late.children[0]!, 2)]))).toMatchObject({
      lines: [{ code: 'day_blocked' }],
    })
    const [active] = await late.parent.call(listCycles)
    expect(active!.blockedDays).toContainEqual({ week: 1, day: 2 })
  })

  test('opening the day again brings back what can be, and names the rest', async () => {
    const kept = await stewOn('bwalya', 3)
    const paidBack = await stewOn('mutinta', 3)
    const other = await canteen.family('kunda', '9')
    await order(other.parent, [canteen.stewFor(other.children[0]!, 3)])
    const { id, ...closed } = await close(['2026-09-16'])
    expect(closed).toMatchObject({ cancelled: 3, families: 3, notTold: 1 })
    const refund = await canteen.sweepUntil(
      async () => (await office.call(listRefunds)).data.find((one) => one.id === paidBack.stew.id) ?? false,
    )

    await office.call(completeRefund, { params: { id: refund.id } })
    const undone = await undo(id)
    expect(undone).toEqual({
      restored: 2,
      notRestored: [
        { orderId: paidBack.stew.id, code: 'already_refunded', message: 'This order was paid back' },
      ],
      families: 2,
      notTold: 1,
    })
    expect(await undo(id)).toEqual(undone)
    expect(await planner.call(getClosure, { params: { id } })).toMatchObject({ done: 3, total: 3, undone })
    expect(await statusesOf(kept.parent)).toEqual([[kept.stew.id, 'pending']])
    expect((await dayOf('2026-09-16')).state).toBe('open')
    const mail = await mailTo(canteen, 'bwalya@example.org', 'Ordered again')
    expect(mail.text).toContain('Wednesday, 16 September 2026: a meal')
    expect(mail.text).toContain('K45.50 is paid and will not be refunded')
    await canteen.sweepUntil(
      async () => !(await office.call(listRefunds)).data.some((one) => one.id === kept.stew.id),
    )
    const { data } = await planner.call(listClosures)
    expect(data.find((one) => one.id === id)).toMatchObject({
      closedBy: 'planner',
      undoneBy: 'planner',
      canUndo: false,
      reason: 'Public holiday',
      remedy: 'refund',
      cycleId: canteen.cycle.id,
    })
  })

  test('an order that its parent had cancelled, or whose day has begun, does not come back', async () => {
    const own = await stewOn('lombe', 4)
    const today = await stewOn('tafadzwa', 4)
    await own.parent.call(cancelOrder, { params: { id: own.stew.id } })
    const { id } = await close(['2026-09-17'])
    // What looks after orders that slip in may have come first, and has yet to write it down.
    await canteen.sweepUntil(async () => (await planner.call(getClosure, { params: { id } })).cancelled === 1)
    canteen.setClock('2026-09-17T08:00:00+02:00')
    const late = await canteen.superadmin()
    expect(await late.call(undoClosure, { params: { id } })).toMatchObject({
      restored: 0,
      notRestored: [{ orderId: today.stew.id, code: 'cutoff_passed' }],
      families: 0,
    })
  })

  test('dates that cannot be closed are refused, and two who close at once close once', async () => {
    for (const [date, code] of [
      ['2026-09-13', 'date_outside_cycle'],
      ['2026-11-02', 'date_outside_cycle'],
      ['2026-09-23', 'date_closed'],
    ] as const) {
      const answer = await refused(close([date]))
      expect(answer).toMatchObject({ status: 422, code, fields: { dates: expect.stringContaining(date) } })
    }
    canteen.setClock('2026-09-15T07:00:00+02:00')
    expect(await refused(close(['2026-09-14']))).toMatchObject({ status: 422, code: 'date_past' })
    const both = await Promise.allSettled([close(['2026-09-24']), close(['2026-09-24', '2026-09-25'])])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await refused(planner.call(getClosure, { params: { id: 'nothing' } }))).toMatchObject({
      status: 404,
      code: 'closure_not_found',
    })
  })

  test('the same request key closes once, and another body under it is refused', async () => {
    const first = await close(['2026-09-28'], {}, 'key-1')
    expect(await close(['2026-09-28'], {}, 'key-1')).toEqual(first)
    expect(await refused(close(['2026-09-29'], {}, 'key-1'))).toMatchObject({
      status: 409,
      code: 'idempotency_key_reused',
    })
  })

  test('a day that was blocked when the cycle was made stands as a closure, and undoing it opens the day', async () => {
    const { closure } = await dayOf('2026-09-23')
    expect(closure).toMatchObject({ reason: 'Blocked when the cycle was made', canUndo: true })
    const plan = { startDate: '2026-09-21', cycleLength: 4 as const, blockedDays: [] }
    expect((await planner.call(previewCycle, { body: plan })).closed).toContain('2026-09-23')
    expect(await undo(closure!.id)).toEqual({ restored: 0, notRestored: [], families: 0, notTold: 0 })
    expect(await dayOf('2026-09-23')).toMatchObject({ state: 'open', closure: null })
    const child = await canteen.family('nkandu', '9')
    const line = { ...canteen.stewFor(child.children[0]!, 3), weekNumber: 2 }
    expect((await order(child.parent, [line])).orders).toHaveLength(1)
  })

  test('orders that cannot be looked at keep no noted ones from being cancelled', async () => {
    const { parent, stew } = await stewOn('monde', 22)
    const named = (name: string) => canteen.modules.find((one) => one.name === name)!
    const ordering = named('ordering') as unknown as ClosuresNeeds['ordering']
    jest.spyOn(ordering, 'change').mockRejectedValueOnce(new Error('killed'))
    await close(['2026-10-05'])
    expect(await statusesOf(parent)).toEqual([[stew.id, 'pending']])
    const { ordersWhere } = ordering
    jest.spyOn(ordering, 'ordersWhere').mockImplementation(async (filter, shown) => {
      if (filter.dates) throw new Error('away')
      return ordersWhere(filter, shown)
    })
    await expect(named('closures').sweeps[0]!.run()).rejects.toThrow('1 of 3 failed')
    expect(await statusesOf(parent)).toEqual([[stew.id, 'cancelled']])
  })

  test('an order that is set back to pending on a closed day is cancelled again', async () => {
    const { stew, parent } = await stewOn('zelipa', 5)
    const { id } = await close(['2026-09-18'])
    await office.call(setOrderStatus, { body: { orderIds: [stew.id], status: 'pending' } })
    await canteen.sweepUntil(async () => (await statusesOf(parent))[0]![1] === 'cancelled')
    await canteen.sweepUntil(async () => {
      const { cancelled, done, total } = await planner.call(getClosure, { params: { id } })
      return cancelled === 1 && done === total
    })
  })

  test('a meal that slips in after its family was told is told by a further mail, which names nothing else', async () => {
    const { parent, children } = await canteen.payingFamily('lubinda', '9')
    const { orders } = await order(
      parent,
      [16, 18].map((day) => onDay(canteen.stewFor(children[0]!, day))),
    )
    await parent.call(cancelOrder, { params: { id: orders[1]!.id } })
    const { id } = await close(['2026-09-29', '2026-10-01'])
    const about = 'Cancelled, '
    const first = await mailTo(canteen, 'lubinda@example.org', about)
    expect(first.text).toContain('Tuesday, 29 September')
    expect(first.text).not.toContain('Thursday, 1 October')
    await office.call(setOrderStatus, { body: { orderIds: [orders[1]!.id], status: 'pending' } })
    const further = await mailTo(canteen, 'lubinda@example.org', 'Cancelled as well')
    expect(further.text).toContain('Thursday, 1 October')
    expect(further.text).not.toContain('Tuesday, 29 September')
    await office.call(setOrderStatus, { body: { orderIds: [orders[1]!.id], status: 'pending' } })
    await canteen.sweepUntil(async () =>
      (await statusesOf(parent)).every(([, status]) => status === 'cancelled'),
    )
    await undo(id)
    await mailTo(canteen, 'lubinda@example.org', 'Ordered again')
    const mails = (await listMails(canteen.dataDir)).filter(({ to }) => to.includes('lubinda@example.org'))
    expect(mails.filter(({ subject }) => subject.startsWith('Cancelled'))).toHaveLength(2)
  })

  test('with credit as the remedy families get credit, which opening the day takes back unless it is spent', async () => {
    const kept = await stewOn('chileshe', 8)
    const spent = await stewOn('kabwe', 8)
    const { id } = await close(['2026-09-21'], { remedy: 'credit' })
    await canteen.sweepUntil(
      async () => (await balanceOf(kept)) === 45.5 && (await balanceOf(spent)) === 45.5,
    )
    const body = { amount: 45.5, method: 'cash', reference: 'till 3' } as const
    await office.call(payOutCredit, { params: { id: spent.userId }, body })
    expect((await undo(id)).notRestored).toMatchObject([{ orderId: spent.stew.id, code: 'credit_spent' }])
    expect(await statusesOf(kept.parent)).toEqual([[kept.stew.id, 'pending']])
    await canteen.sweepUntil(async () => (await balanceOf(kept)) === 0)
    const mail = await mailTo(canteen, 'chileshe@example.org', 'Ordered again')
    expect(mail.text).toContain('K45.50 was taken from your credit again')
  })
})

describe('late card money', () => {
  beforeAll(() => canteen.set({ enabled: false }))

  /** A parent on the card provider's page with a stew for each of these days of the fourth week. */
  const paying = async (username: string, ...days: number[]) => {
    const parent = await canteen.parent(username, { email: `${username}@example.org` })
    const child = await parent.call(addStudent, { body: { name: 'Child', grade: '9' } })
    const cartItems = days.map((day) => canteen.stewFor(child, day, { weekNumber: 4 }))
    const { TransToken } = await parent.call(createPayment, {
      body: { amount: 45.5 * days.length, cartItems },
    })
    const choose = async (outcome: 'pay' | 'decline') => {
      const card = new URLSearchParams({ outcome, card: '4111111111111111' })
      await canteen.visitor().fetch(`/sandbox/pay/${TransToken}`, { method: 'POST', body: card })
      return parent.call(verifyPayment, { params: { transactionId: TransToken } })
    }
    return { parent, pay: () => choose('pay'), decline: () => choose('decline') }
  }
  const close = (date: string, remedy: 'refund' | 'credit') =>
    canteen.superadminClient.call(closeDays, {
      params: { id: canteen.cycle.id },
      body: { dates: [date], reason: 'Public holiday', remedy },
    })
  const refundsOf = async (amount: number) =>
    (await canteen.superadminClient.call(listRefunds)).data.filter((refund) => refund.amount === amount)

  const owedBy = async (id: string) =>
    (await canteen.superadminClient.call(getClosure, { params: { id } })).owed

  test('card money for a day that was closed meanwhile is owed as a refund, the other meals are ordered', async () => {
    const before = (await refundsOf(45.5)).length
    const { parent, pay } = await paying('mwape', 2, 3)
    const underWay = await canteen.superadminClient.call(previewClosure, {
      params: { id: canteen.cycle.id },
      body: { dates: ['2026-10-06'] },
    })
    expect(underWay).toMatchObject({ orders: 0, paymentsUnderWay: 1 })
    const { id } = await close('2026-10-06', 'refund')
    expect(await owedBy(id)).toBe(0)
    await pay()
    await canteen.sweepUntil(async () => (await refundsOf(45.5)).length === before + 1)
    await canteen.sweepUntil(async () => (await owedBy(id)) === 45.5)
    expect(await parent.call(listOrders)).toMatchObject([{ dayOfWeek: 3, status: 'pending' }])
    canteen.passMinute()
    const mail = await mailTo(canteen, 'mwape@example.org', 'Paid, but no lunch')
    expect(mail.text).toContain('Tuesday, 6 October 2026: a meal, K45.50 will be refunded')
  })

  test('a payment whose card was declined is under way as long as another card may pay it', async () => {
    const { decline } = await paying('kasuba', 5)
    const underWay = async () => {
      const asked = { params: { id: canteen.cycle.id }, body: { dates: ['2026-10-09'] } }
      return (await canteen.superadminClient.call(previewClosure, asked)).paymentsUnderWay
    }
    await decline()
    await canteen.sweepUntil(async () => (await underWay()) === 1)
    canteen.setClock('2026-09-14T07:41:00+02:00')
    expect(await underWay()).toBe(0)
  })

  test('with credit as the remedy it becomes credit, also when the day is open again', async () => {
    const { parent, pay } = await paying('nchimunya', 4)
    const { id } = await close('2026-10-08', 'credit')
    canteen.setClock('2026-09-14T07:05:00+02:00')
    await canteen.superadminClient.call(undoClosure, { params: { id } })
    await pay()
    await canteen.sweepUntil(async () => (await parent.call(getCredit)).balance === 45.5)
    expect((await parent.call(getCredit)).entries).toMatchObject([
      { kind: 'closed', amount: 45.5, text: expect.stringContaining('the day was closed') },
    ])
    await canteen.sweepUntil(async () => (await owedBy(id)) === 45.5)
    expect(await parent.call(listOrders)).toEqual([])
    const again = await paying('jairos', 4)
    await again.pay()
    await canteen.sweepUntil(async () => ((await again.parent.call(listOrders)) as unknown[]).length === 1)
  })

  test('what a closure owes is what its cancelled orders do, not those that were placed again', async () => {
    const [one, other] = [await paying('mubanga', 5), await paying('kasonde', 5)]
    await one.pay()
    await other.pay()
    const orderOf = async ({ parent }: typeof one) => ((await parent.call(listOrders)) as Order[])[0]!
    const { id: refundId } = await orderOf(one)
    const { id, owed } = await close('2026-10-09', 'refund')
    expect(owed).toBe(91)
    await canteen.sweepUntil(async () => (await refundsOf(45.5)).some((refund) => refund.id === refundId))
    expect(await owedBy(id)).toBe(91)
    await canteen.superadminClient.call(completeRefund, { params: { id: refundId } })
    await canteen.superadminClient.call(undoClosure, { params: { id } })
    await canteen.sweepUntil(async () => (await orderOf(other)).status === 'pending')
    expect(await owedBy(id)).toBe(45.5)
  })
})
