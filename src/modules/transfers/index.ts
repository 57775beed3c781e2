import type { Module } from '#platform/module'
import { transferConfirmed } from './confirmations/events'
import { settleTransfers } from './confirmations/transfers.job'
import { transferDecider } from './confirmations/confirmation.decide'
import { counterRoutes } from './confirmations/counter.routes'
import { transferRoutes } from './confirmations/transfers.routes'
import { transfersOfUser, transfersView } from './confirmations/transfers.view'
import type { TransfersNeeds } from './ports'
import { transfersStatuses } from './refusals'
import { lapseMailRetention, lapseUnpaidMeals } from './unpaid/lapse-unpaid-meals.job'
import {
  openRowsCount,
  statementRetentions,
  statementRowsFound,
  transfersByTransactionId,
} from './statements/statements.rows'
import { forgetInStatements, forgetPayersOf } from './statements/statement-rows.rows'
import { statementRoutes } from './statements/statement.routes'
import { pendingRoutes } from './unpaid/pending.routes'

export const transfersModule = (needs: TransfersNeeds) => {
  const { knex } = needs.database
  const module: Module = {
    name: 'transfers',
    context: 'payments',
    routes: [
      ...pendingRoutes(needs),
      ...transferRoutes(needs),
      ...counterRoutes(needs),
      ...statementRoutes(needs),
    ],
    views: [transfersView],
    reactors: [],
    jobs: [],
    sweeps: [lapseUnpaidMeals(needs), settleTransfers(needs)],
    retentions: [lapseMailRetention(needs), ...statementRetentions(needs)],
    personal: { [transferConfirmed.type]: ['payer', 'note'] },
    refusals: transfersStatuses,
  }
  return {
    ...module,
    streamsOfUser: async (userId: number): Promise<string[]> =>
      (await transfersOfUser(knex, userId)).map(transferDecider.streamOf),
    transfersByTransactionId,
    statementRowsFound,
    openRowsCount,
    forgetUser: (userId: number): Promise<void> => forgetPayersOf(knex, userId),
    forgetInStatements,
  }
}

export type Transfers = ReturnType<typeof transfersModule>
