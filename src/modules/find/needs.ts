import type { FeatureName } from '#contracts/identity'
import type { Audit } from '#modules/audit/index'
import type { Books } from '#modules/books/index'
import type { Credit } from '#modules/credit/index'
import type { Identity } from '#modules/identity/index'
import type { Messaging } from '#modules/messaging/index'
import type { Ordering } from '#modules/ordering/index'
import type { Payments } from '#modules/payments/index'
import type { Refunds } from '#modules/refunds/index'
import type { Transfers } from '#modules/transfers/index'
import type { Ports } from '#platform/ports'

export type FindNeeds = Ports & {
  messaging: Messaging
  identity: Identity
  credit: Credit
  ordering: Ordering
  payments: Payments
  transfers: Transfers
  refunds: Refunds
  books: Books
  audit: Audit
}

export type FoundMeal = Awaited<ReturnType<Ordering['ordersFound']>>[number]

export type FoundCheckout = Awaited<ReturnType<Payments['attemptsFound']>>[number]

export type FamilyPayment = Awaited<ReturnType<Payments['attemptsOfFamily']>>[number]

export type FamilyOrder = Awaited<ReturnType<Ordering['ordersOfFamily']>>[number]

export type FamilyRefund = Awaited<ReturnType<Refunds['refundsOfFamily']>>[number]

/** `endedAt` is when it was sent or given up, `failure` the last error. */
export type Message = Awaited<ReturnType<Messaging['messagesOf']>>[number]

export type Asker = { isSuperadmin: boolean; features: readonly string[] }

export const holdsOneOf = (asker: Asker, features: readonly FeatureName[]): boolean =>
  asker.isSuperadmin || features.some((feature) => asker.features.includes(feature))
