import { v7 } from 'uuid'
import type { Ngwee } from '#kernel/money'
import type { By } from '#platform/event-store/command-handler'
import { partOfAttempts, type FamilyPart } from '#platform/family-data'
import type { Module } from '#platform/module'
import { cardRefundAnswered, cardRefundFoundFailed } from './card-refund'
import { cardRefundRoutes } from './card-refund.routes'
import { creditBalanceRoutes } from './credit-balances.routes'
import { followCardRefunds } from './follow-card-refunds.commands'
import type { OwedNeeds, RefundsNeeds } from './ports'
import { payoutAsked, refundDue, refundPaidBack } from './refund'
import { paidBack } from './refund-as-credit.commands'
import { payBackRefund } from './refund.commands'
import { refundDecider } from './refund.decide'
import { refundRoutes } from './refunds.routes'
import {
  amountsOfOrders,
  ordersOwed,
  dueOfAttempts,
  owedForAttempts,
  owedInAll,
  partsPaidBack,
  refundsOfAttempts,
  refundedAmount,
  refundsOfFamily,
  refundMeasures,
  refundsWaiting,
} from './refunds.rows'
import { cardRefundsView, approvalsView, refundsView } from './refunds.view'
import { refundStatuses } from './refusals'
import {
  ordersWithUnsettledChanges,
  refundsNotGiven,
  settleCredit,
  mealChangesView,
  refundsAsCreditView,
} from './settle-credit.reactor'
import { recordRefunds, settleRefunds } from './settle-refund.reactor'
import { lettersView, refundLetters, tellFamilyWhenRefundPaid } from './tell-family-when-refund-paid.reactor'

const refundParts: FamilyPart[] = [
  partOfAttempts(
    'refunds',
    `select id, student_name as student, item_name as "menuItem", amount / 100.0::float8 as amount, owed / 100.0::float8 as owed,
       as_credit / 100.0::float8 as "givenAsCredit", status, reason, due_since as "dueSince", paid_back_at as "paidBackAt",
       paid_back_as as "paidBackAs"
     from refunds.refunds where attempt_id = any($1::uuid[]) order by due_since desc, id limit $2`,
  ),
]

export const refundsModule = (needs: RefundsNeeds) => {
  const letters = refundLetters(needs)
  const { knex } = needs.database
  const owed: OwedNeeds = {
    ...needs,
    wentBackOf: refundedAmount(knex),
    ordersOwed: ordersOwed(knex),
    partsPaidBack: (attemptIds) => partsPaidBack(knex, attemptIds),
    ordersWithUnsettledChanges: ordersWithUnsettledChanges(knex),
    refundsNotGiven: refundsNotGiven(knex),
  }
  const [refunds, credit, paidBackInAttempts] = [settleRefunds(owed), settleCredit(owed), recordRefunds(owed)]
  const module: Module = {
    name: 'refunds',
    routes: [...cardRefundRoutes(owed), ...refundRoutes(owed), ...creditBalanceRoutes(needs)],
    views: [refundsView, cardRefundsView, approvalsView, lettersView, refundsAsCreditView, mealChangesView],
    reactors: [
      refunds.reactor,
      credit.reactor,
      paidBackInAttempts.reactor,
      tellFamilyWhenRefundPaid(needs.queue),
    ],
    jobs: [refunds.work, credit.work, paidBackInAttempts.work, letters.job],
    sweeps: [refunds.sweep, credit.sweep, paidBackInAttempts.sweep, followCardRefunds(needs), letters.sweep],
    familyParts: refundParts,
    retentions: [letters.retention],
    measures: refundMeasures(needs),
    personal: {
      [refundDue.type]: ['student.name'],
      [refundPaidBack.type]: ['reference', 'note'],
      [cardRefundAnswered.type]: ['explanation'],
      [cardRefundFoundFailed.type]: ['note'],
      [payoutAsked.type]: ['reference', 'note'],
    },
    refusals: refundStatuses,
  }

  const streamsOfAttempts = async (attemptIds: readonly string[]): Promise<string[]> =>
    (await refundsOfAttempts(needs.database.knex, attemptIds)).map(refundDecider.streamOf)

  const owedForAll = (attemptIds: readonly string[]): Promise<Ngwee> =>
    owedForAttempts(needs.database.knex, attemptIds)

  const giveUp = async (attemptIds: readonly string[], administrator: number, by: By): Promise<void> => {
    for (const refundId of await dueOfAttempts(needs.database.knex, attemptIds)) {
      const method = 'given_up' as const
      const payout = { amount: null, method, reference: null, note: null, by: administrator }
      await payBackRefund(needs)({ refundId, payout, payoutId: v7(), by })
    }
  }

  return {
    ...module,
    owedInAll,
    owedForAll,
    giveUp,
    streamsOfAttempts,
    refundsOfFamily,
    refundsWaiting,
    paidBack: paidBack(needs),
    amountsOfOrders: (orderIds: readonly string[]): Promise<Map<string, Ngwee>> =>
      amountsOfOrders(needs.database.pool, orderIds),
  }
}

export type Refunds = ReturnType<typeof refundsModule>
export type { RefundsNeeds } from './ports'
export type { RefundRow } from './refunds.view'
