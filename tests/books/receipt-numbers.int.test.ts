import type { Pool } from 'pg'
import { v5 } from 'uuid'
import { lunchOrdered } from '#modules/ordering/published'
import { checkoutStarted, paymentVerified } from '#modules/payments/published'
import { transferConfirmed, transferUndone } from '#modules/transfers/published'
import { refundDue, refundPaidBack } from '#modules/refunds/published'
import type { ReceiptRow } from '#modules/books/receipts/receipt'
import { receiptsView } from '#modules/books/receipts/receipts.view'
import type { DomainEvent } from '#kernel/event'
import type { RecordedEvent } from '#platform/event-store/event-store'
import { checkpointOf, isCheckpointMoved, viewsCheckpoint } from '#platform/projections/checkpoint'
import { batchProjector } from '#platform/projections/projector'
import { changesOf, touchReader } from '#platform/projections/row-view'
import { tuesdayMeal, zone } from '../ordering/lunches'
import { happened } from '../payments/attempt-words'
import { owedForNshima, paidBack } from '../refunds/refund-words'
import { testDatabase, type TestDatabase } from '../support/postgres'
import { recordedEvents } from '../support/recorded-events'

/** How many payments; the whole is RECEIPTS=10000. */
const payments = Number(process.env.RECEIPTS ?? 400)

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
  const project = batchProjector(dying(db.database.pool), { name: 'books', views: [view] })
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
