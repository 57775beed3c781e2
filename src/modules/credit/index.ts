import type { Ngwee } from '#kernel/money'
import type { Reader } from '#platform/database'
import type { Module } from '#platform/module'
import { creditAccount } from './credit-account.commands'
import { creditAccounts, reclaimCredit } from './reclaim.commands'
import {
  checkoutsThatHold,
  checkoutsThatSpent,
  creditInAll,
  givenForOrders,
  ordersCharged,
  ordersGivenCredit,
  ordersWithUnsettledChanges,
  refundsNotGiven,
} from './credit.rows'
import { creditCommands } from './credit.commands'
import { creditRoutes, creditShown } from './credit.routes'
import { creditViews } from './credit.view'
import {
  creditCharged,
  creditGiven,
  creditHeld,
  creditPaidOut,
  creditReleased,
  creditTakenBack,
  heldOf,
} from './family-credit'
import { familyCredit } from './family-credit.decide'
import { creditMeasures } from './measures.rows'
import type { CreditNeeds } from './needs'
import { creditPayoutAsked } from './payout-approval'
import { payoutApprovalRoutes } from './payout-approval.routes'
import { payoutApprovalsView } from './payout-approvals.view'
import { creditForRefund } from './refund-as-credit.commands'
import { creditStatuses } from './refusals'
import { owedAsMoney } from './settle-order.commands'
import { settlePrice } from './settle-price.commands'
import {
  settleCreditSweep,
  settleCreditWhenOrderOrRefundChanges,
  settleCreditWork,
} from './settle-credit.reactor'

/** What the school owes families as credit: a balance each, which checkouts spend and the office pays out. */
export const creditModule = (needs: CreditNeeds) => {
  const { knex } = needs.database
  const module: Module = {
    name: 'credit',
    routes: [...creditRoutes(needs), ...payoutApprovalRoutes(needs)],
    views: [...creditViews, payoutApprovalsView],
    reactors: [settleCreditWhenOrderOrRefundChanges(needs.queue)],
    jobs: [settleCreditWork(needs)],
    sweeps: [
      settleCreditSweep({
        ...needs,
        checkoutsThatSpent: checkoutsThatSpent(knex),
        ordersCharged: ordersCharged(knex),
        ordersGivenCredit: ordersGivenCredit(knex),
        ordersWithUnsettledChanges: ordersWithUnsettledChanges(knex),
        refundsNotGiven: refundsNotGiven(knex),
      }),
    ],
    measures: creditMeasures(needs),
    personal: {
      [creditGiven.type]: ['text'],
      [creditHeld.type]: ['text'],
      [creditReleased.type]: ['text'],
      [creditCharged.type]: ['text'],
      [creditTakenBack.type]: ['text'],
      [creditPaidOut.type]: ['reference'],
      [creditPayoutAsked.type]: ['reference'],
    },
    refusals: creditStatuses,
  }

  return {
    ...module,
    streamOfUser: (userId: number): string => familyCredit.streamOf(userId),
    /** What a family can spend and what its checkouts hold, together. */
    allOf: async (userId: number): Promise<Ngwee> => {
      const account = (await creditAccount(needs)(userId)).credit()
      return account.balance + heldOf(account)
    },
    giveUp: creditCommands(needs).giveUp,
    accountOf: creditAccount(needs),
    creditOf: creditShown(knex),
    accounts: creditAccounts(needs),
    checkoutsThatHold: checkoutsThatHold(knex),
    reclaimCredit: reclaimCredit(needs),
    settlePrice: settlePrice(needs),
    creditForRefund: creditForRefund(needs),
    owedAsMoney: owedAsMoney(needs),
    givenForOrders: (orderIds: readonly string[]) => givenForOrders(needs.database.pool, orderIds),
    creditInAll: (at?: Reader) => creditInAll(at ?? needs.database.pool),
  }
}
