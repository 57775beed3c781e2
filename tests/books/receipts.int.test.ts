import * as fc from 'fast-check'
import type { Pool } from 'pg'
import { v5 } from 'uuid'
import { saveBooksSettings, getReceipt, type DayFigures } from '#contracts/books'
import { giveCredit } from '#contracts/credit'
import { cancelOrder, listOrders, type CartLine, type Order } from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import { completeRefund } from '#contracts/refunds'
import { undoVerified } from '#contracts/transfers'
import type { DomainEvent } from '#kernel/event'
import { sum } from '#kernel/money'
import { addDays, type SchoolDate } from '#kernel/school-time'
import { journalSums } from '#modules/audit/checks/journal-sums'
import { bookingViews } from '#modules/books/journal/bookings.view'
import { dayEndBetween } from '#modules/books/journal/day-end.rows'
import type { ReceiptRow } from '#modules/books/receipts/receipt'
import { receiptsView } from '#modules/books/receipts/receipts.view'
import { lunchOrdered } from '#modules/ordering/published'
import { checkoutStarted, paymentVerified } from '#modules/payments/published'
import { refundDue, refundPaidBack } from '#modules/refunds/published'
import { transferConfirmed, transferUndone } from '#modules/transfers/published'
import { type RecordedEvent, beginning } from '#platform/event-store/event-store'
import { checkpointOf, isCheckpointMoved, viewsCheckpoint } from '#platform/projections/checkpoint'
import { batchProjector, viewTables } from '#platform/projections/projector'
import { changesOf, touchReader } from '#platform/projections/row-view'
import type { Client } from '../../src/app/demo/client'
import { refused } from '../ordering/canteen'
import { tuesdayMeal, zone } from '../ordering/lunches'
import { openAlternativeCanteen, order, type AlternativeCanteen } from '../payments/alternative-canteen'
import { happened } from '../payments/attempt-words'
import { owedForNshima, paidBack } from '../refunds/refund-words'
import { eventually } from '../support/eventually'
import { mailTo } from '../support/mails'
import {
  testDatabase,
  type TestDatabase,
  type StoreProcess,
  freshDatabaseUrl,
  storeProcess,
} from '../support/postgres'
import { recordedEvents } from '../support/recorded-events'
import { anyStory, eventsOf } from './money-days'

describe('receipts', () => {
  let canteen: AlternativeCanteen
  beforeAll(async () => {
    canteen = await openAlternativeCanteen()
    await canteen.superadminClient.call(saveBooksSettings, {
      body: {
        tpin: '1001234567',
        address: 'Church Road\nLusaka',
        vatPercent: null,
        refundApprovalAbove: null,
        cardRefunds: false,
      },
    })
  })
  afterAll(() => canteen.close())

  const receiptOf = (client: Client, number: string) => client.call(getReceipt, { params: { number } })

  const payByCard = async (parent: Client, lines: CartLine[], amount: number) => {
    await canteen.set({ enabled: false })
    const started = await parent.call(createPayment, { body: { amount, cartItems: lines } })
    await canteen.visitor().fetch(`/sandbox/pay/${started.TransToken}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ outcome: 'pay', card: '4111111111111111' }).toString(),
    })
    await parent.call(verifyPayment, { params: { transactionId: started.TransToken } })
    return started.companyRef
  }

  test('a card payment has a receipt with everything that was paid; what goes back of it a credit note', async () => {
    const { parent, userId, children } = await canteen.payingFamily('rose', '9')
    await canteen.discount(userId, 10)
    await canteen.superadminClient.call(giveCredit, {
      params: { id: userId },
      body: { amount: 10, reason: 'Sports day' },
      headers: { 'idempotency-key': 'gift' },
    })
    const lines = [2, 3].map((day) =>
      canteen.stewFor(children[0]!, day, { discountedPrice: 40.95, discountPercentage: 10 }),
    )
    const reference = await payByCard(parent, lines, 81.9)
    const receipt = await eventually(() => receiptOf(parent, '2026-000001'))
    expect(receipt).toMatchObject({
      number: '2026-000001',
      kind: 'receipt',
      at: '2026-09-14T05:00:00.000Z',
      date: '2026-09-14',
      corrects: null,
      creditNotes: [],
      school: { name: 'Lusaka Test School', tpin: '1001234567', address: 'Church Road\nLusaka' },
      payer: 'rose',
      method: 'card',
      references: [reference],
      providerReference: expect.any(String),
      discount: 9.1,
      creditUsed: 0,
      surplus: 0,
      missing: 0,
      amount: 81.9,
      vat: null,
    })
    expect(receipt.lines).toEqual(
      ['2026-09-15', '2026-09-16'].map((mealDate) => ({
        mealDate,
        student: 'rose 9',
        item: 'Stew',
        category: 'beef',
        sideDish: null,
        originalPrice: 45.5,
        price: 40.95,
        credit: 0,
      })),
    )
    const { text: mail } = await mailTo(canteen, 'rose@example.org', 'Ordered')
    expect(mail).toContain(`Receipt 2026-000001: ${canteen.config.publicUrl}/receipts/2026-000001`)
    expect(mail).toMatch(/K81\.90[^]*Tuesday, 15 September 2026: a meal, K40\.95/)
    const ordered = (await parent.call(listOrders)) as Order[]
    expect(ordered.map(({ receiptNumber }) => receiptNumber)).toEqual(['2026-000001', '2026-000001'])
    const [first] = ordered
    await parent.call(cancelOrder, { params: { id: first!.id } })
    const complete = () =>
      canteen.superadminClient.call(completeRefund, {
        params: { id: first!.id },
        body: { method: 'cash', reference: 'SLIP-7' },
        headers: { 'idempotency-key': 'back' },
      })
    await eventually(() =>
      complete().then(
        () => true,
        () => false,
      ),
    )
    const note = await eventually(() => receiptOf(parent, 'CN2026-000001'))
    expect(note).toMatchObject({
      kind: 'credit_note',
      corrects: '2026-000001',
      method: 'card',
      references: [reference],
      providerReference: 'SLIP-7',
      amount: 40.95,
      surplus: 0,
      missing: 0,
    })
    expect(note.lines).toEqual([expect.objectContaining({ price: 40.95, item: 'Stew' })])
    expect((await receiptOf(parent, '2026-000001')).creditNotes).toEqual(['CN2026-000001'])
  })

  test('a payment that was verified has a receipt in the way that was chosen, with the VAT of its time', async () => {
    const settings = {
      tpin: '1001234567',
      address: '',
      refundApprovalAbove: null,
      cardRefunds: false,
    }
    await canteen.superadminClient.call(saveBooksSettings, { body: { ...settings, vatPercent: 16 } })
    await canteen.set({ enabled: true })
    const { parent, children } = await canteen.payingFamily('violet', '9')
    const { orders } = await order(parent, [canteen.stewFor(children[0]!, 2)])
    await canteen.verify(orders.map(({ id }) => id))
    const receipt = await eventually(() => receiptOf(parent, '2026-000002'))
    expect(receipt.method).toBe('other')
    expect(receipt.references).toEqual([expect.stringMatching(/^LP-/)])
    // 16/116 of K45.50 is K6.2758…
    expect(receipt).toMatchObject({ amount: 45.5, vat: { percent: 16, amount: 6.28 } })
    await canteen.superadminClient.call(saveBooksSettings, { body: { ...settings, vatPercent: null } })
    canteen.setClock('2026-09-14T07:00:01+02:00')
    await canteen.superadminClient.call(saveBooksSettings, { body: { ...settings, vatPercent: 20 } })
    expect((await receiptOf(parent, '2026-000002')).vat).toEqual(null)
  })

  test('meals that are verified together have one receipt and one mail; undone they have a credit note', async () => {
    const { parent, children } = await canteen.payingFamily('iris', '9')
    const { orders } = await order(parent, [
      canteen.stewFor(children[0]!, 2),
      canteen.stewFor(children[0]!, 3),
    ])
    const orderIds = orders.map(({ id }) => id)
    await canteen.verify(orderIds)
    const numbers = async () =>
      new Set(((await parent.call(listOrders)) as Order[]).map(({ receiptNumber }) => receiptNumber))
    const [number] = await eventually(async () => {
      const found = await numbers()
      return found.size === 1 && !found.has(null) && found
    })
    const receipt = await receiptOf(parent, number!)
    expect(receipt).toMatchObject({ method: 'other', amount: 91, surplus: 0, missing: 0 })
    expect(receipt.lines.map(({ mealDate }) => mealDate)).toEqual(['2026-09-15', '2026-09-16'])
    const { text } = await mailTo(canteen, 'iris@example.org', 'Paid')
    expect(text).toContain('We received your payment of K91.00.')
    expect(text).toContain(`/receipts/${number}`)
    await canteen.superadminClient.call(undoVerified, {
      body: { orderIds },
      headers: { 'idempotency-key': 'undone' },
    })
    const { creditNotes } = await eventually(async () => {
      const now = await receiptOf(parent, number!)
      return now.creditNotes.length > 0 && now
    })
    expect(await receiptOf(parent, creditNotes[0]!)).toMatchObject({
      corrects: number,
      amount: 91,
      method: 'other',
    })
    expect(await numbers()).toEqual(new Set([null]))
  })

  test('a receipt is there for its family and for Refunds, Live Orders and Pending Payments; for nobody else', async () => {
    const { parent } = await canteen.payingFamily('lily', '9')
    const cook = await canteen.administrator('receiptcook', 'kitchen', 'parents_students', 'settings')
    for (const stranger of [parent, cook])
      expect(await refused(receiptOf(stranger, '2026-000001'))).toMatchObject({
        status: 404,
        code: 'receipt_not_found',
      })
    expect((await refused(receiptOf(canteen.visitor(), '2026-000001'))).status).toBe(401)
    for (const feature of ['refunds', 'live_orders', 'pending_payments'] as const) {
      const office = await canteen.administrator(`receipts-${feature}`, feature)
      expect((await receiptOf(office, '2026-000001')).payer).toBe('rose')
      for (const none of ['2026-000999', 'CN2027-000001', '2026-1', 'x'])
        expect((await refused(receiptOf(office, none))).status).toBe(404)
    }
  })
})

describe('numbers of receipts', () => {
  /** How many payments; the whole is RECEIPTS=10000. */
  const payments = Number(process.env.RECEIPTS ?? 150)

  let db: TestDatabase
  beforeAll(async () => {
    db = await testDatabase()
  })
  afterAll(() => db.close())

  /** The same numbers from 0 to 1 in each run. */
  const dice = (() => {
    let seed = 20_260_914
    return () => {
      seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296
      return seed / 4_294_967_296
    }
  })()

  const idOf = (what: string, index: number) => v5(`${what}/${index}`, '0199c0de-0000-7000-8000-000000000001')

  /** A payment and what may follow it, over the turn of a year: by card, or by a transfer for two families. */
  const paymentOf = (index: number): DomainEvent[] => {
    const at = index < payments / 2 ? '2026-11-02T06:00:00.000Z' : '2027-01-11T06:00:00.000Z'
    const attemptId = idOf('attempt', index)
    if (index % 5 === 0) {
      const orderId = `${index + 1}.2026-09-15.1`
      const families = [
        { userId: 21, orders: [{ orderId, amount: 4550 }], surplus: 0 },
        { userId: 22, orders: [], surplus: 100 },
      ]
      const transfer = {
        transferId: idOf('transfer', index),
        confirmationId: idOf('confirmation', index),
        by: 5,
      }
      return [
        lunchOrdered({
          ...tuesdayMeal,
          orderId,
          attemptId,
          userId: 21,
          paymentStatus: 'pending',
          payBy: 'mtn',
          at,
        }),
        transferConfirmed({
          ...transfer,
          rowId: null,
          method: 'mtn',
          transactionId: null,
          paidAt: null,
          amount: 4650,
          payer: null,
          note: null,
          families,
          at,
        }),
        ...(index % 50 === 0 ? [transferUndone({ ...transfer, families, method: 'mtn', at })] : []),
      ]
    }
    const refund = { refundId: `${attemptId}.0`, orderId: null, attemptId }
    return [
      checkoutStarted({ ...happened.started.data, attemptId, at }),
      paymentVerified({ ...happened.verified.data, attemptId, at }),
      ...(index % 7 === 0
        ? [
            refundDue({ ...owedForNshima, ...refund, at }),
            refundPaidBack({ ...paidBack(1, 4550, 0).data, ...refund, payoutId: idOf('payout', index), at }),
          ]
        : []),
    ]
  }

  /** How many receipts and credit notes these payments have. */
  const counts = (first: number, last: number) => {
    const all = Array.from({ length: last - first }, (_, index) => first + index)
    const of = (each: number) => all.filter((index) => index % each === 0).length
    const cards = all.filter((index) => index % 5 > 0)
    const refunds = cards.filter((index) => index % 7 === 0).length
    return { receipt: cards.length + 2 * of(5), credit_note: refunds + 2 * of(50) }
  }

  /** Now and then a process dies before it has written, or after and before it knows. */
  const dying = (pool: Pool): Pool => {
    const query = async (statement: { text: string }) => {
      const fate = statement.text.includes('move_checkpoint') ? dice() : 1
      if (fate < 0.05) throw new Error('killed')
      const answer = await pool.query(statement)
      if (fate < 0.1) throw new Error('killed')
      return answer
    }
    return { query } as unknown as Pool
  }

  /** Takes batches of its own size from wherever it believes the views to be, as long as there are events. */
  const worker = async (events: readonly RecordedEvent[]): Promise<number> => {
    const view = receiptsView(zone)
    const project = batchProjector(viewTables(dying(db.database.pool)), { name: 'books', views: [view] })
    let deaths = 0
    for (;;) {
      const from = await checkpointOf(db.database.pool, viewsCheckpoint('books'))
      const start = from === '' ? 0 : Number(from)
      if (start === events.length) return deaths
      const batch = events.slice(start, start + 1 + Math.floor(dice() * 40))
      await project(batch, from).catch((error: unknown) => {
        if ((error as Error).message === 'killed') deaths += 1
        else if (!isCheckpointMoved(error)) throw error
      })
    }
  }

  test("payments through two workers that get in each other's way and die have numbers without gap or double", async () => {
    const events = recordedEvents(...Array.from({ length: payments }, (_, index) => paymentOf(index)).flat())
    const [one, other] = await Promise.all([worker(events), worker(events)])
    expect(one + other).toBeGreaterThan(0)
    const { rows } = await db.database.pool.query<ReceiptRow>(
      `select id, kind, year, number from books.receipts where kind in ('receipt', 'credit_note') order by kind, year, number`,
    )
    const series = (kind: string, year: number) =>
      rows.filter((row) => row.kind === kind && row.year === year).map(({ number }) => number)
    const half = Math.ceil(payments / 2)
    for (const [year, expected] of [
      [2026, counts(0, half)],
      [2027, counts(half, payments)],
    ] as const)
      for (const kind of ['receipt', 'credit_note'] as const)
        expect(series(kind, year)).toEqual(Array.from({ length: expected[kind] }, (_, index) => index + 1))
    // As if nobody had died and there had been one.
    const [alone] = changesOf(new Map(), touchReader([receiptsView(zone)])(events))
    const written = (alone?.written ?? []) as ReceiptRow[]
    const numberOf = new Map(written.map(({ id, number }) => [id, number]))
    expect(rows.filter(({ id, number }) => numberOf.get(id) !== number)).toEqual([])
  }, 240_000)
})

describe('one number', () => {
  let school: StoreProcess
  let drop: () => Promise<void>
  beforeAll(async () => {
    const fresh = await freshDatabaseUrl()
    drop = fresh.drop
    school = await storeProcess(fresh.url)
  })
  afterAll(async () => {
    await school.close()
    await drop()
  })

  const pool = () => school.database.pool
  const views = [receiptsView('Africa/Lusaka'), ...bookingViews('Africa/Lusaka')]
  const moneyOf = (days: readonly Pick<DayFigures, 'methods'>[]) =>
    Math.round(100 * sum(days.flatMap(({ methods }) => methods.map((one) => one.amount - one.refundsPaid))))

  const [first, last] = ['2026-09-01', '2028-08-31']
  /** The range in pieces that follow one another. */
  const split = (cuts: readonly number[]): [SchoolDate, SchoolDate][] => {
    const begins = [...new Set(cuts)]
      .toSorted((one, other) => one - other)
      .map((days) => addDays(first, days))
    return [first, ...begins].map((from, index) => [from, begins[index] ? addDays(begins[index], -1) : last])
  }

  test('whatever range is asked for and however it is split, receipts, day ends, journal and events are one number', async () => {
    const [events] = fc.sample(
      fc.array(anyStory, { minLength: 30, maxLength: 30 }).map((stories) => {
        const story = { plans: stories.flatMap(({ plans }) => plans), gaps: stories[0]!.gaps, pick: 300 }
        return eventsOf(story)
      }),
      { seed: 5, numRuns: 1 },
    )
    await checkpointOf(pool(), viewsCheckpoint('books'))
    const project = batchProjector(viewTables(pool()), { name: 'books', views })
    let position = beginning
    for (let from = 0; from < events!.length; from += 50)
      position = await project(events!.slice(from, from + 50), position)

    const { add, sums } = journalSums()
    add(events!)
    const journal = sums.stored
    const moneyByEvents = sum(
      [...journal].map(([name, amount]) =>
        name.startsWith('received') ? amount : name.startsWith('paid_back') ? -amount : 0,
      ),
    )
    const { rows } = await pool().query<{ net: number }>(
      `select sum(case kind when 'receipt' then amount else -amount end)::float8 as net
     from books.receipts where kind in ('receipt', 'credit_note')`,
    )
    expect(rows[0]!.net).toBe(moneyByEvents)
    expect(rows[0]!.net).toBeGreaterThan(100_000)
    for (const by of ['payment', 'meal'] as const) {
      const whole = await dayEndBetween(pool(), { from: first, to: last, by })
      expect(moneyOf(whole.days)).toBe(moneyByEvents)
      expect(moneyOf([whole.totals])).toBe(moneyByEvents)
      expect(Math.round(whole.totals.owed * 100)).toBe(journal.get('owed'))
      expect(Math.round(whole.totals.unpaid * 100)).toBe(journal.get('unpaid'))
      for (const cuts of fc.sample(fc.array(fc.integer({ min: 1, max: 720 }), { maxLength: 5 }), {
        seed: 6,
        numRuns: 8,
      })) {
        const parts = []
        for (const [from, to] of split(cuts)) parts.push(await dayEndBetween(pool(), { from, to, by }))
        expect(parts.flatMap(({ days }) => days)).toEqual(whole.days)
        expect(moneyOf(parts.map(({ totals }) => totals))).toBe(moneyByEvents)
        expect(parts.at(-1)!.totals.unpaid).toBe(whole.totals.unpaid)
      }
    }
  })

  /** `DAY_END_ORDERS=2000 npx jest --selectProjects int --testPathPatterns books/one-number` measures a large school. */
  const ordersADay = Number(process.env.DAY_END_ORDERS ?? 20)

  test('31 days are read within 300 ms, behind them a school year', async () => {
    await pool().query('truncate books.bookings')
    for (const kinds of [
      ['received', 'card', 0],
      ['meal', null, null],
      ['unpaid', null, null],
    ])
      await pool().query(
        `insert into books.bookings (id, event_id, at, booked, meal, kind, method, amount, part, user_id, attempt_id)
       select gen_random_uuid(), gen_random_uuid(), day, day, day + 1 + number % 7, $1, $2, 4550, $3,
         number, gen_random_uuid()
       from generate_series(0, 220) as days, lateral (select date '2026-01-05' + days as day) as booked,
         generate_series(1, $4::int) as number`,
        [...kinds, ordersADay],
      )
    await pool().query(
      `insert into books.bookings (id, event_id, at, booked, meal, kind, amount, user_id, attempt_id)
     select id || 'b', event_id, at, booked, meal, 'paid_back', 4550, user_id, attempt_id
     from books.bookings where kind = 'meal' and user_id % 50 = 0`,
    )
    await pool().query('vacuum analyze books.bookings')
    const range = { from: '2026-07-14', to: '2026-08-13' }
    for (const by of ['payment', 'meal'] as const) {
      await dayEndBetween(pool(), { ...range, by })
      const began = performance.now()
      const { totals } = await dayEndBetween(pool(), { ...range, by })
      const ms = performance.now() - began
      expect(totals.methods[0]).toMatchObject({ method: 'card' })
      if (process.env.DAY_END_ORDERS) process.stdout.write(`by ${by}: ${Math.round(ms)} ms\n`)
      expect(ms).toBeLessThan(300)
    }
  })
})
