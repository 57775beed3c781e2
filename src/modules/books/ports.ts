import type { Identity } from '#modules/identity/index'
import type { Messaging } from '#modules/messaging/index'
import type { Ordering } from '#modules/ordering/index'
import type { Payments } from '#modules/payments/index'
import type { Refunds } from '#modules/refunds/index'
import type { Transfers } from '#modules/transfers/index'
import type { Ports } from '#platform/ports'

export type BooksNeeds = Ports & {
  messaging: Messaging
  identity: Identity
  ordering: Ordering
  payments: Payments
  transfers: Transfers
  refunds: Refunds
}
