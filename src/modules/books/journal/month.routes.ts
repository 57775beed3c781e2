import type { Knex } from 'knex'
import { getAccounts, monthJournal, monthJournalCsv, saveAccounts, accountSettings } from '#contracts/books'
import { addDays, type SchoolDate } from '#kernel/school-time'
import { csvRoute } from '#platform/http/csv-route'
import { route, withFeature, type Route } from '#platform/http/route'
import type { Ports } from '#platform/ports'
import { inOneRow, settingsRoutes } from '#platform/settings'
import { bookedSums } from './day-end.rows'
import { monthFile } from './month-file.commands'
import { monthOf } from './month.decide'

const accounts = inOneRow('books.accounts', accountSettings, (field) =>
  field === 'taxCode' ? 'tax_code' : field,
)

export const monthRoutes = (needs: Ports): Route[] => {
  const read = monthRead(needs)
  return [
    ...settingsRoutes(needs, {
      endpoints: [getAccounts, saveAccounts],
      readers: withFeature('settings'),
      stored: accounts,
      what: 'Accounts of the books changed',
    }),
    route(monthJournal, withFeature('history'), async ({ query }) => (await read(query.month)).journal),

    csvRoute(monthJournalCsv, withFeature('history'), async (asked) => {
      const { journal, ...closed } = await read(asked.month)
      return monthFile(asked, { ...closed, days: journal.days })
    }),
  ]
}

const monthRead =
  ({ database: { knex, pool } }: Ports) =>
  async (month: string) => {
    const range = { from: `${month}-01`, to: lastDayOf(month) }
    const [sums, hashes, settings] = await Promise.all([
      bookedSums(pool, { ...range, by: 'payment' }),
      closingHashes(knex, range),
      accounts.read(knex),
    ])
    return { journal: monthOf(month, { sums, hashes, settings }), hashes, settings }
  }

const closingHashes = async (
  knex: Knex,
  { from, to }: { from: SchoolDate; to: SchoolDate },
): Promise<ReadonlyMap<SchoolDate, string>> => {
  const rows = await knex('books.closings')
    .whereBetween('date', [from, to])
    .select<{ date: SchoolDate; hash: string }[]>(knex.raw('date::text as date'), 'hash')
  return new Map(rows.map(({ date, hash }) => [date, hash]))
}

const lastDayOf = (month: string): string => {
  const inNext = addDays(`${month}-28`, 4)
  return addDays(inNext, -Number(inNext.slice(8)))
}
