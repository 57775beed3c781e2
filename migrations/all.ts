import type { Knex } from 'knex'
import * as platformEvents from './0001-platform-events'
import * as platformCheckpoints from './0002-platform-checkpoints'
import * as platformSessions from './0003-platform-sessions'
import * as platformRateLimits from './0004-platform-rate-limits'
import * as platformViewsAside from './0005-platform-views-aside'
import * as identityAccounts from './0010-identity-accounts'
import * as identityMailAndSettings from './0011-identity-mail-and-settings'
import * as identityDeletedAccounts from './0012-identity-deleted-accounts'
import * as identityResetRequests from './0013-identity-reset-requests'
import * as identityRetention from './0014-identity-retention'
import * as catalogueMenuItems from './0020-catalogue-menu-items'
import * as cyclesOrderCycles from './0030-cycles-order-cycles'
import * as orderingOrders from './0040-ordering-orders'
import * as orderingDiscountCodes from './0041-ordering-discount-codes'
import * as orderingMoney from './0042-ordering-money'
import * as orderingCycleOrders from './0043-ordering-cycle-orders'
import * as orderingKeptSums from './0044-ordering-kept-sums'
import * as paymentsAttempts from './0050-payments-attempts'
import * as paymentsSettings from './0051-payments-settings'
import * as paymentsAlternative from './0053-payments-alternative'
import * as paymentsSandbox from './0055-payments-sandbox'
import * as paymentsCardAttempts from './0056-payments-card-attempts'
import * as paymentsChecksAndPushes from './0057-payments-checks-and-pushes'
import * as paymentsRetentionAndMeasures from './0058-payments-retention-and-measures'
import * as paymentsAttemptsBegun from './0059-payments-attempts-begun'
import * as refunds from './0060-refunds'
import * as auditChain from './0070-audit-chain'
import * as auditEntries from './0071-audit-entries'
import * as auditEntriesByKind from './0072-audit-entries-by-kind'

/** One forward step of one context's schema. */
export type Migration = { name: string; up: (knex: Knex) => Promise<void> }

/** Every migration, in the order of its number. */
export const migrations: Migration[] = [
  platformEvents,
  platformCheckpoints,
  platformSessions,
  platformRateLimits,
  platformViewsAside,
  identityAccounts,
  identityMailAndSettings,
  identityDeletedAccounts,
  identityResetRequests,
  identityRetention,
  catalogueMenuItems,
  cyclesOrderCycles,
  orderingOrders,
  orderingDiscountCodes,
  orderingMoney,
  orderingCycleOrders,
  orderingKeptSums,
  paymentsAttempts,
  paymentsSettings,
  paymentsAlternative,
  paymentsSandbox,
  paymentsCardAttempts,
  paymentsChecksAndPushes,
  paymentsRetentionAndMeasures,
  paymentsAttemptsBegun,
  refunds,
  auditChain,
  auditEntries,
  auditEntriesByKind,
]
