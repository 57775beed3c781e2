import { closeDay as closeDayCall, closingOf, closings, type Closing } from '#contracts/books-days'
import { route, withFeature, type Route } from '#platform/http/route'
import type { BooksNeeds } from '../needs'
import { refusal } from '../refusals'
import { closeDay } from './closings.commands'
import { closingRow, closingRows, type ClosingRow } from './closings.rows'

const finance = withFeature('history')
const mostListed = 366

/** Closing a day's books, and the days that were closed. */
export const closingRoutes = (needs: BooksNeeds): Route[] => {
  const { knex } = needs.database
  const close = closeDay(needs)

  const replies = async (rows: readonly ClosingRow[]): Promise<Closing[]> => {
    const names = await needs.identity.usernamesOf([...new Set(rows.map((row) => row.closed_by))])
    return rows.map(({ date, closed_at, closed_by, figures, hash }) => ({
      date,
      closedAt: closed_at.toISOString(),
      closedBy: names.get(closed_by) ?? `administrator ${closed_by}`,
      figures,
      hash,
    }))
  }
  const replyOf = async (date: string): Promise<Closing> => {
    const row = await closingRow(knex, date)
    if (!row) throw refusal('closing_not_found')
    return (await replies([row]))[0]!
  }

  return [
    route(closeDayCall, finance, async ({ body: { date }, user, actor, correlationId }) => {
      await close(date, user.userId, { actor, correlationId })
      return replyOf(date)
    }),

    route(closings, finance, async () => ({ data: await replies(await closingRows(knex, mostListed)) })),

    route(closingOf, finance, ({ params }) => replyOf(params.date)),
  ]
}
