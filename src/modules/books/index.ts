import type { BooksSettings } from '#contracts/books-settings'
import type { Module } from '#platform/module'
import type { BooksNeeds } from './needs'
import { receiptsView } from './receipts/receipts.view'
import { booksSettingsRoutes } from './settings/settings.routes'
import { readBooksSettings } from './settings/settings.rows'

/** What was received and what went back, as a bookkeeper wants it: it only listens to what the others publish. */
export const booksModule = (needs: BooksNeeds) => {
  const module: Module = {
    name: 'books',
    routes: booksSettingsRoutes(needs),
    views: [receiptsView(needs.zone)],
    reactors: [],
    jobs: [],
    sweeps: [],
    refusals: {},
  }
  return {
    ...module,
    /** How refunds go back: to the card, and above how many kwacha with a second administrator. */
    settings: (): Promise<BooksSettings> => readBooksSettings(needs.database.knex),
  }
}
