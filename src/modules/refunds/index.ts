import type { Module } from '#platform/module'
import { refundMeasures } from './measures.rows'
import type { RefundsNeeds } from './needs'
import { refundRoutes } from './refunds.routes'
import { ordersOwedInFull, owedInAll, refundsOfAttempts } from './refunds.rows'
import { refundAsCredit } from './refund-as-credit.commands'
import { refundDue, refundPaidBack } from './refund'
import { refundDecider } from './refund.decide'
import { refundsView } from './refunds.view'
import { refundStatuses } from './refusals'
import {
  settleRefundsSweep,
  settleRefundWhenOwedMoneyChanges,
  settleRefundWork,
} from './settle-refund.reactor'

/** What is owed back for cancelled orders and paid lines that never became one, and what went back of it. */
export const refundsModule = (needs: RefundsNeeds) => {
  const module: Module = {
    name: 'refunds',
    routes: refundRoutes(needs),
    views: [refundsView],
    reactors: [settleRefundWhenOwedMoneyChanges(needs.queue)],
    jobs: [settleRefundWork(needs)],
    sweeps: [settleRefundsSweep({ ...needs, ordersOwedInFull: ordersOwedInFull(needs.database.knex) })],
    measures: refundMeasures(needs),
    personal: {
      [refundDue.type]: ['student.name'],
      [refundPaidBack.type]: ['reference', 'note'],
    },
    refusals: refundStatuses,
  }

  /** The streams of the refunds of money that was paid in these checkouts. */
  const streamsOfAttempts = async (attemptIds: readonly string[]): Promise<string[]> =>
    (await refundsOfAttempts(needs.database.knex, attemptIds)).map(refundDecider.streamOf)

  return { ...module, owedInAll, streamsOfAttempts, refundAsCredit: refundAsCredit(needs) }
}
