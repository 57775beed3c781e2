import { closeDay, saveBooksSettings } from '#contracts/books'
import type { QueryOf } from '#contracts/endpoint'
import { moneyFeatures, today, todayFigures, waitingFeatures, type WaitingKind } from '#contracts/find'
import { type FeatureName, featureNames } from '#contracts/identity'
import { setOrderStatus } from '#contracts/kitchen'
import { placeOrders } from '#contracts/ordering'
import { liveOrders } from '#contracts/payments-console'
import { approveRefund, completeRefund, listRefunds } from '#contracts/refunds'
import type { Client } from '../../src/app/demo/client'
import { refused } from '../ordering/canteen'
import { eventually } from '../support/eventually'
import { type FindingSchool, openFindingSchool } from './finding-school'

describe('today', () => {
  let canteen: FindingSchool
  beforeAll(async () => {
    canteen = await openFindingSchool()
  })
  afterAll(() => canteen.close())

  const pool = () => canteen.infrastructure.database.pool
  const waiting = async (by: Client = canteen.superadminClient) => (await by.call(today)).data
  const of = async (what: WaitingKind, by?: Client) =>
    (await waiting(by)).find((one) => one.what === what) ?? null

  const listed = async (query: QueryOf<typeof liveOrders>) =>
    (await canteen.superadminClient.call(liveOrders, { query })).data.map(({ transfer }) => transfer)

  const figures = (by: Client = canteen.superadminClient) => by.call(todayFigures)

  test('the figures of a day are those of the books and the kitchen, beside the same day a week before', async () => {
    canteen.setClock('2026-09-14T07:02:00+02:00')
    const before = await figures()
    expect(before).toMatchObject({
      date: '2026-09-14',
      received: { lastWeek: 0, methods: [{ method: 'card' }] },
      lunches: { today: 0, lastWeek: 0 },
      unpaid: { today: 0, lastWeek: 0, lunches: 0 },
      owed: { today: 0, lastWeek: 0 },
    })
    expect(before.received!.today).toBe(45.5)
    expect(before.received!.days).toHaveLength(14)
    expect(before.received!.days[0]).toEqual({ date: '2026-09-01', amount: 0 })
    expect(before.received!.days.at(-1)).toEqual({ date: '2026-09-14', amount: 45.5 })
    expect(before.lunches!.days).toEqual([
      { date: '2026-09-14', lunches: 0 },
      { date: '2026-09-15', lunches: 1 },
      { date: '2026-09-16', lunches: 1 },
      { date: '2026-09-17', lunches: 1 },
      { date: '2026-09-18', lunches: 0 },
    ])
    canteen.setClock('2026-09-15T07:00:00+02:00')
    expect(await figures()).toMatchObject({
      received: { today: 0, methods: [] },
      lunches: { today: 1, lastWeek: 0 },
      unpaid: { today: 45.5, lastWeek: 0, lunches: 1 },
    })
    // A week later; what was not paid that day is what was unpaid at its end.
    canteen.setClock('2026-09-22T07:00:00+02:00')
    expect(await figures()).toMatchObject({
      lunches: { today: 0, lastWeek: 1 },
      unpaid: { today: 0, lastWeek: 45.5, lunches: 0 },
    })
    canteen.setClock('2026-09-21T07:00:00+02:00')
    expect((await figures()).received).toMatchObject({ today: 0, lastWeek: 45.5 })
  })

  test('the next five school days leave out days that are closed for everybody, and weekends', async () => {
    canteen.setClock('2026-09-18T07:00:00+02:00')
    expect((await figures()).lunches!.days.map(({ date }) => date)).toEqual([
      '2026-09-18',
      '2026-09-21',
      '2026-09-22',
      '2026-09-24',
      '2026-09-25',
    ])
    canteen.setClock('2026-09-19T07:00:00+02:00')
    expect((await figures()).lunches).toMatchObject({
      today: 0,
      days: [{ date: '2026-09-21' }, {}, {}, {}, {}],
    })
  })

  test('nobody is told a figure of a feature that he does not hold', async () => {
    const shown = async (feature: FeatureName) => {
      const { date, ...all } = await figures(await canteen.administrator(`figures-${feature}`, feature))
      return [date, ...Object.entries(all).flatMap(([name, figure]) => (figure ? [name] : []))].slice(1)
    }
    expect(await shown('history')).toEqual(['received', 'lunches', 'owed'])
    expect(await shown('live_orders')).toEqual(['lunches', 'unpaid'])
    expect(await shown('pending_payments')).toEqual(['unpaid'])
    expect(await shown('refunds')).toEqual(['owed'])
    expect(await shown('order_recovery')).toEqual([])
    const cook = await canteen.administrator('figures-kitchen', 'kitchen')
    expect(await refused(figures(cook))).toMatchObject({ status: 403 })
  })

  test('what families owe is counted by family, by payment, and for the lunches of this day', async () => {
    canteen.setClock('2026-09-14T07:02:00+02:00')
    expect(await of('unpaid_families')).toEqual({ what: 'unpaid_families', count: 1, amount: 91 })
    expect(await of('unpaid_payments')).toEqual({ what: 'unpaid_payments', count: 1, amount: 91 })
    expect(await of('unpaid_today')).toBeNull()
    expect(await listed({ status: 'Not paid yet' })).toEqual([{ state: 'unpaid', unpaid: 91 }])
    canteen.setClock('2026-09-15T07:00:00+02:00')
    expect(await of('unpaid_today')).toEqual({ what: 'unpaid_today', count: 1, amount: 45.5 })
    await canteen.verify([canteen.mutinta.orders[0]!])
    expect(await of('unpaid_today')).toBeNull()
    expect(await of('unpaid_families')).toMatchObject({ count: 1, amount: 45.5 })
    expect(await listed({ status: 'not paid YET' })).toEqual([{ state: 'unpaid', unpaid: 45.5 }])
    await canteen.verify([canteen.mutinta.orders[1]!])
    expect(await of('unpaid_families')).toBeNull()
    expect(await listed({ status: 'Not paid yet' })).toEqual([])
    expect(await listed({ parent: 'mutinta' })).toEqual([{ state: 'paid', unpaid: 0 }])
    // Of a card its status says it.
    expect(await listed({ parent: 'grace' })).toEqual([null])
  })

  test('an order whose meals were cancelled before they were paid is neither paid nor waits', async () => {
    const { parent, children } = await canteen.payingFamily('zulu.unpaid', '9')
    const { orders } = await parent.call(placeOrders, {
      body: { cartItems: [canteen.stewFor(children[0]!, 4)], payBy: 'airtel' },
    })
    await canteen.superadminClient.call(setOrderStatus, {
      body: { orderIds: orders.map(({ id }) => id), status: 'cancelled' },
    })
    expect(await listed({ parent: 'zulu.unpaid' })).toEqual([{ state: 'cancelled', unpaid: 0 }])
    expect(await of('unpaid_families')).toBeNull()
  })

  test('a row of a statement waits until it is confirmed or ignored', async () => {
    await pool().query('update transfers.statement_rows set ignored = true')
    await pool()
      .query(`insert into transfers.statements (source, layout, method, file_name, uploaded_by, uploaded_at)
      values ('airtel', 'airtel', 'airtel', 'a.csv', 1, '2026-09-14T05:00:00Z')`)
    await pool().query(
      `insert into transfers.statement_rows (id, statement_id, method, at, amount, transaction_id, transaction_key, row_key, ignored)
       values (gen_random_uuid(), 1, 'airtel', now(), 4550, 'A1', 'A1', 'a1', false),
         (gen_random_uuid(), 1, 'airtel', now(), 1000, 'A2', 'A2', 'a2', false),
         (gen_random_uuid(), 1, 'airtel', now(), 2000, 'A3', 'A3', 'a3', true)`,
    )
    expect(await of('statement_rows')).toEqual({ what: 'statement_rows', count: 2, amount: 55.5 })
    // The same payment was verified by hand under its transaction id.
    await pool().query(
      `update transfers.transfers set transaction_key = 'A2'
       where id = (select id from transfers.transfers where row_id is null limit 1)`,
    )
    expect(await of('statement_rows')).toMatchObject({ count: 1, amount: 45.5 })
    await pool().query('update transfers.statement_rows set ignored = true')
    expect(await of('statement_rows')).toBeNull()
  })

  test('a paid payment waits when only a person gets on with it, and one paid long ago without orders', async () => {
    const state = (status: string) =>
      pool().query(`update payments.attempts set status = $1, since_at = $2 where kind = 'card'`, [
        status,
        '2026-09-15T06:54:00+02:00',
      ])
    for (const [status, count] of [
      ['fulfilled', undefined],
      ['declined', undefined],
      ['review', 1],
      ['blocked', 1],
      ['paid', 1],
    ] as const) {
      await state(status)
      expect({ status, count: (await of('payments_to_decide'))?.count }).toEqual({ status, count })
    }
    canteen.setClock('2026-09-15T06:58:00+02:00')
    expect(await of('payments_to_decide')).toBeNull()
    await state('fulfilled')
    canteen.setClock('2026-09-15T07:00:00+02:00')
  })

  test('a refund is owed until it is paid back; an approval waits for those alone who may give it', async () => {
    await canteen.superadminClient.call(setOrderStatus, {
      body: { orderIds: [canteen.mutinta.orders[1]!], status: 'cancelled' },
    })
    await eventually(async () =>
      expect(await of('refunds_due')).toEqual({ what: 'refunds_due', count: 1, amount: 45.5 }),
    )
    expect(await of('approvals')).toBeNull()
    await canteen.superadminClient.call(saveBooksSettings, {
      body: { tpin: '', address: '', vatPercent: null, refundApprovalAbove: 0, cardRefunds: false },
    })
    const asker = await canteen.administrator('asker', 'refunds')
    const other = await canteen.administrator('other', 'refunds')
    const [refund] = (await asker.call(listRefunds, { query: {} })).data
    await asker.call(completeRefund, { params: { id: refund!.id }, body: null })
    expect(await of('approvals', asker)).toBeNull()
    expect(await of('approvals', other)).toEqual({ what: 'approvals', count: 1, amount: null })
    await other.call(approveRefund, { params: { id: refund!.id }, body: null })
    expect(await of('refunds_due', other)).toBeNull()
  })

  test('a family waits for a message until one arrives', async () => {
    canteen.setClock('2026-09-15T09:00:00+02:00')
    const { userId: id } = await canteen.family('zulu')
    const write = (more: string, values: string) =>
      pool().query(
        `insert into messaging.mail_outbox (id, "userId", "to", subject, text, "createdAt", "dueAt", ${more})
         values (gen_random_uuid(), $1, 'mutinta@example.org', 'Hello', '', $2, $2, ${values})`,
        [id, '2026-09-15T07:30:00+02:00'],
      )
    await write('attempts, failure', `1, 'no such mailbox'`)
    const undelivered = {
      what: 'undelivered',
      count: 1,
      amount: null,
      families: [{ id, name: expect.any(String) }],
    }
    expect(await of('undelivered')).toEqual(undelivered)
    await pool().query(`update messaging.mail_outbox set "createdAt" = $1 where attempts = 1`, [
      '2026-09-15T08:30:00+02:00',
    ])
    expect(await of('undelivered')).toBeNull()
    await pool().query(`update messaging.mail_outbox set "givenUpAt" = "createdAt" where attempts = 1`)
    expect(await of('undelivered')).toEqual(undelivered)
    await write('"sentAt"', `'2026-09-15T08:45:00+02:00'`)
    expect(await of('undelivered')).toBeNull()
  })

  test('a day with money waits until it is closed, from the next day on', async () => {
    expect(await of('days_to_close')).toEqual({ what: 'days_to_close', count: 1, amount: null })
    await canteen.superadminClient.call(closeDay, { body: { date: '2026-09-14' } })
    expect(await of('days_to_close')).toBeNull()
    canteen.setClock('2026-09-16T07:00:00+02:00')
    expect(await of('days_to_close')).toMatchObject({ count: 1 })
  })

  test('nobody is told a number of a feature that he does not hold, and who holds none of money has no such page', async () => {
    await pool().query(`update payments.attempts set status = 'review' where kind = 'card'`)
    await pool().query(`update transfers.statement_rows set ignored = false`)
    await pool().query(`update ordering.orders set payment_status = 'pending', meal_date = '2026-09-16'
      where id = '${canteen.mutinta.orders[0]}'`)
    await pool().query(`delete from messaging.mail_outbox where "sentAt" > '2026-09-15T08:40:00+02:00'`)
    await pool().query(`update refunds.refunds set status = 'due', owed = amount`)
    await pool().query(`insert into refunds.card_refunds values ('x', 'check', '{}')`)
    await pool().query(
      `insert into refunds.approvals values ('x', 100, 'manual', null, null, false, $1, now())`,
      [canteen.grace.id],
    )
    const all = (await waiting()).map(({ what }) => what)
    expect(all).toEqual(Object.keys(waitingFeatures))
    for (const feature of featureNames) {
      const by = await canteen.administrator(`today-${feature}`, feature)
      const holdsMoney = moneyFeatures.some((one) => one === feature)
      if (!holdsMoney) {
        expect(await refused(waiting(by))).toMatchObject({ status: 403 })
        continue
      }
      const seen = (await waiting(by)).map(({ what }) => what)
      expect({ feature, seen }).toEqual({ feature, seen: all.filter((what) => isOf(what, feature)) })
    }
  })
  const isOf = (what: WaitingKind, feature: FeatureName) => waitingFeatures[what].includes(feature)

  test('a count that takes too long ends, in words', async () => {
    const client = await pool().connect()
    try {
      await client.query('begin; lock table ordering.orders in access exclusive mode')
      expect(await refused(waiting())).toMatchObject({ status: 503, code: 'find_took_too_long' })
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})
