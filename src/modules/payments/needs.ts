import type { Catalogue } from '#modules/catalogue/index'
import type { Credit } from '#modules/credit/index'
import type { Cycles } from '#modules/cycles/index'
import type { Identity } from '#modules/identity/index'
import type { Messaging } from '#modules/messaging/index'
import type { Ordering } from '#modules/ordering/index'
import type { Ports } from '#platform/ports'
import type { CardProvider } from './providers/provider'

/** What payments are made with. */
export type PaymentsNeeds = Ports & {
  messaging: Messaging
  identity: Identity
  catalogue: Catalogue
  cycles: Cycles
  credit: Credit
  ordering: Ordering
  /** Null: card payments are off, and nothing new is learned about earlier ones. */
  provider: CardProvider | null
  /** The last part of the address that the provider pushes to; null: nobody pushes. */
  pushSecret: string | null
  /** The address at which whoever calls from `origin` has this service, without a slash at its end. */
  siteOf: (origin: string) => string
  /** The payment page as whoever calls from `origin` reaches it. */
  pageOf: (paymentUrl: string, origin: string) => string
  /** How long after a day's cutoff a payment still counts as in time. */
  graceMinutes: number
  withdrawnItems: WithdrawnItems
  /** The receipt of a card payment, and where it is read; null while it is not counted. */
  receiptOfCheckout: (attemptId: string) => Promise<{ number: string; url: string } | null>
}

/**
 * What becomes of a paid line whose item was made unavailable or archived since (payments.md section 8 rule 1): its
 * order is made all the same, or it waits for an administrator.
 */
export type WithdrawnItems = 'honour' | 'hold'

/** An order that has yet to be paid for. */
export type UnpaidOrder = Awaited<ReturnType<Ordering['unpaidOrdersOf']>>[number]

/** The meal slots' and portions' part of a checkout; all of it is safe to repeat. */
export type CheckoutMeals = Awaited<ReturnType<Ordering['mealsOf']>>

/** What shall be cooked instead of a line, by the line's index. */
export type Amendment = Parameters<Ordering['amendedLines']>[1][number]
