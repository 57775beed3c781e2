import type { Ngwee } from '#kernel/money'
import type { Reader } from '#platform/database'
import { partOfAccount, type FamilyPart } from '#platform/family-data'
import type { Module } from '#platform/module'
import { countPayout, type CreditNeeds } from './count-payout.commands'
import {
  creditAccount,
  creditAccounts,
  reclaimAbsence,
  reclaimCredit,
  settlePrice,
} from './credit-account.commands'
import { creditCommands, creditRoutes, creditReply } from './credit.routes'
import {
  absencesSpent,
  checkoutsThatHold,
  checkoutsThatSpent,
  creditBalances,
  creditInAll,
  entriesOfOrders,
  givenForOrders,
  ordersCharged,
  ordersGivenCredit,
  creditViews,
  creditMeasures,
} from './credit.view'
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
import { payoutApprovalRoutes, payoutApprovalsView, payoutsAskedBy } from './payout-approval.routes'
import { creditGiftAsked, creditPayoutAsked } from './payouts'
import { creditStatuses } from './refusals'

const creditParts: FamilyPart[] = [
  partOfAccount(
    'creditEntries',
    `select at, kind, amount / 100.0::float8 as amount, balance_after / 100.0::float8 as "balanceAfter", order_id as "orderId",
       reference, text
     from credit.entries where user_id = $1 order by position desc limit $2`,
  ),
]

export const creditModule = (needs: CreditNeeds) => {
  const { knex } = needs.database
  const module: Module = {
    name: 'credit',
    routes: [...creditRoutes(needs), ...payoutApprovalRoutes(needs)],
    views: [...creditViews, payoutApprovalsView],
    reactors: [],
    jobs: [],
    sweeps: [],
    measures: creditMeasures(needs),
    personal: {
      [creditGiven.type]: ['text'],
      [creditHeld.type]: ['text'],
      [creditReleased.type]: ['text'],
      [creditCharged.type]: ['text'],
      [creditTakenBack.type]: ['text'],
      [creditPaidOut.type]: ['reference'],
      [creditPayoutAsked.type]: ['reference'],
      [creditGiftAsked.type]: ['text'],
    },
    familyParts: creditParts,
    refusals: creditStatuses,
  }

  return {
    ...module,
    streamOfUser: (userId: number): string => familyCredit.streamOf(userId),
    allOf: async (userId: number): Promise<Ngwee> => {
      const account = (await creditAccount(needs)(userId)).credit()
      return account.balance + heldOf(account)
    },
    giveUp: creditCommands(needs).giveUp,
    accountOf: creditAccount(needs),
    creditOf: creditReply(knex),
    accounts: creditAccounts(needs),
    checkoutsThatHold: checkoutsThatHold(knex),
    reclaimCredit: reclaimCredit(needs),
    reclaimAbsence: reclaimAbsence(needs),
    settlePrice: settlePrice(needs),
    countOutflow: countPayout(needs),
    checkoutsThatSpent: checkoutsThatSpent(knex),
    ordersCharged: ordersCharged(knex),
    ordersGivenCredit: ordersGivenCredit(knex),
    givenForOrders: (orderIds: readonly string[]): Promise<Map<string, { owed: Ngwee; before: Ngwee }>> =>
      givenForOrders(needs.database.pool, orderIds),
    absencesSpent,
    creditBalances,
    payoutsAskedBy,
    /** Number of entries by order. */
    entriesOfOrders: (orderIds: readonly string[]): Promise<Map<string, number>> =>
      entriesOfOrders(needs.database.pool, orderIds),
    creditInAll: (at?: Reader): Promise<{ balance: Ngwee; held: Ngwee }> =>
      creditInAll(at ?? needs.database.pool),
  }
}

export type Credit = ReturnType<typeof creditModule>
export type { CreditAccounts, ReclaimCredit } from './credit-account.commands'
export type { CreditNeeds } from './count-payout.commands'
