import type { RecordedEvent } from '#platform/event-store/event-store'
import { evolveRows, touchReader, type ViewRows } from '#platform/projections/row-view'
import { ledgerCreditAccountsView, ledgerCreditGivenView, ledgerCreditSpentView } from './credit-ledger.view'
import type { Ledger } from './ledger'
import { ledgerAttemptsView, ledgerOrdersView, ledgerRefundsView } from './ledger.view'
import { ledgerTransfersView } from './transfer-ledger.view'

export const ledgerViews = [
  ledgerAttemptsView,
  ledgerOrdersView,
  ledgerRefundsView,
  ledgerTransfersView,
  ledgerCreditAccountsView,
  ledgerCreditGivenView,
  ledgerCreditSpentView,
]

/** Folds events into the ledger in memory, by what keeps the tables; `ledger` is as far as it has come. */
export const ledgerFold = () => {
  const touchesOf = touchReader(ledgerViews)
  const rows: ViewRows = new Map(ledgerViews.map((view) => [view, new Map()]))
  const ledger = {
    attempts: rows.get(ledgerAttemptsView),
    orders: rows.get(ledgerOrdersView),
    refunds: rows.get(ledgerRefundsView),
    transfers: rows.get(ledgerTransfersView),
    creditAccounts: rows.get(ledgerCreditAccountsView),
    creditGiven: rows.get(ledgerCreditGivenView),
    creditSpent: rows.get(ledgerCreditSpentView),
  } as unknown as Ledger
  const add = (events: readonly RecordedEvent[]): void => evolveRows(rows, touchesOf(events))
  return { add, ledger }
}
