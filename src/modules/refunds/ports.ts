import type { Ngwee } from '#kernel/money'
import type { Credit } from '#modules/credit/index'
import type { Identity } from '#modules/identity/index'
import type { Messaging } from '#modules/messaging/index'
import type { Ordering } from '#modules/ordering/index'
import type { Payments } from '#modules/payments/index'
import type { Ports } from '#platform/ports'
import type { CardRefunder } from './card-refund'

export type RefundsNeeds = Ports & {
  messaging: Messaging
  identity: Identity
  credit: Credit
  ordering: Ordering
  payments: Payments
  cards: CardRefunder | null
  /** Limit of one administrator per family and day, in ngwee; null for none. */
  refundApprovalAbove: () => Promise<Ngwee | null>
  cardRefundsOn: () => Promise<boolean>
  creditNotes: (refundIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

/** What the module is given, and what it reads of its own tables. */
export type OwedNeeds = RefundsNeeds & {
  /** In ngwee, by any method. */
  wentBackOf: (attemptId: string) => Promise<Ngwee>
  ordersOwed: () => Promise<readonly string[]>
  partsPaidBack: (attemptIds: readonly string[]) => Promise<readonly string[]>
  ordersWithUnsettledChanges: (before: Date) => Promise<readonly string[]>
  refundsNotGiven: () => Promise<readonly string[]>
}
