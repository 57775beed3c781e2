import { createHash } from 'node:crypto'
import { addDays, instantAt, type SchoolDate } from '#kernel/school-time'
import { recordChanges } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { checkpointSeen, viewsCheckpoint } from '#platform/projections/checkpoint'
import { dayEndBetween } from '../bookings/day-end.rows'
import type { BooksNeeds } from '../needs'
import { refusal } from '../refusals'
import { closingText, differencesFrom, figuresOf, type ClosedDay } from './closing'
import { closingRows, insertClosing, type ClosingRow } from './closings.rows'

// What was begun before midnight is booked by then.
const settledMs = 120_000

/** Closes a day that is over: keeps its figures as they are, once. */
export const closeDay =
  (needs: Pick<BooksNeeds, 'database' | 'eventStore' | 'now' | 'waitForViews' | 'zone'>) =>
  async (date: SchoolDate, administrator: number, by: By): Promise<void> => {
    const { knex, pool } = needs.database
    const closedAt = needs.now()
    const settled = instantAt(addDays(date, 1), 0, 0, needs.zone).getTime() + settledMs
    if (closedAt.getTime() < settled) throw refusal('day_not_over')
    await refuseBehind(needs)
    const { days } = await dayEndBetween(pool, { from: date, to: date, by: 'payment' })
    const closed: ClosedDay = { date, closedAt, closedBy: administrator, figures: figuresOf(days[0]!) }
    const hash = closingHash(closed)
    await knex.transaction(async (transaction) => {
      if (!(await insertClosing(transaction, closed, hash))) throw refusal('day_closed')
      const what = `Books of ${date} closed`
      await recordChanges(transaction, { ...by, at: closedAt }, [
        { kind: 'settings', what, old: null, new: { date, figures: closed.figures, hash } },
      ])
    })
  }

/** The hash of a closed day, figures and all: 64 hexadecimal digits. */
const closingHash = (closed: ClosedDay): string =>
  createHash('sha256').update(closingText(closed)).digest('hex')

/** The figures must be of everything that has happened. */
const refuseBehind = async ({
  database: { pool },
  eventStore,
  waitForViews,
}: Pick<BooksNeeds, 'database' | 'eventStore' | 'waitForViews'>): Promise<void> => {
  const { position } = await eventStore.end()
  await waitForViews(position)
  if ((await checkpointSeen(pool, viewsCheckpoint('books'))) < position) throw refusal('books_behind')
}

/** The closed days whose figures no longer follow from the history, or are not those that were closed, a sentence each. */
export const closingFaults =
  ({ database: { knex, pool } }: Pick<BooksNeeds, 'database'>) =>
  async (): Promise<string[]> => {
    const faults: string[] = []
    for (const row of await closingRows(knex)) {
      const changed = closingHash(closedDay(row)) === row.hash ? [] : ['what was closed has been changed']
      const { days } = await dayEndBetween(pool, { from: row.date, to: row.date, by: 'payment' })
      const differing = [...changed, ...differencesFrom(row.figures, figuresOf(days[0]!))]
      if (differing.length > 0)
        faults.push(`The closing of ${row.date} does not follow from the history: ${differing.join('; ')}.`)
    }
    return faults
  }

const closedDay = ({ date, closed_at: closedAt, closed_by: closedBy, figures }: ClosingRow): ClosedDay => ({
  date,
  closedAt,
  closedBy,
  figures,
})
