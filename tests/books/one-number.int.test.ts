import { sum } from '#kernel/money'
import * as fc from 'fast-check'
import type { DayFigures } from '#contracts/books'
import { dayEndBetween } from '#modules/books/journal/day-end.routes'
import { bookingViews } from '#modules/books/journal/bookings.view'
import { receiptsView } from '#modules/books/receipts/receipts.view'
import { journalSums } from '#modules/audit/checks/journal-sums'
import { addDays, type SchoolDate } from '#kernel/school-time'
import { beginning } from '#platform/event-store/event-store'
import { checkpointOf, viewsCheckpoint } from '#platform/projections/checkpoint'
import { batchProjector } from '#platform/projections/projector'
import { type StoreProcess, freshDatabaseUrl, storeProcess } from '../support/postgres'
import { anyStory, eventsOf } from './money-days'

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

const [first, last] = ['2026-09-01', '2027-08-31']
/** The range in pieces that follow one another. */
const split = (cuts: readonly number[]): [SchoolDate, SchoolDate][] => {
  const begins = [...new Set(cuts)].toSorted((one, other) => one - other).map((days) => addDays(first, days))
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
  const project = batchProjector(pool(), { name: 'books', views })
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
    for (const cuts of fc.sample(fc.array(fc.integer({ min: 1, max: 360 }), { maxLength: 5 }), {
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
