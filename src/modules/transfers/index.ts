import { partOfAccount, type FamilyPart } from '#platform/family-data'
import type { Module } from '#platform/module'
import { settleTransfers } from './confirmations/confirm-transfers.commands'
import { transferDecider } from './confirmations/confirmation.decide'
import { counterRoutes } from './confirmations/counter.routes'
import { transferRoutes } from './confirmations/transfers.routes'
import { transferConfirmed } from './events'
import type { TransfersNeeds } from './ports'
import { transfersStatuses } from './refusals'
import { provenAmong, provingTransfers } from './statements/prove-transfers.commands'
import { forgetInStatements, forgetPayersOf } from './statements/statement-rows.rows'
import { statementRoutes } from './statements/statement.routes'
import {
  openRowsCount,
  statementRetentions,
  statementRowsFound,
  transfersFound,
} from './statements/statements.rows'
import { phoneOfTransfer, phonesOfOrders, transfersOfUser, transfersView } from './transfers.view'
import { lapseMailRetention, lapseUnpaidMeals } from './unpaid/lapse-unpaid-meals.job'
import { pendingRoutes } from './unpaid/pending.routes'

/** Payer, amount and note only where it paid for this family alone. */
const transferParts: FamilyPart[] = [
  partOfAccount(
    'transfers',
    `select method, transaction_id as "transactionId", paid_at as "paidAt", confirmed_at as "confirmedAt", confirmed,
       case when cardinality(user_ids) = 1 then amount / 100.0::float8 end as amount,
       case when cardinality(user_ids) = 1 then payer end as payer,
       case when cardinality(user_ids) = 1 then note end as note
     from transfers.transfers where user_ids @> array[$1::integer] order by confirmed_at desc limit $2`,
  ),
]

export const transfersModule = (needs: TransfersNeeds) => {
  const { payments } = needs
  const { knex } = needs.database
  const proving = provingTransfers(needs)
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
    jobs: [proving.work],
    sweeps: [lapseUnpaidMeals(needs), settleTransfers(needs), proving.sweep],
    familyParts: transferParts,
    retentions: [lapseMailRetention(needs), ...statementRetentions(needs)],
    personal: { [transferConfirmed.type]: ['payer', 'phone', 'note'] },
    forgetWords: forgetInStatements,
    refusals: transfersStatuses,
  }
  return {
    ...module,
    streamsOfUser: async (userId: number): Promise<string[]> =>
      (await transfersOfUser(knex, userId)).map(transferDecider.streamOf),
    phonesOfOrders: (orderIds: readonly string[]): Promise<Map<string, string[]>> =>
      phonesOfOrders(needs.database.pool, orderIds),
    phoneOfTransfer: (id: string): Promise<string | null> => phoneOfTransfer(needs.database.pool, id),
    provenAmong: (ids: readonly string[]): Promise<ReadonlySet<string>> => provenAmong(needs, ids),
    transfersFound,
    statementRowsFound,
    openRowsCount,
    forgetUser: async (userId: number): Promise<void> => {
      const references = await payments.alternativeReferences(await payments.attemptsOfUser(userId))
      await forgetPayersOf(knex, { userId, references: [...references.values()] })
    },
  }
}

export type Transfers = ReturnType<typeof transfersModule>
