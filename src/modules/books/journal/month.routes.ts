import type { Knex } from 'knex'
import { getAccounts, monthJournal, monthJournalCsv, saveAccounts, accountSettings } from '#contracts/books'
import type { QueryOf } from '#contracts/endpoint'
import { addDays, type SchoolDate } from '#kernel/school-time'
import { rawRoute, route, withFeature, type Route } from '#platform/http/route'
import { parseInput } from '#platform/http/serve-route'
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

    rawRoute({
      method: monthJournalCsv.method,
      path: monthJournalCsv.path,
      access: withFeature('history'),
      serve: async (context, { query }) => {
        const asked = parseInput(monthJournalCsv.query, query) as QueryOf<typeof monthJournalCsv>
        const { journal, ...closed } = await read(asked.month)
        const { name, text } = monthFile(asked, { ...closed, days: journal.days })
        context.set('Content-Type', 'text/csv; charset=utf-8')
        context.set('Content-Disposition', `attachment; filename="${name}"`)
        context.body = text
      },
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

/** By closed day. */
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
