import type { Pool } from 'pg'
import type { JobQueue } from '#platform/jobs/job'
import type { Module } from '#platform/module'
import type { AttemptRefundNeeds } from './attempt-refunds.commands'
import { refundMeasures } from './measures.rows'
import { openAttemptRefundsWork } from './attempt-refunds.job'
import { openRefundWhenLinesWaived } from './open-refund-when-lines-waived.reactor'
import { openRefundWhenOrderCancelled } from './open-refund-when-order-cancelled.reactor'
import type { PayBackNeeds } from './pay-back.commands'
import { refundRoutes } from './refunds.routes'
import { owedInAll } from './refunds.rows'
import { refundsView } from './refunds.view'
import { refundStatuses } from './refusals'
import { settleRefundsSweep, settleRefundWork } from './settle-refund.job'
import type { SweepNeeds } from './settle-refund.job'
import { withdrawRefundWhenOrderReopened } from './withdraw-refund-when-order-reopened.reactor'

export type RefundsNeeds = PayBackNeeds &
  SweepNeeds &
  AttemptRefundNeeds & {
    database: { pool: Pool }
    queue: Pick<JobQueue, 'enqueue'>
  }

/** What is owed back for cancelled orders and paid lines that never became one, and what went back of it. */
export const refundsModule = (needs: RefundsNeeds) => {
  const module: Module = {
    name: 'refunds',
    routes: refundRoutes(needs),
    views: [refundsView],
    reactors: [
      openRefundWhenOrderCancelled(needs.queue),
      openRefundWhenLinesWaived(needs.queue),
      withdrawRefundWhenOrderReopened(needs.queue),
    ],
    jobs: [settleRefundWork(needs), openAttemptRefundsWork(needs)],
    sweeps: [settleRefundsSweep(needs)],
    measures: refundMeasures(needs),
    refusals: refundStatuses,
  }

  return { ...module, owedInAll }
}
