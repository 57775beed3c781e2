import { stringify } from 'csv-stringify/sync'
import { bookMethods, dayEnd, dayEndCsv, type BookMethod, type TotalFigures } from '#contracts/books'
import { csvFormat } from '#contracts/csv'
import { csvRoute } from '#platform/http/csv-route'
import { route, withFeature, type Route } from '#platform/http/route'
import type { Ports } from '#platform/ports'
import { type DayEnd } from './day-end.decide'
import { dayEndBetween } from './day-end.rows'

const readers = withFeature('history')

export const dayEndRoutes = ({ database: { pool } }: Ports): Route[] => [
  route(dayEnd, readers, ({ query }) => dayEndBetween(pool, query)),

  csvRoute(dayEndCsv, readers, async (asked) => ({
    name: `tuckshop-day-end-${asked.from}-${asked.to}.csv`,
    text: dayEndFile(await dayEndBetween(pool, asked)),
  })),
]

const names: Record<BookMethod, string> = {
  card: 'Card',
  airtel: 'Airtel',
  mtn: 'MTN',
  bank: 'Bank',
  cash: 'Cash',
  other: 'Other',
}

const head = [
  'Day',
  ...bookMethods.flatMap((method) => [
    `${names[method]} payments`,
    `${names[method]} received (K)`,
    `${names[method]} refunded (K)`,
  ]),
  'Till in (K)',
  'Till out (K)',
  'Till expected (K)',
  'Credit given (K)',
  'Credit spent (K)',
  'Credit paid out (K)',
  'Free meals',
  'Late meals',
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
  figures.till.in,
  figures.till.out,
  figures.till.expected,
  figures.creditGiven,
  figures.creditSpent,
  figures.paidOut,
  String(figures.mealsFree),
  String(figures.late),
  figures.owed,
  figures.unpaid,
]
