import type { FeatureName } from '#contracts/identity'
import type { Audit } from '#modules/audit/index'
import type { Books } from '#modules/books/index'
import type { Credit } from '#modules/credit/index'
import type { Identity } from '#modules/identity/index'
import type { Ordering } from '#modules/ordering/index'
import type { Payments } from '#modules/payments/index'
import type { Refunds } from '#modules/refunds/index'
import type { Ports } from '#platform/ports'

/** What the search is made with; each module looks into its own tables, over one connection. */
export type FindNeeds = Ports & {
  identity: Identity
  credit: Credit
  ordering: Ordering
  payments: Payments
  refunds: Refunds
  books: Books
  audit: Audit
}

/** An order as the search shows it. */
export type FoundMeal = Awaited<ReturnType<Ordering['ordersFound']>>[number]

/** A payment as the search shows it, but for what other contexts know of it. */
export type FoundCheckout = Awaited<ReturnType<Payments['attemptsFound']>>[number]

/** A payment for the page of its family, with what became of its meals and its money; amounts in ngwee. */
export type FamilyPayment = Awaited<ReturnType<Payments['attemptsOfFamily']>>[number]

/** An order of a family, as far as its page needs it. */
export type FamilyOrder = Awaited<ReturnType<Ordering['ordersOfFamily']>>[number]

/** Money owed back, or gone back; `owed` is what has yet to go. */
export type FamilyRefund = Awaited<ReturnType<Refunds['refundsOfFamily']>>[number]

/** A message about a user; `endedAt` is when it was sent, or given up, `failure` why the last try came to nothing. */
export type Message = Awaited<ReturnType<Identity['messagesOf']>>[number]

/** Who searches. */
export type Asker = { isSuperadmin: boolean; features: readonly string[] }

export const holdsOneOf = (asker: Asker, features: readonly FeatureName[]): boolean =>
  asker.isSuperadmin || features.some((feature) => asker.features.includes(feature))
