import type { BooksSettings } from '#contracts/books-settings'
import type { Module } from '#platform/module'
import { bookedInAll } from './bookings/bookings.rows'
import { bookingViews } from './bookings/bookings.view'
import { dayEndRoutes } from './bookings/day-end.routes'
import { closingFaults } from './closings/closings.commands'
import { closingRoutes } from './closings/closings.routes'
import type { BooksNeeds } from './needs'
import { receiptRoutes } from './receipts/receipts.routes'
import { receiptsView } from './receipts/receipts.view'
import { booksStatuses } from './refusals'
import { booksSettingsRoutes } from './settings/settings.routes'
import { readBooksSettings } from './settings/settings.rows'
import { statementRoutes } from './statement-of-account/statement-of-account.routes'

/** What was received and what went back, as a bookkeeper wants it: it only listens to what the others publish. */
export const booksModule = (needs: BooksNeeds) => {
  const { zone } = needs
  const module: Module = {
    name: 'books',
    routes: [
      ...booksSettingsRoutes(needs),
      ...receiptRoutes(needs),
      ...dayEndRoutes(needs),
      ...closingRoutes(needs),
      ...statementRoutes(needs),
    ],
    views: [receiptsView(zone), ...bookingViews(zone)],
    reactors: [],
    jobs: [],
    sweeps: [],
    refusals: booksStatuses,
  }
  return {
    ...module,
    closingFaults: closingFaults(needs),
    bookedInAll,
    /** How refunds go back: to the card, and above how many kwacha with a second administrator. */
    settings: (): Promise<BooksSettings> => readBooksSettings(needs.database.knex),
  }
}
