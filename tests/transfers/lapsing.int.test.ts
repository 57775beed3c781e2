import { getCredit, giveCredit } from '#contracts/credit'
import { setOrderStatus } from '#contracts/kitchen'
import { type CartLine, type Order, listOrders, placeOrders } from '#contracts/ordering'
import { openPayments } from '#contracts/payments'
import { pendingPayments, ignoreStatementRow, statementRows } from '#contracts/transfers'
import { isWrong } from '#modules/audit/checks/audit-report'
import { balancesOf, creditFaults } from '#modules/audit/checks/balance.decide'
import { journalSums } from '#modules/audit/checks/journal-sums'
import type { OrderFacts, Ordering } from '#modules/ordering/index'
import { lapseUnpaidMeals } from '#modules/transfers/unpaid/lapse-unpaid-meals.job'
import { listMails } from '../../src/adapters/mail'
import type { Client } from '../../src/app/demo/client'
import { type AlternativeCanteen, openAlternativeCanteen } from '../payments/alternative-canteen'
import { eventually } from '../support/eventually'
import { everyEvent } from '../support/every-event'
import { mailTo } from '../support/mails'
import { type TestDatabase, testDatabase } from '../support/postgres'
import { expectRebuildEqualsLive } from '../support/rebuild-equals-live'
import { standIn } from '../support/stand-ins'
import { airtelFile, uploaded } from '../support/upload-statement'

describe('lapsing', () => {
  let canteen: AlternativeCanteen
  beforeAll(async () => {
    canteen = await openAlternativeCanteen()
  })
  afterAll(() => canteen.close())
  const untilCutoff = () => canteen.set({ enabled: false, beside: true, unpaidUntil: 'cutoff' })
  const never = () => canteen.set({ enabled: false, beside: true, unpaidUntil: 'never' })
  // What had its cutoff before it was switched on is spared, so that each test switches it on at its beginning.
  beforeEach(async () => {
    canteen.setClock('2026-09-14T07:00:00+02:00')
    await never()
    await untilCutoff()
  })

  const monday815 = '2026-09-14T08:15:00+02:00'
  // A quarter of an hour of grace after the cutoff.
  const tuesday815 = '2026-09-15T08:15:00+02:00'
  const tuesdayLapse = '2026-09-15T06:15:00.000Z'
  const wednesdayLapse = '2026-09-16T06:15:00.000Z'
  const warning = 'Not paid yet'
  const notice = ': not paid for'

  const payLater = (client: Client, cartItems: CartLine[], useCredit = false) =>
    client.call(placeOrders, { body: { cartItems, payBy: 'airtel', useCredit } })
  const open = async (client: Client) => (await client.call(openPayments)).data
  const ordersOf = async (client: Client) =>
    new Map(((await client.call(listOrders)) as Order[]).map((order) => [order.id, order]))
  const statusOf = async (client: Client, id: string) => (await ordersOf(client)).get(id)?.status
  const lapsedIs = (client: Client, id: string) =>
    canteen.sweepUntil(async () => (await statusOf(client, id)) === 'cancelled')
  const sweep = () => canteen.sweepNamed('lapse-unpaid-meals')
  const mailsAbout = async (subject: string, username: string) =>
    (await listMails(canteen.dataDir)).filter(
      (mail) => mail.subject.includes(subject) && mail.to.includes(`${username}@example.org`),
    )

  const stewsOn = async (username: string, ...days: number[]) => {
    const family = await canteen.payingFamily(username, '9')
    const { orders, payment } = await payLater(
      family.parent,
      days.map((day) => canteen.stewFor(family.children[0]!, day)),
    )
    return { ...family, orders, reference: payment!.reference }
  }

  test('what is verified at the same moment stands paid or lapses, never both', async () => {
    const families = await Promise.all(['a', 'b', 'c', 'd'].map((letter) => stewsOn(`family${letter}`, 2)))
    const ids = families.map(({ orders }) => orders[0]!.id)
    canteen.setClock(tuesday815)
    const [, ...verified] = await Promise.all([sweep(), ...ids.map((id) => canteen.verify([id]))])
    for (const [place, { parent }] of families.entries()) {
      const isPaid = verified[place]!.updated === 1
      const stands = isPaid
        ? { status: 'pending', paymentStatus: 'confirmed' }
        : { status: 'cancelled', paymentStatus: 'pending' }
      await eventually(async () => expect((await ordersOf(parent)).get(ids[place]!)).toMatchObject(stands))
    }
    await sweep()
    const { rows } = await canteen.infrastructure.database.pool.query(
      `select count(*)::int as both from ordering.orders
       where lapsed and payment_status = 'confirmed' and id = any($1)`,
      [ids],
    )
    expect(rows).toEqual([{ both: 0 }])
  })

  test('an unpaid meal lapses when the grace after its cutoff is over; its family is told with the checkout, a day before, and when it happens', async () => {
    const { parent, userId, orders, reference } = await stewsOn('mwila', 2, 3)
    await canteen.infrastructure.database.pool.query(
      `update identity.users set "emailVerifiedAt" = now() where id = $1`,
      [userId],
    )
    const [tuesday, wednesday] = orders
    expect(await open(parent)).toMatchObject([{ amount: 91, lapsesAt: tuesdayLapse }])
    const { text: howToPay } = await mailTo(canteen, 'mwila@example.org', 'How to pay')
    expect(howToPay).toContain('the first one at 08:15 on Tuesday')

    await sweep()
    expect(await mailsAbout(warning, 'mwila')).toEqual([])
    canteen.setClock(monday815)
    await sweep()
    const { text: warned } = await mailTo(canteen, 'mwila@example.org', warning)
    expect(warned).toContain(`Tuesday, 15 September 2026: Stew, K45.50, reference ${reference}\n`)
    expect(warned).toContain('Please pay until 08:15 on the day of the meal.')
    expect(warned).not.toContain('Wednesday')

    canteen.setClock('2026-09-15T08:14:59+02:00')
    await sweep()
    expect(await statusOf(parent, tuesday!.id)).toBe('pending')
    canteen.setClock(tuesday815)
    await lapsedIs(parent, tuesday!.id)
    expect((await ordersOf(parent)).get(wednesday!.id)).toMatchObject({ status: 'pending' })
    expect(await open(parent)).toMatchObject([{ amount: 45.5, lapsesAt: wednesdayLapse }])
    const { text: told } = await mailTo(canteen, 'mwila@example.org', notice)
    expect(told).toContain('you owe nothing')
    await sweep()
    await sweep()
    expect(await mailsAbout(notice, 'mwila')).toHaveLength(1)
    // One for Tuesday's meal, and by now one for Wednesday's.
    expect(await mailsAbout(warning, 'mwila')).toHaveLength(2)
  })

  test('a meal stays while an open row of a statement could pay for it, and lapses once that is ignored', async () => {
    const { parent, orders, reference } = await stewsOn('bwalya', 2)
    const office = canteen.superadminClient
    const line = `MP1,14/09/2026 19:00,0977111111,BWALYA,20.00,${reference},Transaction Success`
    const { id } = await uploaded(office, { bytes: airtelFile(line) })
    canteen.setClock(tuesday815)
    await sweep()
    expect(await statusOf(parent, orders[0]!.id)).toBe('pending')
    const { data } = await office.call(statementRows, { params: { id }, query: {} })
    await office.call(ignoreStatementRow, { params: { id: data[0]!.id } })
    await sweep()
    await lapsedIs(parent, orders[0]!.id)
  })

  test('who orders within the last day is told with the checkout, and not warned again', async () => {
    canteen.setClock('2026-09-14T09:00:00+02:00')
    await stewsOn('late', 2)
    const { text } = await mailTo(canteen, 'late@example.org', 'How to pay')
    expect(text).toContain('the first one at 08:15 on Tuesday')
    await sweep()
    expect(await mailsAbout(warning, 'late')).toEqual([])
  })

  test('Pending Payments say when the first meal of a family lapses, from 60 minutes before', async () => {
    await stewsOn('grace', 2, 3)
    const lapsesAt = async () =>
      (await canteen.superadminClient.call(pendingPayments, { query: { text: 'grace' } })).data.map(
        (group) => group.lapsesAt,
      )
    expect(await lapsesAt()).toEqual([null])
    canteen.setClock('2026-09-15T07:14:59+02:00')
    expect(await lapsesAt()).toEqual([null])
    canteen.setClock('2026-09-15T07:15:00+02:00')
    expect(await lapsesAt()).toEqual([tuesdayLapse])
    await never()
    expect(await lapsesAt()).toEqual([null])
  })

  test('credit that a lapsed meal took goes back, and its portion, and the books balance', async () => {
    const { parent, userId, children } = await canteen.payingFamily('chola', '9')
    await canteen.superadminClient.call(giveCredit, {
      params: { id: userId },
      body: { amount: 20, reason: 'Sports day' },
      headers: { 'idempotency-key': 'sports-day' },
    })
    const menuItemId = await canteen.cooked('Last fish', '45.50', 1)
    const fish = { ...canteen.stewFor(children[0]!, 2), menuItemId }
    const { orders } = await payLater(parent, [fish], true)
    await canteen.sweepUntil(async () => (await parent.call(getCredit)).balance === 0)
    canteen.setClock(tuesday815)
    await lapsedIs(parent, orders[0]!.id)
    await canteen.sweepUntil(async () => (await parent.call(getCredit)).balance === 20)
    const { text } = await mailTo(canteen, 'chola@example.org', notice)
    expect(text).toContain('you owe nothing, and K20.00 goes back to your credit')
    const ofFish = (await everyEvent(canteen.infrastructure.eventStore)).filter(
      ({ stream }) => stream === `portions-${menuItemId}.2026-09-15`,
    )
    expect(ofFish.at(-1)?.type).toBe('ordering.portion-released.v1')

    const { add, sums } = journalSums()
    add(await everyEvent(canteen.infrastructure.eventStore))
    expect(balancesOf(sums, canteen.now()).filter(isWrong)).toEqual([])
    expect(creditFaults(sums.accounts.values())).toEqual([])
    const contexts = canteen.modules.filter((module) => module.name === 'ordering')
    const filled = ['ordering.orders', 'ordering.kitchen_changes']
    await expectRebuildEqualsLive({ ...canteen.infrastructure, contexts, filled })
  })

  test('set back to never nothing lapses; switched on again it spares what had its cutoff before', async () => {
    const { parent, orders } = await stewsOn('luyando', 2, 3)
    await never()
    expect(await open(parent)).toMatchObject([{ lapsesAt: null }])
    canteen.setClock(tuesday815)
    await sweep()
    await untilCutoff()
    expect(await open(parent)).toMatchObject([{ lapsesAt: wednesdayLapse }])
    // They could not know a day before: they are told at once.
    await sweep()
    await mailTo(canteen, 'luyando@example.org', warning)
    canteen.setClock('2026-09-16T08:15:00+02:00')
    await lapsedIs(parent, orders[1]!.id)
    expect(await statusOf(parent, orders[0]!.id)).toBe('pending')
  })

  test('what the office places again after it lapsed stays, and can be verified', async () => {
    const { parent, orders } = await stewsOn('thabo', 2)
    const { id } = orders[0]!
    canteen.setClock(tuesday815)
    await lapsedIs(parent, id)
    await canteen.superadminClient.call(setOrderStatus, { body: { orderIds: [id], status: 'pending' } })
    await sweep()
    expect(await statusOf(parent, id)).toBe('pending')
    expect(await open(parent)).toMatchObject([{ lapsesAt: null }])
    expect(await canteen.verify([id])).toMatchObject({ updated: 1 })
  })

  test('no meal of an earlier date is cancelled when nobody swept in time', async () => {
    const { parent, orders } = await stewsOn('mulenga', 2)
    canteen.setClock('2026-09-16T07:00:00+02:00')
    await sweep()
    expect(await statusOf(parent, orders[0]!.id)).toBe('pending')
  })
})

describe('lapse mails', () => {
  let school: TestDatabase
  beforeAll(async () => {
    school = await testDatabase()
  })
  afterAll(() => school.close())
  beforeEach(() => school.database.pool.query('truncate transfers.lapse_mails'))

  const since = new Date('2026-09-01T06:00:00Z')
  const cutoff = new Date('2026-09-15T06:00:00Z')
  const meal = (id: string, userId: number, item: string): OrderFacts =>
    standIn({
      id,
      attemptId: '018f0000-0000-7000-8000-000000000001',
      userId,
      mealDate: '2026-09-15',
      student: { name: 'Chanda' },
      item: { name: item },
      price: 4550,
      credit: 0,
      placedAt: new Date('2026-09-10T06:00:00Z'),
      status: 'pending',
      paymentStatus: 'pending',
      lapsed: false,
      lapse: cutoff,
    })

  /** As ordering answers what the sweep asks. */
  const isAsked = (
    order: OrderFacts,
    { ids, lapsesFrom, lapsesUntil, lapsedSince }: Parameters<Ordering['ordersWhere']>[0],
  ): boolean => {
    const { id, status, paymentStatus, lapsed, lapse } = order
    if (ids) return ids.includes(id)
    if (lapsedSince) return lapsed && lapse! >= lapsedSince
    const isUnpaid = status === 'pending' && paymentStatus === 'pending'
    return isUnpaid && lapsesFrom !== undefined && lapse! >= lapsesFrom && lapse! <= lapsesUntil!
  }

  /** Ordering with these meals, and families to whom every mail fails whose turn is named. */
  const familiesWith = (meals: OrderFacts[], failing: number[] = []) => {
    const asked: { id: string; text: string }[] = []
    const ordering = {
      ordersWhere: async (filter: Parameters<Ordering['ordersWhere']>[0]) =>
        filter.payableOn ? [] : meals.filter((order) => isAsked(order, filter)),
      change: async (ids: readonly string[]) => {
        for (const order of meals)
          if (ids.includes(order.id)) Object.assign(order, { status: 'cancelled', lapsed: true })
        return { orders: [], position: null }
      },
    }
    const messageUser = (_userId: number, message: { text: string }, id: string) => {
      asked.push({ id, text: message.text })
      return failing.includes(asked.length) ? Promise.reject(new Error('killed')) : Promise.resolve(true)
    }
    const run = (at: Date) =>
      lapseUnpaidMeals(
        standIn({
          database: school.database,
          now: () => at,
          zone: 'Africa/Lusaka',
          payments: {
            lapsing: async () => ({ since, from: since, today: '2026-09-15' }),
            alternativeReferences: async () => new Map(),
          },
          ordering,
          messaging: { messageUser },
          identity: { peopleOf: async () => new Map(), families: async () => [] },
        }),
      ).run()
    return { asked, run }
  }

  test('a mail that a crash cut off is written again as the same one, and names nothing else', async () => {
    const meals = [meal('a', 7, 'Stew'), meal('b', 7, 'Fish')]
    const { asked, run } = familiesWith(meals, [1])
    await expect(run(cutoff)).rejects.toThrow('failed')
    meals.push({ ...meal('c', 7, 'Porridge'), status: 'cancelled', lapsed: true })
    await run(cutoff)
    await run(cutoff)
    const [first, ...again] = asked
    expect(again.filter(({ id }) => id === first!.id)).toEqual([first])
    // What lapsed later is told of in a mail of its own.
    const others = again.filter(({ id }) => id !== first!.id)
    expect(others).toHaveLength(1)
    expect(others[0]!.text).toContain('Porridge')
    expect(others[0]!.text).not.toContain('Stew')
  })

  test('a family that cannot be written to does not keep the others waiting', async () => {
    const { asked, run } = familiesWith([meal('a', 7, 'Stew'), meal('b', 8, 'Fish')], [1])
    await expect(run(cutoff)).rejects.toThrow('1 of 2 failed')
    expect(new Set(asked.map(({ id }) => id)).size).toBe(2)
  })

  test('a warning that is written late says nothing of what was paid for meanwhile', async () => {
    const meals = [meal('a', 7, 'Stew'), meal('b', 7, 'Fish')]
    const { asked, run } = familiesWith(meals, [1])
    const dayBefore = new Date('2026-09-14T06:00:00Z')
    await run(new Date(dayBefore.getTime() - 1))
    expect(asked).toEqual([])
    await expect(run(dayBefore)).rejects.toThrow()
    meals[0]!.paymentStatus = 'confirmed'
    await run(dayBefore)
    expect(asked).toHaveLength(2)
    expect(asked[1]!.id).toBe(asked[0]!.id)
    expect(asked[1]!.text).toContain('Chanda\n- Tuesday, 15 September 2026: Fish')
    expect(asked[1]!.text).not.toContain('Stew')
  })
})
