import type { Module } from '#platform/module'
import type { BooksNeeds } from './needs'
import { receiptsView } from './receipts/receipts.view'

/** What was received and what went back, as a bookkeeper wants it: it only listens to what the others publish. */
export const booksModule = (needs: BooksNeeds) => {
  const module: Module = {
    name: 'books',
    routes: [],
    views: [receiptsView(needs.zone)],
    reactors: [],
    jobs: [],
    sweeps: [],
    refusals: {},
  }
  return module
}
