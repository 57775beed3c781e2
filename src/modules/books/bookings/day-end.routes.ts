import { stringify } from 'csv-stringify/sync'
import { bookMethods, dayEnd, dayEndCsv, type BookMethod, type TotalFigures } from '#contracts/books-days'
import { csvFormat } from '#contracts/csv'
import type { QueryOf } from '#contracts/endpoint'
import { rawRoute, route, withFeature, type Route } from '#platform/http/route'
import { parseInput } from '#platform/http/serve-route'
import type { BooksNeeds } from '../needs'
import type { DayEnd } from './day-end.decide'
import { dayEndBetween } from './day-end.rows'

const readers = withFeature('history')

/** The figures of each day, for the screen and as a file. */
export const dayEndRoutes = ({ database: { pool } }: Pick<BooksNeeds, 'database'>): Route[] => [
  route(dayEnd, readers, ({ query }) => dayEndBetween(pool, query)),

  rawRoute({
    method: dayEndCsv.method,
    path: dayEndCsv.path,
    access: readers,
    serve: async (context, { query }) => {
      const asked = parseInput(dayEndCsv.query, query) as QueryOf<typeof dayEndCsv>
      const name = `tuckshop-day-end-${asked.from}-${asked.to}.csv`
      context.set('Content-Type', 'text/csv; charset=utf-8')
      context.set('Content-Disposition', `attachment; filename="${name}"`)
      context.body = dayEndFile(await dayEndBetween(pool, asked))
    },
  }),
]

const names: Record<BookMethod, string> = {
  card: 'Card',
  airtel: 'Airtel',
  mtn: 'MTN',
  bank: 'Bank',
  other: 'Other',
}

const head = [
  'Day',
  ...bookMethods.flatMap((method) => [
    `${names[method]} payments`,
    `${names[method]} received (K)`,
    `${names[method]} refunded (K)`,
  ]),
  'Credit given (K)',
  'Credit spent (K)',
  'Credit paid out (K)',
  'Free meals',
  'Owed back (K)',
  'Unpaid (K)',
]

const dayEndFile = ({ days, totals }: DayEnd): string =>
  stringify([head, ...days.map((day) => lineOf(day.date, day)), lineOf('Total', totals)], {
    ...csvFormat,
    bom: true,
  })

const lineOf = (name: string, figures: TotalFigures): (string | number)[] => [
  name,
  ...bookMethods.flatMap((method) => {
    const own = figures.methods.find((one) => one.method === method)
    return [String(own?.payments ?? 0), own?.amount ?? 0, own?.refundsPaid ?? 0]
  }),
  figures.creditGiven,
  figures.creditSpent,
  figures.paidOut,
  String(figures.mealsFree),
  figures.owed,
  figures.unpaid,
]
