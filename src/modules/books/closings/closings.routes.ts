import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import {
  closeDay as closeDayCall,
  closingOf,
  closings,
  type Closing,
  type TotalFigures,
  type DayFigures,
} from '#contracts/books'
import { kwachaFromNgwee, type Ngwee, ngweeFromKwacha } from '#kernel/money'
import { addDays, instantAt, type SchoolDate } from '#kernel/school-time'
import { recordChanges } from '#platform/changes'
import type { Reader } from '#platform/database'
import type { By } from '#platform/event-store/command-handler'
import { answeredOnce, route, withFeature, type Route } from '#platform/http/route'
import type { Ports } from '#platform/ports'
import { checkpointSeen, viewsCheckpoint } from '#platform/projections/checkpoint'
import { bookedSums, dayEndBetween } from '../journal/day-end.rows'
import { differencesFromDayEnd } from '../journal/month.decide'
import type { BooksNeeds } from '../ports'
import { refusal } from '../refusals'

const finance = withFeature('history')
const maxListed = 366

export const closingRoutes = (needs: BooksNeeds): Route[] => {
  const { knex } = needs.database
  const close = closeDay(needs)

  const replies = async (rows: readonly ClosingRow[]): Promise<Closing[]> => {
    const names = await needs.identity.usernamesOf([...new Set(rows.map((row) => row.closed_by))])
    return rows.map(({ date, closed_at, closed_by, figures, cash_counted: counted, hash }) => ({
      date,
      closedAt: closed_at.toISOString(),
      closedBy: names.get(closed_by) ?? `administrator ${closed_by}`,
      figures,
      cashCounted: counted === null ? null : kwachaFromNgwee(counted),
      cashDifference:
        counted === null ? null : kwachaFromNgwee(counted - ngweeFromKwacha(figures.till.expected)),
      hash,
    }))
  }
  const replyOf = async (date: string): Promise<Closing> => {
    const row = await closingRow(knex, date)
    if (!row) throw refusal('closing_not_found')
    return (await replies([row]))[0]!
  }

  return [
    route(
      closeDayCall,
      finance,
      async ({ body: { date, cashCounted = null }, user, by }) => {
        const counted = cashCounted === null ? null : ngweeFromKwacha(cashCounted)
        await close({ date, cashCounted: counted, closedBy: user.userId }, by)
        return replyOf(date)
      },
      answeredOnce,
    ),

    route(closings, finance, async () => ({ data: await replies(await closingRows(knex, maxListed)) })),

    route(closingOf, finance, ({ params }) => replyOf(params.date)),
  ]
}

// Leaves time to book what began before midnight.
const settledMs = 120_000

const closeDay =
  (needs: Ports) =>
  async (asked: Pick<ClosedDay, 'date' | 'closedBy' | 'cashCounted'>, by: By): Promise<void> => {
    const { date } = asked
    const { knex, pool } = needs.database
    const closedAt = needs.now()
    const settled = instantAt(addDays(date, 1), 0, 0, needs.zone).getTime() + settledMs
    if (closedAt.getTime() < settled) throw refusal('day_not_over')
    await refuseBehind(needs)
    const { days } = await dayEndBetween(pool, { from: date, to: date, by: 'payment' })
    const closed: ClosedDay = { ...asked, closedAt, figures: figuresOf(days[0]!) }
    const hash = closingHash(closed)
    await knex.transaction(async (transaction) => {
      if (!(await insertClosing(transaction, closed, hash))) throw refusal('day_closed')
      const what = `Books of ${date} closed`
      await recordChanges(transaction, { ...by, at: closedAt }, [
        { kind: 'settings', what, old: null, new: { ...asked, figures: closed.figures, hash } },
      ])
    })
  }

const closingHash = (closed: ClosedDay): string =>
  createHash('sha256').update(closingText(closed)).digest('hex')

/** Refuses while the views are behind: figures must be complete. */
const refuseBehind = async ({ database: { pool }, eventStore, viewsInclude }: Ports): Promise<void> => {
  const { position } = await eventStore.end()
  await viewsInclude(position)
  if ((await checkpointSeen(pool, viewsCheckpoint('books'))) < position) throw refusal('books_behind')
}

/** One sentence per closed day whose figures changed or no longer follow from the history. */
export const closingFaults =
  ({ database: { knex, pool } }: Ports) =>
  async (): Promise<string[]> => {
    const faults: string[] = []
    for (const row of await closingRows(knex)) {
      const changed = closingHash(closedDay(row)) === row.hash ? [] : ['what was closed has been changed']
      const day = { from: row.date, to: row.date, by: 'payment' } as const
      const { days } = await dayEndBetween(pool, day)
      const differing = [
        ...changed,
        ...differencesFrom(row.figures, figuresOf(days[0]!)),
        ...differencesFromDayEnd(await bookedSums(pool, day), days[0]!),
      ]
      if (differing.length > 0)
        faults.push(`The closing of ${row.date} does not follow from the history: ${differing.join('; ')}.`)
    }
    return faults
  }

const closedDay = (row: ClosingRow): ClosedDay => ({
  date: row.date,
  closedAt: row.closed_at,
  closedBy: row.closed_by,
  figures: row.figures,
  cashCounted: row.cash_counted,
})

type ClosingRow = {
  date: SchoolDate
  closed_at: Date
  closed_by: number
  figures: TotalFigures
  cash_counted: Ngwee | null
  hash: string
}

const columns = (knex: Knex) => [
  knex.raw('date::text as date'),
  'closed_at',
  'closed_by',
  'figures',
  'cash_counted',
  'hash',
]

const insertClosing = async (
  transaction: Knex.Transaction,
  { date, closedAt, closedBy, figures, cashCounted }: ClosedDay,
  hash: string,
): Promise<boolean> => {
  const inserted: unknown[] = await transaction('books.closings')
    .insert({
      date,
      closed_at: closedAt,
      closed_by: closedBy,
      figures: JSON.stringify(figures),
      cash_counted: cashCounted,
      hash,
    })
    .onConflict('date')
    .ignore()
    .returning('date')
  return inserted.length > 0
}

const lookedBackDays = 31

/** Days of the last month on which money was booked and that nobody has closed. */
export const daysToClose = async (at: Reader, today: SchoolDate): Promise<number> => {
  const { rows } = await at.query<{ count: number }>(
    `select count(distinct booked)::int as count from books.bookings
     where booked >= $1 and booked < $2 and kind <> 'meal'
       and not exists (select from books.closings where date = booked)`,
    [addDays(today, -lookedBackDays), today],
  )
  return rows[0]!.count
}

const closingRow = async (knex: Knex, date: SchoolDate): Promise<ClosingRow | undefined> =>
  knex('books.closings').where({ date }).first<ClosingRow | undefined>(columns(knex))

const closingRows = async (knex: Knex, most?: number): Promise<ClosingRow[]> => {
  const query = knex('books.closings').orderBy('date', 'desc').select<ClosingRow[]>(columns(knex))
  return most === undefined ? query : query.limit(most)
}

type ClosedDay = {
  date: SchoolDate
  closedAt: Date
  closedBy: number
  figures: TotalFigures
  cashCounted: Ngwee | null
}

/** One spelling, since it is hashed. */
const closingText = ({ date, closedAt, closedBy, figures, cashCounted }: ClosedDay): string =>
  JSON.stringify([date, closedAt.toISOString(), closedBy, figureList(figures), cashCounted])

const figuresOf = ({ date: _date, ...figures }: DayFigures): TotalFigures => figures

const figureNames = ['creditGiven', 'creditSpent', 'paidOut', 'mealsFree', 'late', 'owed', 'unpaid'] as const

/** One spelling, whatever order the table returns. */
const figureList = ({ methods, till, ...figures }: TotalFigures): [name: string, value: number][] => [
  ...methods.flatMap(({ method, payments, amount, refundsPaid }): [string, number][] => [
    [`${method} payments`, payments],
    [`${method} amount`, amount],
    [`${method} refundsPaid`, refundsPaid],
  ]),
  ['till in', till.in],
  ['till out', till.out],
  ...figureNames.map((name): [string, number] => [name, figures[name]]),
]

/** `card amount was 45.00 and is 30.00`. */
const differencesFrom = (closed: TotalFigures, now: TotalFigures): string[] => {
  const was = new Map(figureList(closed))
  const is = new Map(figureList(now))
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((name) => {
    const [before, after] = [was.get(name) ?? 0, is.get(name) ?? 0]
    return before === after ? [] : [`${name} was ${before.toFixed(2)} and is ${after.toFixed(2)}`]
  })
}
