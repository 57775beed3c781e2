import type { Credit } from '#modules/credit/index'
import type { Identity } from '#modules/identity/index'
import type { Ordering } from '#modules/ordering/index'
import type { Payments } from '#modules/payments/index'
import type { Ngwee } from '#kernel/money'
import type { Ports } from '#platform/ports'
import type { CardRefunder } from './card-answers'

/** What refunds are made with. */
export type RefundsNeeds = Ports & {
  identity: Identity
  credit: Credit
  ordering: Ordering
  payments: Payments
  /** Null: nobody takes card payments. */
  cards: CardRefunder | null
  /** What one administrator may let go in all to one family on one day, in ngwee; null: without end. */
  refundApprovalAbove: () => Promise<Ngwee | null>
  /** Whether the school pays back to cards through the card provider. */
  cardRefundsOn: () => Promise<boolean>
  /** Of these refunds those of which money went back, each with the number of its latest credit note. */
  creditNotes: (refundIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

/** An order as its stream tells it. */
export type OrderFacts = NonNullable<Awaited<ReturnType<Ordering['orderFacts']>>>

/** Money for an order goes back or may be on its way, did not after all, or has gone; until it has, the order stays owed. */
export type OrderStep = Parameters<Ordering['refundStep']>[1]
