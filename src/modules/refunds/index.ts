import { v7 } from 'uuid'
import type { By } from '#platform/event-store/command-handler'
import type { Module } from '#platform/module'
import { cardRefundFoundFailed } from './card-refund'
import { cardRefundRoutes } from './card-refund.routes'
import { cardRefundsToFollow } from './card-refunds.rows'
import { cardRefundsView } from './card-refunds.view'
import { followCardRefunds } from './follow-card-refunds.job'
import { payoutAsked } from './approval'
import { approvalsView } from './approvals.view'
import { refundMeasures } from './measures.rows'
import type { RefundsNeeds } from './needs'
import { refundRoutes } from './refunds.routes'
import {
  amountsOfOrders,
  ordersOwedInFull,
  dueOfAttempts,
  owedForAttempts,
  owedInAll,
  refundsOfAttempts,
  wentBackOf,
  refundsOfFamily,
} from './refunds.rows'
import { paidBack, refundAsCredit, refundBegun } from './refund-as-credit.commands'
import { countOutflow } from './outflow.commands'
import { refundDue, refundPaidBack } from './refund'
import { payBackRefund } from './refund.commands'
import { refundDecider } from './refund.decide'
import { refundsView } from './refunds.view'
import { refundStatuses } from './refusals'
import {
  settleRefundsSweep,
  settleRefundWhenOwedMoneyChanges,
  settleRefundWork,
} from './settle-refund.reactor'
import { tellFamilyWhenRefundPaid, tellRefundPaidWork } from './tell-family-when-refund-paid.reactor'

/** What is owed back for cancelled orders and paid lines that never became one, and what went back of it. */
export const refundsModule = (needs: RefundsNeeds) => {
  const requestNeeds = { ...needs, wentBackOf: wentBackOf(needs.database.knex) }
  const module: Module = {
    name: 'refunds',
    routes: [...cardRefundRoutes(requestNeeds), ...refundRoutes(requestNeeds)],
    views: [refundsView, cardRefundsView, approvalsView],
    reactors: [settleRefundWhenOwedMoneyChanges(needs.queue), tellFamilyWhenRefundPaid(needs.queue)],
    jobs: [settleRefundWork(needs), tellRefundPaidWork(needs)],
    sweeps: [
      settleRefundsSweep({ ...needs, ordersOwedInFull: ordersOwedInFull(needs.database.knex) }),
      followCardRefunds({ ...needs, cardRefundsToFollow: () => cardRefundsToFollow(needs.database.knex) }),
    ],
    measures: refundMeasures(needs),
    personal: {
      [refundDue.type]: ['student.name'],
      [refundPaidBack.type]: ['reference', 'note'],
      [cardRefundFoundFailed.type]: ['note'],
      [payoutAsked.type]: ['reference', 'note'],
    },
    refusals: refundStatuses,
  }

  /** The streams of the refunds of money that was paid in these checkouts. */
  const streamsOfAttempts = async (attemptIds: readonly string[]): Promise<string[]> =>
    (await refundsOfAttempts(needs.database.knex, attemptIds)).map(refundDecider.streamOf)

  const owedForAll = (attemptIds: readonly string[]) => owedForAttempts(needs.database.knex, attemptIds)

  /** Whoever paid in these checkouts wants nothing back of what is due. */
  const giveUp = async (attemptIds: readonly string[], administrator: number, by: By): Promise<void> => {
    for (const refundId of await dueOfAttempts(needs.database.knex, attemptIds)) {
      const method = 'given_up' as const
      const payout = { amount: null, method, reference: null, note: null, by: administrator }
      await payBackRefund(needs)({ refundId, payout, payoutId: v7(), by })
    }
  }

  return {
    ...module,
    countOutflow: countOutflow(needs),
    owedInAll,
    owedForAll,
    giveUp,
    streamsOfAttempts,
    refundsOfFamily,
    refundAsCredit: refundAsCredit(needs),
    refundBegun: refundBegun(needs),
    paidBack: paidBack(needs),
    amountsOfOrders: (orderIds: readonly string[]) => amountsOfOrders(needs.database.pool, orderIds),
  }
}
