import type { Credit } from '#modules/credit/index'
import type { Identity } from '#modules/identity/index'
import type { Messaging } from '#modules/messaging/index'
import type { Ordering } from '#modules/ordering/index'
import type { Payments } from '#modules/payments/index'
import type { Locks, Ports } from '#platform/ports'

export type TransfersNeeds = Ports & {
  messaging: Messaging
  identity: Identity
  credit: Credit
  ordering: Ordering
  payments: Payments
  locks: Pick<Locks, 'tryAcquire'>
}

export type Person = { id: number; username: string; name: string | null; phone: string | null }
