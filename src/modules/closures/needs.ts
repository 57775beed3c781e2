import type { Credit } from '#modules/credit/index'
import type { Cycles } from '#modules/cycles/index'
import type { Identity } from '#modules/identity/index'
import type { Messaging } from '#modules/messaging/index'
import type { Ordering } from '#modules/ordering/index'
import type { Payments } from '#modules/payments/index'
import type { Refunds } from '#modules/refunds/index'
import type { Ports } from '#platform/ports'

export type ClosuresNeeds = Ports & {
  messaging: Messaging
  identity: Identity
  cycles: Cycles
  credit: Credit
  ordering: Ordering
  payments: Payments
  refunds: Refunds
}

export type ActiveOrder = Awaited<ReturnType<Ordering['standingOrders']>>[number]

export type Meal = Awaited<ReturnType<Ordering['mealsOfOrders']>>[number]

/** An order after a closure changed it, and why it could not be done, if it could not. */
export type ChangedOrder = Awaited<ReturnType<Ordering['changeByClosure']>>['orders'][number]
