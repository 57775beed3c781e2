import type { Credit } from '#modules/credit/index'
import type { Identity } from '#modules/identity/index'
import type { Messaging } from '#modules/messaging/index'
import type { Ordering } from '#modules/ordering/index'
import type { Payments } from '#modules/payments/index'
import type { Ports } from '#platform/ports'

/** What transfers are made with. */
export type TransfersNeeds = Ports & {
  messaging: Messaging
  identity: Identity
  credit: Credit
  ordering: Ordering
  payments: Payments
}

/** An order that has yet to be paid for. */
export type UnpaidOrder = Awaited<ReturnType<Ordering['unpaidOrdersOf']>>[number]

/** A meal that money may still come for; `lapsedAt`: it was cancelled then because nobody had paid. */
export type PayableOrder = Awaited<ReturnType<Ordering['payableOrders']>>[number]

/** An order as whoever confirms money for it sees it. */
export type OrderToPay = Awaited<ReturnType<Ordering['ordersToPay']>>[number]

/** Families' credit within one append; each change is to be appended in the order in which it was made. */
export type FamilyAccounts = ReturnType<Credit['accounts']>

/** Who has an account, as the office knows them. */
export type Person = { id: number; username: string; name: string | null; phone: string | null }
