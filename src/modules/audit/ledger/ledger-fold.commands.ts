import type { RecordedEvent } from '#platform/event-store/event-store'
import { touchReader } from '#platform/projections/view-fold'
import type { Ledger } from './ledger'
import { ledgerAttemptsView } from './ledger-attempts.view'
import { ledgerOrdersView } from './ledger-orders.view'
import { ledgerRefundsView } from './ledger-refunds.view'

export const ledgerViews = [ledgerAttemptsView, ledgerOrdersView, ledgerRefundsView]

/** Folds events into the ledger in memory, by the very steps that keep the tables; `ledger` is as far as it has come. */
export const ledgerFold = () => {
  const touchesOf = touchReader(ledgerViews)
  const rows = new Map(ledgerViews.map((view): [unknown, Map<string, unknown>] => [view, new Map()]))
  const ledger = {
    attempts: rows.get(ledgerAttemptsView),
    orders: rows.get(ledgerOrdersView),
    refunds: rows.get(ledgerRefundsView),
  } as Ledger

  const add = (events: readonly RecordedEvent[]): void => {
    for (const { view, key, step, event } of touchesOf(events)) {
      const table = rows.get(view)!
      const row = step.apply(table.get(key) ?? null, event)
      if (row === null) table.delete(key)
      else table.set(key, row)
    }
  }
  return { add, ledger }
}
